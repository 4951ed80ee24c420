import { defineError, defineInfo, defineWarning } from "../../../text/diagnostics.ts";
import { didYouMean, listNames, truncate } from "../../../text/messages.ts";

// WB27xx: versions, names and references

/** A definition without `specVersion: '0.8'`. */
export const wrongSpecVersion = defineWarning("WB2701", (a: { written: string | undefined }) => ({
  message:
    a.written === undefined
      ? "This definition has no `specVersion`; it is read as 0.8."
      : `\`${truncate(a.written)}\` is not the version of this definition; it is read as 0.8.`,
  hint: "Write `specVersion: '0.8'`.",
}));

/** A definition in 0.7. */
export const olderVersion = defineInfo("WB2702", (_: object) => ({
  message: "This definition is in 0.7; it is read as 0.8, which only adds to 0.7.",
}));

/** A resource and its workflow have different names or versions. */
export const disagreeingName = defineWarning("WB2703", (a: { name: string; other: string }) => ({
  message: `The \`${a.name}\` of the resource, \`${truncate(a.other)}\`, is another.`,
  hint: "Remove it from the workflow, or write the same value.",
}));

/** A number where a string is needed. */
export const numberAsText = defineWarning("WB2704", (a: { name: string; text: string }) => ({
  message: `\`${a.name}\` is a string: this is read as \`'${truncate(a.text)}'\`.`,
  hint: `Write \`'${truncate(a.text)}'\`.`,
}));

/** No id. */
export const missingIdentity = defineWarning("WB2705", (a: { fallback: string }) => ({
  message: `The workflow has no \`id\`; its id is \`${truncate(a.fallback)}\`, the name of the file.`,
  hint: "Add `id`.",
}));

/** Two definitions of one name. */
export const duplicateName = defineError("WB2706", (a: { noun: string; name: string }) => ({
  message: `There is already a ${a.noun} \`${truncate(a.name)}\`.`,
  hint: "Rename one of them.",
}));

/** A transition to an id. */
export const stateById = defineError("WB2707", (a: { id: string; name: string }) => ({
  message: `\`${truncate(a.id)}\` is the id of a state; transitions refer to names.`,
  hint: `Write \`${truncate(a.name)}\`.`,
}));

/** A function without an operation. */
export const missingOperationText = defineError("WB2708", (a: { name: string }) => ({
  message: `Function \`${truncate(a.name)}\` has no \`operation\`.`,
  hint: "Write `<OpenAPI document>#<operationId>`, or `type: custom` for a function that is bound in the configuration.",
}));

/** Marks of SonataFlow in a definition that is read by the specification. */
export const optionForSonataflow = defineInfo("WB2709", (_: object) => ({
  message: "This is written for SonataFlow; the definition is read as the specification says.",
  hint: "Set the option `dialect=sonataflow` to read it as SonataFlow does.",
}));

/** A name that is not defined. */
export const unknownName = defineError(
  "WB2710",
  (a: { noun: string; name: string; known: Iterable<string>; under: string }) => ({
    message: `Unknown ${a.noun} \`${truncate(a.name)}\`.`,
    hint: didYouMean(a.name, a.known) ?? `Define it under \`${a.under}\`.`,
  }),
);

/** A property that is not supported. */
export const unsupportedProperty = defineError("WB2711", (a: { name: string; hint: string }) => ({
  message: `\`${a.name}\` is not supported.`,
  hint: a.hint,
}));

/** The schema of SonataFlow's extension in a definition for the specification. */
export const outputSchemaOfSonataflow = defineInfo("WB2712", () => ({
  message: "The schema in `workflow-output-schema` is not enforced: the extension is SonataFlow's.",
  hint: "For SonataFlow's rules, set the option `dialect: sonataflow`.",
}));

/** A subflow of another version. */
export const subflowVersion = defineError("WB2713", (a: { name: string; version: string; wanted: string }) => ({
  message: `Workflow \`${truncate(a.name)}\` has the version \`${truncate(a.version)}\`, not \`${truncate(a.wanted)}\`.`,
  hint: "Write the version of the workflow, or remove `version`.",
}));

