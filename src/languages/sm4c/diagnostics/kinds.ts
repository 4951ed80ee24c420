import { clip } from "../../../text/clip.ts";
import { defineError, defineWarning } from "../../../text/diagnostics.ts";
import { didYouMean } from "../../../text/suggest.ts";

// WB24xx: names of SM4C, and files that definitions name

/** A handler names a retry policy that there is not. */
export const unknownRetry = defineError("WB2401", (a: { name: string; known: Iterable<string> }) => ({
  message: `There is no retry policy named \`${clip(a.name)}\`.`,
  hint: didYouMean(a.name, a.known) ?? "Define it under `retries`.",
}));

/** Two names differ in case only. */
export const sameInOtherCase = defineError("WB2402", (a: { noun: string; name: string; other: string }) => ({
  message: `\`${clip(a.name)}\` is the same name as \`${clip(a.other)}\`: case does not count in names of ${a.noun === "retry policy" ? "retry policies" : `${a.noun}s`}.`,
  hint: "Give one of them another name.",
}));

/** The file that definitions are in cannot be read. */
export const unreadableDefinitions = defineError("WB2403", (a: { key: string; uri: string; reason: string }) => ({
  message: `The ${a.key} in \`${clip(a.uri)}\` cannot be read: ${a.reason}.`,
  hint: "Name a file beside this one, or write the definitions here.",
}));

/** Files of definitions name each other in a circle. */
export const circularDefinitions = defineError("WB2404", (a: { cycle: readonly string[] }) => ({
  message: `These files name each other in a circle: ${circle(a.cycle)}.`,
}));

/** A file has no definitions where some are looked for. */
export const noDefinitions = defineError("WB2405", (a: { key: string; uri: string }) => ({
  message: `There are no ${a.key} in \`${clip(a.uri)}\`: it has to be a list of them, or an object with \`${a.key}\`.`,
}));

/** The document that a function is described by cannot be read. */
export const unreadableDocument = defineWarning("WB2406", (a: { what: string; uri: string; reason: string }) => ({
  message: `The ${a.what} \`${clip(a.uri)}\` cannot be read: ${a.reason}.`,
  hint: "Until it can, the configuration has to say where the function is.",
}));

/** The operation of a function is not written as those of its type are. */
export const unusableOperation = defineError("WB2407", (a: { operation: string; wanted: string; type: string }) => ({
  message: `\`${clip(a.operation)}\` is no operation of a function of the type \`${a.type}\`: it has to be ${a.wanted}.`,
}));

/** The document of a function has no such operation, or one that cannot be called. */
export const missingOperation = defineError(
  "WB2408",
  (a: { noun: string; name: string; uri: string; known: Iterable<string> }) => ({
    message: `There is no ${a.noun} \`${clip(a.name)}\` in \`${clip(a.uri)}\`.`,
    hint: didYouMean(a.name, a.known),
  }),
);

/** Functions of the type `expression` come back to themselves. */
export const circularFunction = defineError("WB2409", (a: { cycle: readonly string[] }) => ({
  message: `These functions refer to each other in a circle: ${circle(a.cycle)}.`,
}));

/** A context attribute has a name that no further attribute of an event can have. */
export const attributeName = defineError("WB2410", (a: { attribute: string; isTaken: boolean }) => ({
  message: a.isTaken
    ? `Events have the attribute \`${clip(a.attribute)}\` already, from their definition or by themselves.`
    : `\`${clip(a.attribute)}\` cannot be the name of an attribute: those are of letters and digits.`,
  hint: a.isTaken ? "Give it another name, or put the value into the data of the event." : undefined,
}));

/** Two results of one action have the same name. */
export const duplicateResult = defineError("WB2411", (a: { name: string }) => ({
  message: `There is another action named \`${clip(a.name)}\` here; the result of this one would take its place.`,
  hint: "Give it another name.",
}));

/** The operation of a document cannot be called. */
export const uncallableOperation = defineWarning("WB2412", (a: { name: string; reason: string }) => ({
  message: `\`${clip(a.name)}\` cannot be called as its document says: ${a.reason}.`,
  hint: "The configuration has to say where the function is.",
}));

// WB34xx: control flow of SM4C

/** No state is the first one. */
export const noStart = defineError("WB3401", (_: object) => ({
  message: "None of the states is the first one.",
  hint: 'Write `"start": true` in the state in which a run begins.',
}));

/** Several states are the first one. */
export const severalStarts = defineError("WB3402", (_: object) => ({
  message: "A run begins in one state, and another one has `start` already.",
  hint: "Leave `start` out of one of them.",
}));

/** A transition has two reasons to be taken. */
export const mixedTransition = defineError("WB3403", (a: { first: string; second: string }) => ({
  message: `A transition with \`${a.first}\` and \`${a.second}\` is never taken: each kind of transition is looked for by itself.`,
  hint: mixedRemedy(a),
}));

const mixedRemedy = ({ first, second }: { readonly first: string; readonly second: string }): string => {
  if (second === "timeout" && first === "eventGroups")
    return "Write two transitions: one with `eventGroups`, one with `timeout`.";
  if (second === "eventGroups") return "Put the condition into the event group, or lead to a state that looks at it.";
  return "Lead to a state that looks at the condition, or waits.";
};

