import { defineError, defineInfo, defineWarning } from "../../../text/diagnostics.ts";
import { didYouMean, listNames, truncate } from "../../../text/messages.ts";

// WB28xx: the structure of machines

/** A query language of a branch or an item processor. */
export const misplacedQueryLanguage = defineError("WB2802", () => ({
  message: "A branch or an item processor has no query language of its own.",
  hint: "Write `QueryLanguage` in the machine or in the states.",
}));

/** A state that nothing reaches. */
export const unreachableState = defineError("WB2803", (a: { name: string }) => ({
  message: `Nothing leads to state \`${truncate(a.name)}\`: Step Functions refuses the machine.`,
  hint: "Add a transition to it, or remove it.",
}));

/** A state without a successor, or with too many. */
export const wrongSuccessor = defineError("WB2804", (a: { name: string; has: "both" | "neither" }) => ({
  message: `State \`${truncate(a.name)}\` has ${a.has === "both" ? "both `Next` and `End`" : "neither `Next` nor `End`"}.`,
  hint: a.has === "both" ? "Remove one of the two." : "Write `Next` with the next state, or `End: true`.",
}));

/** A scope without an end. */
export const endlessScope = defineError("WB2805", () => ({
  message: "No end can be reached from here: Step Functions refuses the machine.",
  hint: "Add a state with `End: true`, or a Succeed or Fail state.",
}));

/** A name of a state that Step Functions refuses. */
export const badStateName = defineError("WB2806", (a: { name: string; isLong: boolean }) => ({
  message: a.isLong
    ? `The name \`${truncate(a.name)}\` has more than 80 characters.`
    : `Another state of the machine has the name \`${truncate(a.name)}\`.`,
  hint: a.isLong ? "Shorten it." : "Names are unique in the whole machine, branches included.",
}));

/** Fields that exclude each other. */
export const exclusiveFields = defineError("WB2807", (a: { field: string; other: string }) => ({
  message: `\`${a.field}\` and \`${a.other}\` exclude each other.`,
  hint: "Remove one of the two.",
}));

/** A field that is missing. */
export const missingField = defineError("WB2808", (a: { type: string; fields: readonly string[] }) => ({
  message: `This ${a.type} has no ${a.fields.map((field) => `\`${field}\``).join(", ")}.`,
  hint: `Write ${a.fields.length === 1 ? "it" : "one of them"}.`,
}));

/** A field of JSONata in a state of JSONPath. */
export const fieldOfJsonata = defineError("WB2809", (a: { field: string; meant: string | undefined }) => ({
  message: `\`${a.field}\` belongs to JSONata, and this state is in JSONPath.`,
  hint: a.meant === undefined ? "Remove it." : `Write \`${a.meant}\`.`,
}));

/** A wildcard for errors that hides names. */
export const misplacedWildcard = defineError("WB2810", (a: { isAlone: boolean }) => ({
  message: a.isAlone
    ? "`States.ALL` is not in the last entry: those after it would take nothing."
    : "`States.ALL` is not alone in its list.",
  hint: a.isAlone ? "Move the entry to the end." : "Remove the other names.",
}));

/** An error that nothing raises or takes. */
export const unraisedError = defineWarning("WB2811", (a: { name: string; isFatal: boolean }) => ({
  message: a.isFatal ? `No retrier or catcher takes \`${a.name}\`.` : `Step Functions never raises \`${a.name}\`.`,
  hint: "Remove the name.",
}));

/** A variable that cannot be assigned. */
export const badVariable = defineError("WB2812", (a: { name: string; reason: string }) => ({
  message: `\`${truncate(a.name)}\` cannot be assigned: ${a.reason}.`,
  hint: "Choose another name.",
}));

/** A version of the language that does not exist. */
export const unknownVersion = defineError("WB2813", (a: { version: string }) => ({
  message: `The version \`${truncate(a.version)}\` does not exist.`,
  hint: "Write `1.0`, or remove it.",
}));

/** A field that is not compiled yet. */
export const unsupportedField = defineError("WB2814", (a: { what: string }) => ({
  message: `${a.what} is not supported yet.`,
}));