/** A property that is only for other tools. */
export const ignoredProperty = defineInfo("WB2714", (a: { name: string; why: string; hint?: string | undefined }) => ({
  message: `\`${truncate(a.name)}\` is ignored: ${a.why}.`,
  hint: a.hint,
}));

// WB37xx: control flow

/** A switch with both kinds of conditions, or none. */
export const switchConditions = defineError("WB3701", (a: { state: string; both: boolean }) => ({
  message: a.both
    ? `Switch state \`${truncate(a.state)}\` has both \`dataConditions\` and \`eventConditions\`.`
    : `Switch state \`${truncate(a.state)}\` has no conditions.`,
  hint: a.both ? "Use one of them." : "Add `dataConditions` or `eventConditions`.",
}));

/** A switch without a default. */
export const switchWithoutDefault = defineWarning("WB3702", (a: { state: string }) => ({
  message: `Switch state \`${truncate(a.state)}\` has no \`defaultCondition\`: without a match it fails with \`NoChoiceMatched\`.`,
  hint: "Add `defaultCondition`.",
}));

/** A property that has no effect. */
export const noEffect = defineWarning("WB3703", (a: { name: string; why: string }) => ({
  message: `\`${truncate(a.name)}\` has no effect: ${a.why}.`,
  hint: "Remove it.",
}));

/** An action with none or several of its references. */
export const actionReferences = defineError("WB3704", (a: { count: number }) => ({
  message:
    a.count === 0
      ? "An action has a `functionRef`, an `eventRef` or a `subFlowRef`."
      : "An action has only one of `functionRef`, `eventRef` and `subFlowRef`.",
  hint: a.count === 0 ? "Add one of them." : "Write two actions.",
}));

/** A handler that an earlier one shadows. */
export const shadowedHandler = defineWarning("WB3705", (a: { names: readonly string[] }) => ({
  message: `An earlier handler takes ${listNames(a.names)}.`,
  hint: "Remove this handler, or move it before the other.",
}));

/** `errorRef: "*"`. */
export const anyError = defineWarning("WB3706", (_: object) => ({
  message: "`*` is not defined under `errors`; it is read as any error.",
  hint: "Define an error and name it here.",
}));

/** A retry policy with one retry. */
export const singleAttempt = defineInfo("WB3707", (_: object) => ({
  message: "`maxAttempts: 1` is one retry: two attempts at most.",
}));

/** Retries without a definition. */
export const unlimitedRetries = defineWarning("WB3708", (_: object) => ({
  message: "With `autoRetries`, actions without `retryRef` are retried until they succeed.",
  hint: "Add `retryRef` to the actions.",
}));

/** A state that does not satisfy the rules of compensation. */
export const compensationRule = defineError("WB3709", (a: { state: string; rule: string }) => ({
  message: `\`${truncate(a.state)}\` ${a.rule}.`,
  hint: "A compensation is a chain of states with `usedForCompensation: true`.",
}));

/** An invalid schedule. */
export const invalidSchedule = defineError("WB3710", (a: { message: string }) => ({ message: a.message }));

/** An interval without a repetition. */
export const windowSchedule = defineWarning("WB3711", (_: object) => ({
  message: "This interval does not repeat: it creates no runs, and runs can begin only within it.",
  hint: "Write `R/` and a duration, such as `R/PT15M`, for runs at intervals.",
}));

/** A transition and an end, or neither. */
export const exitCount = defineError("WB3712", (a: { state: string; both: boolean }) => ({
  message: a.both
    ? `\`${truncate(a.state)}\` has a \`transition\` and an \`end\` at one place.`
    : `\`${truncate(a.state)}\` has neither a \`transition\` nor an \`end\` here.`,
  hint: a.both ? "Remove one of them." : "Add `end: true`, or a `transition`.",
}));

