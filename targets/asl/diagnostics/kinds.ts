import { defineError, defineInfo, defineProgramInfo, defineWarning } from "../../../src/text/diagnostics.ts";
import { groupDigits, listNames, truncate } from "../../../src/text/messages.ts";

// WB51xx: what the asl target cannot express exactly.

/** A time that is not a whole number of seconds. */
export const aslSeconds = defineError("WB5105", (a: { what: string; seconds: number | undefined }) => ({
  message: `Step Functions counts time in whole seconds, but ${a.what} ${a.seconds === undefined ? "may have a fraction" : `is ${a.seconds} s`}.`,
  hint:
    a.seconds === undefined
      ? "Round it, such as with `floor`."
      : `Write a whole number of seconds, such as ${Math.max(1, Math.round(a.seconds))}.`,
}));

/** A time outside of Step Functions' limits. */
export const aslRange = defineError(
  "WB5106",
  (a: { what: string; seconds: number; least: number; most: number; hint?: string | undefined }) => ({
    message: `Step Functions allows ${a.least} to ${a.most} s for ${a.what}, not ${a.seconds} s.`,
    hint: a.hint,
  }),
);

/** Spaced iterations with limited concurrency. */
export const aslPace = defineError("WB5107", (a: { name: string }) => ({
  message: `Target asl cannot both space the iterations of \`${truncate(a.name)}\` and limit how many run at once: a Map state does not report when an iteration starts.`,
}));

/** A construct without an exact form. */
export const aslInexact = defineError("WB5108", (a: { construct: string; hint?: string | undefined }) => ({
  message: `Amazon States Language has no exact form for ${a.construct}.`,
  hint: a.hint,
}));

/** A definition above Step Functions' size limit. */
export const aslSize = defineError("WB5109", (a: { id: string; bytes: number }) => ({
  message: `The state machine of \`${truncate(a.id)}\` has ${groupDigits(a.bytes)} bytes, more than Step Functions' limit of 1,048,576.`,
  hint: "Move parts of the workflow to subflows.",
}));

/** A retry with delays that Step Functions does not support. */
export const aslBackoff = defineError("WB5110", (a: { detail: string; hint?: string | undefined }) => ({
  message: `Step Functions cannot reproduce the delay of this retry: ${a.detail}.`,
  hint: a.hint,
}));

/** A binding that cannot reproduce the function exactly. */
export const aslInexactBinding = defineError("WB5112", (a: { name: string; reason: string }) => ({
  message: `Target asl cannot call \`${truncate(a.name)}\` exactly with this binding: ${a.reason}.`,
}));

/** A binding that the definition overrides. */
export const aslAlreadyBound = defineWarning(
  "WB5113",
  (a: { name: string; resource: string; workflow: string | undefined }) => ({
    message:
      a.workflow === undefined
        ? `This binding is not used: the definition binds function \`${truncate(a.name)}\` to \`${truncate(a.resource)}\`.`
        : `This binding is not used in workflow \`${truncate(a.workflow)}\`, which binds function \`${truncate(a.name)}\` to \`${truncate(a.resource)}\`.`,
  }),
);

/** An expression evaluated by a generated function. */
export const aslComputed = defineProgramInfo("WB5111", (a: { why: string; file: string }) => ({
  message: `${a.why}: the Lambda function in \`${a.file}\` computes this, which costs one state transition.`,
}));

/** A function that needs no Lambda function. */
export const aslTranslated = defineProgramInfo("WB5115", (a: { isCalled: boolean }) => ({
  message: a.isCalled
    ? "Where its argument has known types, this function is a pure expression, so the state machine evaluates it without a Lambda function."
    : "This function is a pure expression, so the state machine evaluates it without a Lambda function.",
}));

/** A whole error that loses data on AWS. */
export const aslWholeError = defineInfo("WB5116", (a: { part: string }) => ({
  message: `This handler keeps the whole error, whose \`${truncate(a.part)}\` is always null on AWS: Lambda functions report only a name and a message.`,
  hint: "Put what the workflow needs into the error's message.",
}));

/** Functions replaced by Lambda functions. `ways`: how the definition reaches them, such as `by HTTP`. */
export const aslStandIns = defineInfo("WB5114", (a: { names: readonly string[]; ways: readonly string[] }) => {
  const several = a.names.length > 1;
  const ways = a.ways.length > 1 ? `${a.ways.slice(0, -1).join(", ")} and ${a.ways.at(-1)}` : a.ways[0];
  return {
    message: `${listNames(a.names)} ${several ? "are" : "is"} reached ${ways}, so the state machine calls ${several ? "Lambda functions" : "a Lambda function"} instead; the deployment supplies ${several ? "their ARNs" : "its ARN"}.`,
    hint: `Bind ${several ? "them" : "it"} to an AWS resource in the configuration.`,
  };
});