/** A comparison without one comparator. */
export const comparatorCount = defineError("WB2815", (a: { names: readonly string[] }) => ({
  message:
    a.names.length > 1
      ? `This test has several comparators: ${listNames(a.names)}.`
      : a.names.length === 1
        ? `\`${a.names[0]}\` has no \`Variable\` to compare.`
        : "This test compares nothing.",
  hint: a.names.length > 1 ? "Join tests by `And`." : "Write `Variable` and one comparator, such as `StringEquals`.",
}));

/** An operand that a comparator does not take. */
export const badOperand = defineError("WB2816", (a: { name: string; reason: string }) => ({
  message: `\`${a.name}\` cannot compare with this: ${a.reason}.`,
}));

/** A constant instant of a Wait state that is not a timestamp. */
export const badTimestamp = defineError("WB2817", (a: { text: string }) => ({
  message: `\`${truncate(a.text)}\` is not a timestamp.`,
  hint: "Write one such as `2026-01-31T09:30:00Z`.",
}));

/** A variable around a distributed Map that its executions do not see. */
export const hiddenVariable = defineError("WB2818", (a: { name: string }) => ({
  message: `The executions of a distributed Map do not see \`$${truncate(a.name)}\`, which is a variable of the machine around it.`,
  hint: "Pass its value by `ItemSelector`.",
}));

/** A field of JSONPath in a state of JSONata. */
export const fieldOfJsonPath = defineError("WB2830", (a: { field: string; meant: string | undefined }) => ({
  message: `\`${a.field}\` belongs to JSONPath, and this state is in JSONata.`,
  hint: a.meant === undefined ? "Remove it." : `Write \`${a.meant}\`.`,
}));

/** A state of JSONPath in a machine of JSONata. */
export const jsonPathInJsonata = defineError("WB2831", () => ({
  message: "A state cannot be in JSONPath if the machine is in JSONata.",
  hint: "Write `QueryLanguage` in the states that are in JSONata instead of the machine.",
}));

/** A value that a field of a state in JSONata does not take. */
export const notAnExpression = defineError("WB2832", (a: { field: string; wanted: string }) => ({
  message: `\`${a.field}\` must be ${a.wanted}.`,
}));

/** A number of failures that an inline Map tolerates. */
export const inlineTolerance = defineWarning("WB2833", (a: { field: string }) => ({
  message: `AWS documents \`${a.field}\` for distributed Maps only.`,
  hint: "Write `Mode: DISTRIBUTED` in `ProcessorConfig`, or catch errors inside the iterations.",
}));

/** Catchers for which an empty name or cause of an error is an absent one. */
export const emptyError = defineInfo("WB2834", () => ({
  message:
    "These catchers see an empty name or cause of any error as null, like the absent ones of Fail states and callbacks inside.",
  hint: "Write `Error` and `Cause` in the Fail states, or catch errors of callbacks inside.",
}));

/** A task that waits for a callback and does not send the token for it. */
export const unsentToken = defineWarning("WB2835", (a: { isJsonata: boolean }) => ({
  message: "What this task sends does not contain its token, so only a timeout ends the wait for the callback.",
  hint: a.isJsonata
    ? "Send `{% $states.context.Task.Token %}` in `Arguments`."
    : 'Send it in `Parameters`: `"TaskToken.$": "$$.Task.Token"`.',
}));

/** A limit between heartbeats of a task that has none. */
export const ineffectiveHeartbeat = defineWarning("WB2836", (a: { field: string }) => ({
  message: `\`${a.field}\` has no effect: only activities and tasks that wait for a callback have heartbeats.`,
  hint: "Write `TimeoutSeconds` to limit the time of the call.",
}));

/** A limit between heartbeats that the timeout of the task makes unreachable. */
export const longHeartbeat = defineError("WB2837", (a: { heartbeat: number; timeout: number }) => ({
  message: `The ${a.heartbeat} s between heartbeats are not less than the timeout of ${a.timeout} s.`,
  hint: "Write a smaller `HeartbeatSeconds` or a larger `TimeoutSeconds`.",
}));

