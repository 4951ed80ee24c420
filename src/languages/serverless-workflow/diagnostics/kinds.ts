import { defineError, defineInfo, defineProgramInfo, defineWarning } from "../../../text/diagnostics.ts";
import { didYouMean, truncate } from "../../../text/messages.ts";

// WB21xx: spelling, names and references of Serverless Workflow

/** A workflow without id, name or version. */
export const missingIdentity = defineWarning("WB2103", (a: { name: string; fallback: string }) => ({
  message: `The workflow has no \`${truncate(a.name)}\`; it defaults to \`${truncate(a.fallback)}\`.`,
}));

/** `startsAt`, from an older draft. */
export const outdatedStartsAt = defineWarning("WB2104", (a: { state: string }) => ({
  message: `\`startsAt\` belongs to an older draft; state \`${truncate(a.state)}\` is used as the start state.`,
  hint: "Set `start: { kind: default }` on that state instead.",
}));

/** `startsAt` names an unknown state. */
export const unknownStart = defineError("WB2105", (a: { name: string; known: readonly string[] }) => ({
  message: `Unknown start state \`${truncate(a.name)}\`.`,
  hint: didYouMean(a.name, a.known),
}));

/** A scope with several states has no start state. */
export const noStart = defineError("WB2106", (a: { owner: string }) => ({
  message: `${a.owner} has no start state.`,
  hint: "Set `start: { kind: default }` on the first state.",
}));

/** A second start state. */
export const multipleStarts = defineError("WB2107", (a: { owner: string; state: string; first: string }) => ({
  message: `${a.owner} has two start states, \`${truncate(a.first)}\` and \`${truncate(a.state)}\`.`,
  hint: "Remove `start` from one of them.",
}));

/** The only state is not marked as start. */
export const impliedStart = defineWarning("WB2108", (a: { state: string }) => ({
  message: `State \`${truncate(a.state)}\` is not marked as the start state; it is used because it is the only one.`,
  hint: "Add `start: { kind: default }`.",
}));

/** A name and an id refer to two states. */
export const ambiguousState = defineError("WB2109", (a: { name: string; other: string }) => ({
  message: `\`${truncate(a.name)}\` is both the name of one state and the id of another, \`${truncate(a.other)}\`.`,
  hint: "Rename one of them.",
}));

/** Two states with the same id. */
export const duplicateStateId = defineError("WB2110", (a: { id: string; first: string }) => ({
  message: `Duplicate state id \`${truncate(a.id)}\`; state \`${truncate(a.first)}\` already has it.`,
}));

/** Two branches with the same name. */
export const duplicateBranch = defineError("WB2111", (a: { name: string; state: string }) => ({
  message: `Parallel state \`${truncate(a.state)}\` has two branches named \`${truncate(a.name)}\`.`,
}));

/** An awaited event without a source. */
export const eventWithoutSource = defineWarning("WB2112", (a: { name: string; type: string }) => ({
  message: `Event \`${truncate(a.name)}\` has no \`source\`; it matches events of type \`${truncate(a.type)}\` from any source.`,
}));

/** A function without resource. */
export const functionWithoutResource = defineWarning("WB2113", (a: { name: string }) => ({
  message: `Function \`${truncate(a.name)}\` has no \`resource\`; its location must be supplied at deployment.`,
  hint: "Add `resource`, or bind the function in `waybill.config.yaml`.",
}));

/** A correlation token that is not a CloudEvents attribute. */
export const foldedToken = defineInfo("WB2114", (a: { token: string }) => ({
  message: `Names of CloudEvents attributes contain only lowercase letters and digits; \`${truncate(a.token)}\` is compared case-insensitively.`,
}));

/** An awaited event without correlation. */
export const uncorrelatedEvent = defineInfo("WB2115", (a: { event: string }) => ({
  message: `Event \`${truncate(a.event)}\` has no \`correlationToken\`; if several runs wait for it, the oldest run receives it.`,
}));

// WB31xx: control flow of Serverless Workflow

/** A state with both a transition and an end. */
export const transitionAndEnd = defineError("WB3101", (a: { state: string }) => ({
  message: `State \`${truncate(a.state)}\` has both \`transition\` and \`end\`.`,
  hint: "Keep `transition` to continue with another state, or `end` to end here.",
}));

/** A state without transition and end. */
export const neitherTransitionNorEnd = defineError("WB3102", (a: { state: string }) => ({
  message: `State \`${truncate(a.state)}\` has neither \`transition\` nor \`end\`.`,
  hint: "Add `transition: { nextState: … }` to continue with another state, or `end: { kind: default }` to end here.",
}));

/** A switch state with its own end or transition. */
export const switchTransition = defineError("WB3103", (a: { state: string; name: string }) => ({
  message: `Switch state \`${truncate(a.state)}\` cannot have \`${truncate(a.name)}\`; its conditions and its \`default\` determine the next state.`,
}));