/** Secrets that functions have to resolve. */
export const aslSecrets = defineInfo("WB5128", (a: { file: string }) => ({
  message: `The state machine sends references to secrets; the functions that it calls resolve them with \`${a.file}\`.`,
}));

/** An integration with unknown permissions. */
export const aslPermissions = defineError("WB5117", (a: { name: string; integration: string }) => ({
  message: `The permissions for \`${truncate(a.integration)}\` are unknown, so the template cannot grant them for function \`${truncate(a.name)}\`.`,
  hint: "List them in the configuration, as `actions` next to `integration`.",
}));

/** A loop that only an error leaves. */
export const aslEndless = defineWarning("WB5120", (a: { noun: string; name: string; mayContinue: boolean }) => ({
  message: `No path leads from ${a.noun} \`${truncate(a.name)}\` to an end, but Step Functions limits an execution to 25,000 history events; a call adds five, a delay two.`,
  hint: a.mayContinue
    ? "Set `continue: true`: the loop then continues in new executions."
    : "End the loop after some rounds, and start the workflow again.",
}));

/** A constant collection too large for an execution's history. */
export const aslHistory = defineError("WB5121", (a: { id: string; events: number }) => ({
  message: `No run of \`${truncate(a.id)}\` can finish: it needs at least ${a.events} history events, most of them here, but Step Functions limits an execution to 25,000.`,
  hint: "Process parts of the collection in subflows, whose executions have their own histories.",
}));

/** Workflows whose events are in one partition of the table. */
export const aslOnePartition = defineInfo("WB5124", (a: { ids: readonly string[]; why: string; hint: string }) => ({
  message: `All events and waits of ${listNames(a.ids)} are in one partition of the events table, which limits their rate: ${a.why}.`,
  hint: a.hint,
}));

/** Loops whose concurrency Step Functions limits. */
export const aslConcurrency = defineInfo(
  "WB5126",
  (a: { names: readonly string[]; most: number; hint: string | undefined }) => ({
    message: `Step Functions runs at most ${groupDigits(a.most)} iterations of ${listNames(a.names)} at once.`,
    hint: a.hint,
  }),
);

/** How often a loop may run in one execution. */
export const describeLoop = (a: { name: string; kind: "rounds" | "elements"; most: number }): string =>
  `at most ${groupDigits(a.most)} ${a.kind} of \`${truncate(a.name)}\``;

/** Loops that the definition does not limit; notes are at the others. */
export const aslRounds = defineInfo(
  "WB5127",
  (a: { name: string; kind: "rounds" | "elements"; most: number; mayContinue: boolean }) => ({
    message: `The 25,000 history events of an execution allow ${describeLoop(a)}.`,
    hint:
      a.kind === "elements"
        ? "Process more elements in subflows, whose executions have their own histories, or set `foreach: distributed`."
        : a.mayContinue
          ? "For more rounds, set `continue: true`: the loop then continues in new executions."
          : "For more rounds, start the workflow again with its data.",
  }),
);

/** A loop that cannot continue in new executions. */
export const aslContinuation = defineError("WB5135", (a: { name: string; reason: string }) => ({
  message: `Loop \`${truncate(a.name)}\` cannot continue in a new execution, because ${a.reason}.`,
  hint: "Move the loop to the top level of a workflow that is started without waiting for it, or remove the setting `continue`.",
}));

/** Workflows of one stack have different settings for it. */
export const aslStackConflict = defineError("WB5125", (a: { id: string; first: string; setting: string }) => ({
  message: `\`${truncate(a.id)}\` and \`${truncate(a.first)}\` are deployed as one stack, but their configurations differ in \`${a.setting}\`.`,
  hint: `Use the same \`${a.setting}\` for both, or compile the workflows as separate programs.`,
}));

/** An event that is emitted on one bus and received from another. `emittedOn`: undefined for the default bus. */
export const aslEventBuses = defineError(
  "WB5123",
  (a: { emitted: string; received: string; emittedOn: string | undefined; receivedFrom: string }) => {
    const bus = a.emittedOn === undefined ? "the default bus" : `bus \`${truncate(a.emittedOn)}\``;
    return {
      message: `Event \`${truncate(a.emitted)}\` is put on ${bus}, so \`${truncate(a.received)}\`, which is received from bus \`${truncate(a.receivedFrom)}\`, never gets it.`,
      hint: "Bind both to the same `bus` in the configuration.",
    };
  },
);