/** A field of distributed Maps in an inline one. */
export const distributedOnly = defineError("WB2838", (a: { field: string }) => ({
  message: `\`${a.field}\` requires a distributed Map.`,
  hint: "Write `Mode: DISTRIBUTED` in `ProcessorConfig`.",
}));

/** A field of a machine that is written among its states. */
export const amongStates = defineError("WB2839", (a: { field: string }) => ({
  message: `\`${a.field}\` belongs one level up, next to \`States\`.`,
  hint: "Move it there.",
}));

// WB38xx: data

/** A path that must lead to one place. */
export const notReference = defineError("WB3801", (a: { field: string; reason: string }) => ({
  message: `\`${a.field}\` does not name one place in the input: ${a.reason}.`,
  hint: "Write names and indexes only, such as `$.orders[0].id`.",
}));

/** A key of a template that cannot be evaluated. */
export const badTemplateKey = defineError("WB3802", (a: { key: string; reason: string }) => ({
  message: `\`${truncate(a.key)}\` cannot be evaluated: ${a.reason}.`,
  hint: "Write one key, and end it with `.$` if its value is a path or an intrinsic function.",
}));

/** A variable that no state assigns. */
export const unknownVariable = defineWarning(
  "WB3803",
  (a: { name: string; known: readonly string[]; error: string }) => ({
    message: `No state assigns \`$${truncate(a.name)}\`: reading it fails with \`${a.error}\`.`,
    hint: didYouMean(a.name, a.known) ?? "Assign it before, in `Assign`.",
    misspelt: { name: a.name, known: a.known, isOpen: true },
  }),
);

/** A field that the context object does not have in a state. */
export const emptyContextField = defineWarning("WB3804", (a: { path: string }) => ({
  message: `\`${truncate(a.path)}\` has no value here.`,
  hint: /^\$(?:\$|states\.context)\.Map/.test(a.path)
    ? "Pass it to the item processor by `ItemSelector`."
    : "Check the spelling.",
}));

/** A JSONata expression that cannot be parsed. */
export const jsonataSyntax = defineError("WB3810", (a: { message: string; hint: string | undefined }) => ({
  message: a.message,
  hint: a.hint,
}));