/** A switch state with both kinds of conditions, or none. */
export const switchConditions = defineError("WB3104", (a: { state: string; both: boolean }) => ({
  message: `Switch state \`${truncate(a.state)}\` has ${a.both ? "both" : "neither"} \`dataConditions\` ${a.both ? "and" : "nor"} \`eventConditions\`.`,
  hint: a.both ? "Keep one of them." : "Add one of them.",
}));

/** A data switch without default. */
export const switchWithoutDefault = defineWarning("WB3105", (a: { state: string }) => ({
  message: `Switch state \`${truncate(a.state)}\` has no \`default\`; the run fails with \`NoChoiceMatched\` if no condition is true.`,
  hint: "Add `default: { nextState: … }`.",
}));

/** An event switch without timeout. */
export const switchWithoutTimeout = defineWarning("WB3106", (a: { state: string }) => ({
  message: `Switch state \`${truncate(a.state)}\` has no \`eventTimeout\`; it waits indefinitely if none of its events arrives.`,
  hint: "Add a duration, such as `eventTimeout: PT1H`.",
}));

/** A state type that cannot be retried. */
export const retryNotAllowed = defineError("WB3107", (a: { type: string }) => ({
  message: `States of type \`${truncate(a.type)}\` cannot have \`retry\`; only event, operation, parallel, foreach and callback states can.`,
}));

/** A timeout that is not an error. */
export const silentTimeout = defineInfo("WB3108", (a: { what: string; skipped: string }) => ({
  message: `If ${a.what} times out, the state ends without an error${a.skipped}.`,
  hint: "Pass `--option timeout=fail` to raise the error `Timeout` instead.",
}));

/** A timeout that the state may handle as an error. */
export const handledTimeout = defineInfo("WB3109", (a: { state: string }) => ({
  message: `If the wait times out, \`onError\` of state \`${truncate(a.state)}\` handles the error \`Timeout\` if its condition matches.`,
}));

/** A property without effect; `why` is a clause. */
export const withoutEffect = defineWarning("WB3110", (a: { name: string; why: string }) => ({
  message: `\`${truncate(a.name)}\` has no effect here: ${a.why}.`,
}));

/** A nested parallel state. */
export const nestedParallel = defineWarning("WB3111", (a: { state: string }) => ({
  message: `The draft's schema does not allow parallel state \`${truncate(a.state)}\` inside a branch or a foreach state; Waybill supports it.`,
}));

/** A join count out of range. */
export const invalidJoinCount = defineError("WB3112", (a: { n: number; branches: number }) => ({
  message: `The state waits for ${a.n} ${a.n === 1 ? "branch" : "branches"}, but it has ${a.branches}.`,
  hint: a.branches === 1 ? "Set `n` to 1." : `Set \`n\` to a number from 1 to ${a.branches}.`,
}));

/** A workflow ends before its subflow. */
export const abandonedSubflow = defineInfo("WB3113", (a: { workflow: string }) => ({
  message: `The run ends as soon as \`${truncate(a.workflow)}\` has started; the output and errors of that workflow are ignored.`,
  hint: "Set `waitForCompletion: true` to wait for it.",
}));

/** A scheduled start without schedule. */
export const missingSchedule = defineError("WB3114", (_: object) => ({
  message: "A start of kind `scheduled` requires `schedule`.",
}));

/** An invalid schedule; `message` explains a near miss. */
export const invalidSchedule = defineError("WB3115", (a: { text: string; message: string }) =>
  /^P|\//.test(a.text)
    ? { message: a.message }
    : {
        message: `\`${truncate(a.text)}\` is not an ISO 8601 interval.`,
        hint: "Use `<start>/<end>`, `<start>/<duration>`, `<duration>/<end>` or `<duration>`.",
      },
);

/** A repeating schedule. */
export const repeatingSchedule = defineError("WB3116", (a: { text: string }) => ({
  message: `\`${truncate(a.text)}\` is a repeating interval; a schedule must be a single interval.`,
}));

/** A schedule relative to an unknown deployment. */
export const relativeSchedule = defineError("WB3117", (a: { text: string }) => ({
  message: `\`${truncate(a.text)}\` is relative to the time of deployment, which is unknown.`,
  hint: "Pass `--option deployed=2026-01-01T00:00:00Z`, or add a start to the interval.",
}));

/** An end of kind `event` without event. */
export const endWithoutEvent = defineError("WB3119", (_: object) => ({
  message: "An end of kind `event` requires `produceEvent`.",
}));

/** A retry that repeats without limit. */
export const unlimitedRetry = defineWarning("WB3120", (_: object) => ({
  message: "The interval repeats without a limit and `maxAttempts` is missing; it defaults to 1.",
  hint: "Add `maxAttempts`, or limit the interval, as in `R3/PT5S`.",
}));

/** A numeric multiplier. */
export const numericMultiplier = defineWarning("WB3121", (a: { factor: number }) => ({
  message: `The multiplier ${a.factor} multiplies the interval before each further retry; in this draft, a multiplier is a duration to add.`,
}));

