import { defineError, defineWarning } from "../../../text/diagnostics.ts";
import { didYouMean, truncate } from "../../../text/messages.ts";

// WB23xx: names and spelling of Function Workflow

/** An array where an object is required. */
export const arrayForObject = defineWarning("WB2301", (a: { key: string }) => ({
  message: `\`${truncate(a.key)}\` is an array; its entries are read as an object keyed by name.`,
  hint: "Write an object whose keys are the names.",
}));

/** A workflow or branch without a start state. */
export const noStart = defineError("WB2302", (a: { owner: string }) => ({
  message: `${a.owner} has no start state.`,
  hint: "Set `start: true` on the first state.",
}));

/** A second start state. */
export const multipleStarts = defineError("WB2303", (a: { owner: string; state: string; first: string }) => ({
  message: `${a.owner} has two start states, \`${truncate(a.first)}\` and \`${truncate(a.state)}\`.`,
  hint: "Remove `start` from one of them.",
}));

/** The only state is not marked as start. */
export const impliedStart = defineWarning("WB2304", (a: { state: string }) => ({
  message: `State \`${truncate(a.state)}\` is not marked as the start state; it is used because it is the only one.`,
  hint: "Add `start: true`.",
}));

/** Paths nested in a `filter`. */
export const nestedFilter = defineWarning("WB2305", (_: object) => ({
  message: "`filter` is not part of this version; its paths apply as if they were one level up.",
  hint: "Move `InputPath`, `ResultPath` and `OutputPath` one level up.",
}));

/** A `name` that differs from its key. */
export const ignoredName = defineWarning("WB2306", (a: { name: string }) => ({
  message: `This name has no effect: the state is called \`${truncate(a.name)}\`.`,
  hint: "Remove it.",
}));

/** A trigger without correlation token. */
export const missingToken = defineWarning("WB2307", (a: { name: string }) => ({
  message: `Event trigger \`${truncate(a.name)}\` has no \`correlation-token\`; if several runs wait for its event, the oldest run receives it.`,
  hint: "Add the path that identifies the run in the event, such as `correlation-token: $.data.order`.",
}));

/** An unknown error code in `retry`. */
export const unknownErrorCode = defineError("WB2308", (a: { code: string; known: readonly string[] }) => ({
  message: `Unknown error code \`${truncate(a.code)}\`.`,
  hint: didYouMean(a.code, a.known),
}));

/** An event expression compares `name`. */
export const eventNameComparison = defineWarning("WB2309", (a: { message: string }) => ({ message: a.message }));

/** Two triggers for the same events. */
export const indistinguishableTriggers = defineError("WB2310", (a: { name: string; first: string }) => ({
  message: `Event triggers \`${truncate(a.first)}\` and \`${truncate(a.name)}\` match the same events.`,
  hint: "Give them different types or sources, or remove one of them.",
}));

// WB33xx: control flow of Function Workflow

/** A state without `next-state`. */
export const missingNext = defineError("WB3301", (a: { state: string }) => ({
  message: `State \`${truncate(a.state)}\` has no \`next-state\` here.`,
  hint: "Add `next-state`. Only a state in a branch may omit it; a workflow ends in an END state.",
}));

/** An END state in a branch. */
export const endInBranch = defineWarning("WB3302", (a: { isFailure: boolean }) => ({
  message: a.isFailure
    ? "The language does not allow END states in branches; this one fails the branch and the workflow."
    : "The language does not allow END states in branches; this one ends only its branch.",
  hint: a.isFailure
    ? "Use a failing END state after the parallel state instead."
    : "Remove `next-state` from the states that lead here.",
}));

/** A timeout without exactly one END state. */
export const timeoutWithoutEndState = defineWarning("WB3303", (a: { count: number }) => ({
  message:
    a.count === 0
      ? "If the events do not arrive in time, the run fails with `SYS.Timeout`: an END state is missing."
      : `If the events do not arrive in time, the run fails with \`SYS.Timeout\`: the ${a.count} END states are ambiguous.`,
}));

/** A `next-state` in a nested rule. */
export const nestedNextState = defineWarning("WB3304", (_: object) => ({
  message: "`next-state` has no effect in a nested rule.",
  hint: "Move it next to the outermost `And`, `Or` or `Not`.",
}));

/** A `next-state` abandons parallel actions. */
export const discardedResults = defineWarning("WB3305", (_: object) => ({
  message: "Going to this state discards the results of the other parallel actions.",
}));

/** An entry of `retry` never applies. */
export const unreachableRetryEntry = defineWarning("WB3306", (_: object) => ({
  message: "This entry never applies: an earlier entry matches everything it matches.",
  hint: "Move it before that entry, or remove it.",
}));

/** An interval without `max-retry`. */
export const unusedInterval = defineWarning("WB3307", (_: object) => ({
  message: "`retry-interval` has no effect: without `max-retry`, the action is not retried.",
  hint: "Add the number of retries, such as `max-retry: 3`.",
}));

/** A timeout of 0. */
export const zeroTimeout = defineWarning("WB3308", (_: object) => ({
  message: "A timeout of 0 means no timeout.",
  hint: "Remove it, or write a number of seconds.",
}));

/** A time that is a string. */
export const timeAsString = defineWarning("WB3309", (a: { text: string; meaning: string }) => ({
  message: `\`${truncate(a.text)}\` is read as ${a.meaning}; in this language, times are whole numbers of seconds.`,
}));

// WB432x: paths and values of Function Workflow

/** A value does not fit its operator. */
export const operandType = defineError("WB4320", (a: { operator: string; value: string | number | boolean }) => ({
  message: a.operator.startsWith("Str")
    ? `\`${a.operator}\` compares strings; ${a.value} is not a string.`
    : a.operator === "EQ"
      ? `\`EQ\` compares numbers and booleans; \`${truncate(String(a.value))}\` is neither.`
      : `\`${a.operator}\` compares numbers; \`${truncate(String(a.value))}\` is not a number.`,
  hint: operandHint(a.operator, a.value),
}));

function operandHint(operator: string, value: string | number | boolean): string | undefined {
  if (typeof value === "boolean") return "Use `EQ` to compare booleans.";
  return operator.startsWith("Str") ? `Use \`${operator.slice(3)}\`.` : `Use \`Str${operator}\`.`;
}

/** A path can select several values. */
export const multipleValues = defineError("WB4321", (a: { path: string; what: string }) => ({
  message: `${a.what} requires a single value, but \`${truncate(a.path)}\` can select several.`,
  hint: "Use a path of names and indexes, such as `$.lines[0].price`.",
}));

/** A result path with more than names. */
export const invalidResultPath = defineError("WB4322", (a: { path: string }) => ({
  message: `\`${truncate(a.path)}\` is not a valid result path: it must consist of names only.`,
  hint: "Write a path such as `$.order.price`.",
}));

// WB0017: definitions of Function Workflow that are nearly JSON

/** A repaired part of near-JSON; `detail` is a sentence. */
export const repairedJson = defineWarning("WB0017", (a: { detail: string }) => ({
  message: a.detail,
  hint: "Run `waybill check --fix` to repair it.",
}));