/** A part of a JSONata expression that reads a document, which states do not have. */
export const noDocument = defineError("WB3811", (a: { text: string }) => ({
  message: `\`${truncate(a.text)}\` has no value: expressions of states have no document.`,
  hint: /^[\w`]/.test(a.text) ? `Write \`$states.input.${truncate(a.text)}\`.` : "Write `$states.input`.",
}));

/** A member of `$states` that has no value in a field. */
export const emptyStatesMember = defineError("WB3812", (a: { name: string; known: readonly string[] }) => ({
  message: `\`$states.${truncate(a.name)}\` has no value here.`,
  hint:
    didYouMean(a.name, a.known) ??
    (a.name === "result"
      ? "Read it in `Output` or `Assign` of a Task, Parallel or Map."
      : a.name === "errorOutput"
        ? "Read it in `Output` or `Assign` of a catcher."
        : `Read one of ${listNames(a.known.map((known) => `$states.${known}`))}.`),
  misspelt: { name: a.name, known: a.known, isOpen: false },
}));

/** A string that looks like an expression and is a constant. */
export const literalExpression = defineWarning("WB3813", () => ({
  message: "This is not evaluated: an expression begins with `{%` and ends with `%}`.",
  hint: "Remove the text around `{% %}`, or join texts by `&` inside it.",
}));

/** Syntax that Step Functions' version of JSONata does not have. */
export const newerJsonata = defineError("WB3814", (a: { operator: string }) => ({
  message: `Step Functions has JSONata 2.0.6, which does not have the operator \`${a.operator}\`.`,
  hint: a.operator === "??" ? "Write `$exists(a) ? a : b`." : "Write `a ? a : b`.",
}));

/** A regular expression that only Java accepts. */
export const javaOnlyPattern = defineError("WB3816", (a: { syntax: string }) => ({
  message: `Only Java, the engine of Step Functions, has ${a.syntax}: this regular expression is not supported.`,
  hint: "Write a regular expression that Java and JavaScript read alike.",
}));

/** A regular expression that matches differently in Step Functions. */
export const differentPattern = defineWarning("WB3817", (a: { reading: string }) => ({
  message: `Step Functions reads this regular expression differently: in Java, ${a.reading}.`,
  hint: "Write a regular expression that Java and JavaScript read alike.",
}));

/** A regular expression that matches differently for rare characters. */
export const differentCharacters = defineInfo("WB3818", (a: { readings: readonly string[] }) => ({
  message: `Java, the engine of Step Functions, matches differently in rare cases: ${a.readings.join("; ")}.`,
}));

/** A division by zero. */
export const divisionByZero = defineInfo("WB3819", (a: { isZero: boolean }) => ({
  message: `This divisor ${a.isZero ? "is" : "may be"} zero: the expression then fails here, and in Step Functions it may give a string such as \`Infinity\`.`,
  hint: a.isZero ? "Write another divisor." : "Test it before, as in `$d != 0 ? $n / $d : 0`.",
}));

/** A function that JSONata of Step Functions does not have. */
export const unknownFunction = defineError("WB3815", (a: { name: string; known: readonly string[] }) => ({
  message:
    a.name === "eval"
      ? "Step Functions does not have the function `$eval`."
      : `\`$${truncate(a.name)}\` is neither a function nor a variable that a state assigns.`,
  hint: didYouMean(a.name, a.known),
  misspelt: { name: a.name, known: a.known, isOpen: false },
}));

// WB48xx: what targets do not have

/** Credentials of a task. */
export const credentialsKept = defineInfo("WB4801", () => ({
  message: "`Credentials` has no effect: the compiled workflow calls the function with its own permissions.",
}));

// WB282x: files with machines

/** An intrinsic function that does more than insert references. */
export const unreadableFunction = defineError("WB2820", (a: { name: string }) => ({
  message: `\`${truncate(a.name)}\` in a definition is not evaluated.`,
  hint: "Write the value, or compile the template after it has been processed.",
}));

/** A placeholder outside of a string, without a value. */
export const unquotedPlaceholder = defineError("WB2821", (a: { name: string }) => ({
  message: `The placeholder \`${truncate(a.name)}\` is outside of a string and has no value.`,
  hint: `Put it in quotes, or write its value under \`placeholders\` in the configuration.`,
}));

/** The file of a machine that cannot be read. */
export const unreadableMachine = defineError("WB2822", (a: { path: string; reason: string }) => ({
  message: `The definition \`${truncate(a.path)}\` cannot be read: ${a.reason}.`,
}));

/** A machine whose definition is not in the file and not in a local one. */
export const remoteDefinition = defineError("WB2823", (a: { isMissing: boolean }) => ({
  message: a.isMissing
    ? "This state machine has no definition."
    : "The definition of this state machine is not in a local file.",
  hint: a.isMissing
    ? "Write it under `Definition`, or the path of its file."
    : "Write the path of a local file, or select other machines with `--pick`.",
}));

/** A placeholder without a value in a string that cannot be read without it. */
export const unreadablePlaceholder = defineError("WB2825", (a: { name: string }) => ({
  message: `The placeholder \`\${${truncate(a.name)}}\` has no value, so this cannot be read.`,
  hint: givePlaceholder(a.name),
}));

/** A placeholder without a value in a string with which a state computes. */
export const comparedPlaceholder = defineWarning("WB2826", (a: { name: string }) => ({
  message: `The placeholder \`\${${truncate(a.name)}}\` has no value: the state computes with the placeholder itself.`,
  hint: givePlaceholder(a.name),
}));

const givePlaceholder = (name: string): string =>
  `Write its value under \`placeholders\` in the configuration or in the scenario file, such as \`placeholders: { ${truncate(name)}: … }\`.`;

/** An expression of Terraform's own language. */
export const unreadableTerraform = defineError("WB2824", (a: { what: string }) => ({
  message: `${a.what} is written in Terraform's own language, which is not evaluated.`,
  hint: "Render it first: `terraform show -json` prints the definition of a plan.",
}));