/** A value that is not a valid number. */
export const invalidNumber = defineError("WB3713", (a: { name: string; wanted: string }) => ({
  message: `\`${a.name}\` must be ${a.wanted}.`,
}));

/** What SonataFlow does not do. */
export const ignoredBySonataflow = defineWarning("WB3714", (a: { name: string; why: string }) => ({
  message: `\`${a.name}\` has no effect: SonataFlow ${a.why}.`,
  hint: "Set the option `dialect=spec`, or remove it.",
}));

/** What SonataFlow does otherwise. */
export const otherInSonataflow = defineInfo("WB3715", (a: { here: string; there: string }) => ({
  message: `${a.here}; SonataFlow ${a.there}.`,
}));

// WB47xx: data, expressions and events

/** Expressions without `${ }`. */
export const bareExpressions = defineInfo("WB4701", (_: object) => ({
  message: `Expressions in this file have no \`\${ }\`, which the specification requires.`,
}));

/** A single word that is a function of jq. */
export const wordAsExpression = defineWarning("WB4702", (a: { word: string }) => ({
  message: `\`${a.word}\` is a function of jq, and is evaluated.`,
  hint: `Write \`"${a.word}"\`, in double quotes within the string, for the text.`,
}));

/** An unclosed expression. */
export const unclosedExpression = defineError("WB4703", (_: object) => ({
  message: `\`\${\` has no closing \`}\` at the end of the string.`,
  hint: "Add `}`.",
}));

/** An expression with several results. */
export const severalOutputs = defineWarning("WB4704", (_: object) => ({
  message: "This expression can have several results; only the first one counts.",
  hint: "Write `[ … ]` around it for an array.",
}));

/** A `toStateData` that is not a path. */
export const invalidStatePath = defineError("WB4705", (a: { text: string }) => ({
  message: `\`${truncate(a.text)}\` is not a path in the data.`,
  hint: "Write a path such as `.order.items`; use `results` to compute the value.",
}));

/** An expression instead of a name. */
export const parameterExpression = defineWarning("WB4706", (a: { name: string }) => ({
  message: `\`iterationParam\` is a name: this is read as \`${truncate(a.name)}\`.`,
  hint: `Write \`${truncate(a.name)}\`.`,
}));

/** Results of iterations that are not kept. */
export const droppedResults = defineInfo("WB4707", (_: object) => ({
  message: "Without `outputCollection`, the results of the iterations are dropped.",
}));

/** A wait for an event without correlation. */
export const uncorrelatedEvent = defineWarning("WB4708", (a: { name: string }) => ({
  message: `Event \`${truncate(a.name)}\` has no \`correlation\`: the run that began first takes it.`,
  hint: "Add `correlation` to the event.",
}));

/** Events with different correlation attributes. */
export const mixedCorrelation = defineError("WB4709", (a: { events: readonly string[] }) => ({
  message: `The events ${listNames(a.events)} have different correlation attributes without values.`,
  hint: "Write the same attributes in all events, or give the others a `contextAttributeValue`.",
}));

/** A variable that does not exist here. */
export const unavailableVariable = defineError("WB4710", (a: { name: string; hint: string | undefined }) => ({
  message: `\`${truncate(a.name)}\` is not available here.`,
  hint: a.hint,
}));

/** A string that looks like an expression but is not evaluated. */
export const notEvaluated = defineWarning("WB4711", (a: { text: string; hint: string }) => ({
  message: `\`${truncate(a.text)}\` is not evaluated: it is plain text.`,
  hint: a.hint,
}));

/** An event of the other kind. */
export const eventKind = defineWarning("WB4712", (a: { name: string; isProduced: boolean }) => ({
  message: a.isProduced
    ? `A state waits for \`${truncate(a.name)}\`, whose \`kind\` is \`produced\`.`
    : `The workflow produces \`${truncate(a.name)}\`, whose \`kind\` is not \`produced\`.`,
  hint: a.isProduced ? "Remove `kind`, or define another event." : "Write `kind: produced`.",
}));