/** A construct that Express Workflows lack. */
export const aslExpress = defineError("WB5130", (a: { construct: string }) => ({
  message: `Express Workflows do not support ${a.construct}.`,
  hint: "Remove the setting `type: express`.",
}));

/** A time after which an Express Workflow has ended. */
export const aslExpressTime = defineWarning("WB5131", (a: { what: string; name: string; seconds: number }) => ({
  message: `An Express Workflow ends after 300 s, before ${a.what} \`${truncate(a.name)}\`, ${a.seconds} s.`,
  hint: "Remove the setting `type: express`, or choose a shorter time.",
}));

/** A setting that another one would make effective. `isFlag`: whether it comes from `--set`. */
export const aslUnusedSetting = defineWarning("WB5132", (a: { name: string; needed: string; isFlag: boolean }) => ({
  message: `The setting \`${a.name}\` has no effect without \`${a.needed}\`.`,
  hint: `Set \`${a.needed}\` in the settings of asl, or remove \`${a.isFlag ? "--set asl." : ""}${a.name}\`.`,
}));

/**
 * A workflow with `start: events` whose first state does more than wait for these events. `isFlag`: whether the setting
 * comes from `--set`.
 */
export const aslEventStart = defineError("WB5133", (a: { id: string; isFlag: boolean }) => ({
  message: `\`start: events\` needs a workflow that waits for exactly the events that start it, without conditions and only at its beginning. \`${truncate(a.id)}\` does not.`,
  hint: `Remove ${a.isFlag ? "`--set asl.start=events`" : "the setting `start: events`"}.`,
}));

/** A step that starts a workflow which only events start. */
export const aslStartedByStep = defineError("WB5134", (a: { id: string }) => ({
  message: `\`${truncate(a.id)}\` is started here, but with \`start: events\` only events start it.`,
  hint: "Remove the setting `start: events` of the workflow.",
}));

/** A timer of a workflow whose state machine is generated without a template. */
export const aslTimer = defineWarning("WB5136", (a: { id: string; expression: string }) => ({
  message: `Without \`template\`, only the state machine of \`${truncate(a.id)}\` is generated, and no schedule that starts it.`,
  hint: `Set \`template\` in the settings of asl, or create a schedule \`${a.expression}\` with the input \`{}\`.`,
}));

/** What the conversion of a state machine to JSONata changes. */
export const aslMigrated = defineInfo("WB5138", (a: { id: string; states: readonly string[] }) => ({
  message: `In JSONata, paths and intrinsic functions that find nothing raise \`States.QueryEvaluationError\`: without a handler, the execution fails with it instead of \`States.Runtime\`. As before, no retrier or catcher of \`${truncate(a.id)}\` takes it. States: ${listSome(a.states)}.`,
  hint: "`queryLanguage: keep` leaves the states in JSONPath.",
}));

const listSome = (names: readonly string[]): string => {
  const shown = names.slice(0, maxListed).map((name) => `\`${truncate(name)}\``);
  return [...shown, ...(names.length > maxListed ? [`and ${names.length - maxListed} more`] : [])].join(", ");
};

const maxListed = 20;

/** A setting that has no effect on a machine which is printed as it was written. `isFlag`: whether it comes from `--set`. */
export const aslKeptSetting = defineWarning(
  "WB5137",
  (a: { name: string; id: string; isFlag: boolean; isAsked: boolean }) => ({
    message: `The setting \`${a.name}\` has no effect on \`${truncate(a.id)}\`, which ${a.isAsked ? "`queryLanguage: keep` prints" : "is printed"} as it is.`,
    hint: `Remove \`${a.isFlag ? "--set asl." : ""}${a.name}\`${a.isAsked ? ", or `queryLanguage: keep`" : ""}.`,
  }),
);

/** A machine that is printed as it was written, because of states that read or write items, or of their retries. */
export const aslKeptStates = defineInfo(
  "WB5139",
  (a: { id: string; states: readonly string[]; reason: "items" | "retries" }) => ({
    message: `${a.reason === "items" ? "Step Functions itself reads, counts or writes the items of" : "Converted to JSONata, the machine would wait for parts of seconds to retry"} ${listSome(a.states)}: \`${truncate(a.id)}\` is printed as it is, in its own query language.`,
  }),
);