/** A detached subflow that terminates. */
export const detachedTerminate = defineWarning("WB3122", (a: { id: string }) => ({
  message: `Workflow \`${truncate(a.id)}\` has an end of kind \`terminate\`; it ends only the subflow, because this state does not wait for it.`,
}));

// WB41xx: data and expressions of Serverless Workflow

/** A state filter that may select nothing. */
export const unfilteredData = defineProgramInfo("WB4103", (a: { path: string }) => ({
  message: `If \`${truncate(a.path)}\` selects nothing, the data is not filtered.`,
}));

/** A path begins with a name that a filter has selected. */
export const filteredPath = defineWarning("WB4104", (a: { name: string; filter: string }) => ({
  message: `\`${truncate(a.filter)}\` has replaced the data with the value of \`${truncate(a.name)}\`, which is unlikely to contain another \`${truncate(a.name)}\`.`,
}));

/** A result is read where it may be merged and where it may be stored. */
export const ambiguousResultPath = defineWarning("WB4105", (a: { path: string; name: string }) => ({
  message: `If \`${truncate(a.path)}\` selects a value in the result, it is merged as \`${truncate(a.name)}\`; otherwise, the whole result is stored at that path. This workflow reads both.`,
}));

/** An ignored string that should be a path. */
export const ignoredNonPath = defineWarning("WB4106", (a: { text: string; meant?: string | undefined }) => ({
  message: `\`${truncate(a.text)}\` is not a path and is ignored.`,
  hint: a.meant === undefined ? "Start the path with `$`." : `Write \`${a.meant}\`.`,
}));

/** An unassignable path. */
export const unassignablePath = defineWarning("WB4107", (a: { path: string }) => ({
  message: `No value can be stored at \`${truncate(a.path)}\`; if it selects nothing, nothing is merged.`,
  hint: "Use a path of names only, such as `$.order.item`.",
}));

/** A target path with more than names. */
export const invalidTargetPath = defineError("WB4108", (a: { path: string }) => ({
  message: `\`${truncate(a.path)}\` must consist of names only, such as \`$.order.item\`.`,
}));

/** Event data may come from before the filter. */
export const eventDataBeforeFilter = defineInfo("WB4109", (a: { path: string; filter: string }) => ({
  message: `\`${truncate(a.path)}\` is read from the output of the filter \`${truncate(a.filter)}\` or, if it selects nothing there, from the data before the filter.`,
}));

/** A shallow merge that drops members; `others` are further places. */
export const shallowMerges = defineInfo("WB4118", (a: { name: string; dropped: string; others: number }) => ({
  message: `\`${truncate(a.name)}\` is replaced as a whole, without members of the data such as \`${truncate(a.dropped)}\`${
    a.others === 0
      ? ""
      : a.others === 1
        ? "; so is a member in another place"
        : `; so are members in ${a.others} other places`
  }.`,
  hint: "Pass `--option merge=deep` to merge objects recursively.",
}));

/** The undefined operator `custom`. */
export const customOperator = defineError("WB4110", (_: object) => ({
  message: "The language does not define the operator `custom`; this condition cannot be compiled.",
  hint: "Use a standard operator, such as `equals`.",
}));

/** A comparison without a value. */
export const missingOperand = defineError("WB4111", (a: { operator: string }) => ({
  message: `The operator \`${a.operator}\` requires \`value\`.`,
  hint: "Add `value`, the value to compare with.",
}));

/** An order comparison of strings. */
export const stringOrder = defineWarning("WB4112", (a: { value: string }) => ({
  message: `\`${truncate(a.value)}\` is neither a number nor a time; it is compared character by character, and only with strings.`,
  hint: suggestNumber(a.value),
}));

function suggestNumber(value: string): string {
  const [number] = /^-?\d{1,15}(?:\.\d{1,15})?(?=\D|$)/.exec(value.trim()) ?? [];
  return number === undefined
    ? "Write a number without quotes, or a time such as `2020-06-01T00:00:00Z`; use `equals` for other strings."
    : `Write \`${number}\` if the data has numbers, without a unit; use \`equals\` for strings.`;
}

/** A condition that is false for every value; `why` is a clause. */
export const alwaysFalse = defineWarning("WB4113", (a: { why: string }) => ({
  message: `This condition is never true: ${a.why}.`,
}));

/** An expression of a later version; `meant` is the equivalent path. */
export const foreignTemplate = defineWarning("WB4116", (a: { template: string; meant?: string | undefined }) => ({
  message: `\`${truncate(a.template)}\` is an expression of later versions of the language; this draft treats it as plain text.`,
  hint: a.meant === undefined ? undefined : `Write \`${a.meant}\`.`,
}));

/** An iteration without output filter. */
export const unfilteredIteration = defineInfo("WB4115", (a: { state: string }) => ({
  message: `State \`${truncate(a.state)}\` has no output filter; only what the iteration changed is collected.`,
  hint: "Add `stateDataFilter: { dataOutputPath: … }` to select what is collected.",
}));