/** A second transition that is taken at once. */
export const secondImplicit = defineError("WB3404", (_: object) => ({
  message: "Two transitions of a state cannot both be taken at once.",
  hint: "Give each of them a `condition`.",
}));

/** A transition beside one that is taken at once. */
export const besideImplicit = defineWarning("WB3405", (_: object) => ({
  message: "This transition is never looked at: one without a condition is taken whatever else there is.",
  hint: `For "else", write the condition \`\${ true }\` there.`,
}));

/** A second timeout of one state. */
export const secondTimeout = defineError("WB3406", (_: object) => ({
  message: "A state waits for one time only, and another transition has a `timeout` already.",
}));

/** A transition that would be taken at once, and leads nowhere. */
export const leadsNowhere = defineError("WB3407", (_: object) => ({
  message: "This transition leads nowhere: it would be taken again and again, without an end.",
  hint: "Write the `nextState`, or when it is to be taken.",
}));

/** A join that can never be reached, or is reached by nothing. */
export const joinOutOfReach = defineError("WB3408", (a: { n: number | undefined; count: number }) => ({
  message:
    a.n === undefined
      ? "`n_of_m` needs `n`, how many of the actions have to end."
      : a.n < 1
        ? "`n` is at least 1: with fewer the action would end before it begins."
        : `\`n\` is ${a.n}, and there ${a.count === 1 ? "is 1 action" : `are ${a.count} actions`}.`,
}));

/** A field that does nothing where it stands. */
export const withoutEffect = defineWarning("WB3409", (a: { key: "n" | "errorHandlers" }) => ({
  message:
    a.key === "n"
      ? "`n` has no effect: it counts only where `completionType` is `n_of_m`."
      : "`errorHandlers` have no effect: a delay does not fail.",
  hint: a.key === "n" ? "Leave it out, or say `completionType: n_of_m`." : "Leave them out.",
}));

/** A transition that waits for the same events as one before it. */
export const repeatedEvents = defineWarning("WB3410", (_: object) => ({
  message: "This transition is never taken: one before it waits for the same events.",
}));

/** A timeout of something that nobody waits for. */
export const timeoutIgnored = defineWarning("WB3411", (_: object) => ({
  message: "`timeout` has no effect: nothing waits for this action.",
  hint: 'Write `"waitForCompletion": true`.',
}));

/** Arguments of a function that takes none. */
export const argumentsIgnored = defineWarning("WB3412", (a: { name: string }) => ({
  message: `\`arguments\` has no effect: function \`${clip(a.name)}\` is an expression, which sees the data.`,
}));

// WB45xx: jq and data of SM4C

/** A text that is to be jq is not in braces. */
export const noExpression = defineError("WB4501", (a: { text: string }) => ({
  message: `\`${clip(a.text)}\` is no expression: jq stands in braces.`,
  hint: `Write \`\${ ${clip(a.text.trim())} }\`.`,
}));

/** The engine asks for spaces within the braces. */
export const crampedBraces = defineWarning("WB4502", (_: object) => ({
  message: "Braces of an expression have a space behind the first and before the last: other engines do not read this.",
}));

/** What a handler gives is no object, or likely none. */
export const handlerWithoutObject = defineWarning("WB4503", (a: { isSure: boolean }) => ({
  message: a.isSure
    ? "What this handler gives becomes the data, and it is no object: the run fails."
    : "What this handler gives becomes the data as a whole.",
  hint: "To write a member, write `.member += $value`, or `.member = $value`.",
}));

/** Braces in an argument that stand for themselves. */
export const argumentStands = defineWarning("WB4504", (a: { isNested: boolean }) => ({
  message: a.isNested
    ? "The braces in this value stand for themselves: only texts directly under `arguments` are evaluated."
    : "The braces in this text stand for themselves: only a text that is an expression as a whole is evaluated.",
  hint: a.isNested
    ? `Make the whole value by an expression: \`\${ { a: .b } }\`.`
    : `Make the whole text by an expression: \`\${ "…\\(.a)…" }\`.`,
}));

/** A condition that gives no single value. */
export const neverOneValue = defineWarning("WB4505", (a: { count: "none" | "many" }) => ({
  message:
    a.count === "none"
      ? "This gives no result, which is an empty array, and never `true`."
      : "This may give several results: they are an array, which is never `true`.",
  hint: "Let it give one result, such as `any(.list[]; . > 1)`.",
}));

/** A wait grows in two ways. */
export const bothGrowths = defineError("WB4506", (_: object) => ({
  message: "A wait grows by `increment` or by `multiplier`, and not by both.",
  hint: "Leave one of them out.",
}));

/** A jitter that is no fraction. */
export const jitterBeyond = defineError("WB4507", (a: { jitter: number }) => ({
  message: `A jitter that is a number is a fraction from 0 to 1, and not ${a.jitter}.`,
  hint: "A time is written as a timespan: `00:00:02`.",
}));

/** A function reads `$value` where there is none. */
export const noValueHere = defineError("WB4508", (a: { name: string }) => ({
  message: `Function \`${clip(a.name)}\` reads \`$value\`, which only handlers have.`,
}));

const circle = (names: readonly string[]): string => names.map((name) => `\`${clip(name)}\``).join(" → ");
