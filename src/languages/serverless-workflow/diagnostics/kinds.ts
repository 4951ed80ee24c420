import { clip } from "../../../text/clip.ts";
import { defineError, defineInfo, defineWarning } from "../../../text/diagnostics.ts";
import { didYouMean } from "../../../text/suggest.ts";

// WB21xx: spelling, names and references of Serverless Workflow

/** The workflow lacks its id, name or version. */
export const missingIdentity = defineWarning("WB2103", (a: { name: string; fallback: string }) => ({
  message: `The workflow has no \`${clip(a.name)}\`; \`${clip(a.fallback)}\` is taken.`,
}));

/** `startsAt`, which an older draft had. */
export const startsAt = defineWarning("WB2104", (a: { state: string }) => ({
  message: `\`startsAt\` is no property of this draft; state \`${clip(a.state)}\` is taken for the start state.`,
  hint: "Give that state `start: { kind: default }`.",
}));

/** `startsAt` names no state. */
export const unknownStart = defineError("WB2105", (a: { name: string; known: readonly string[] }) => ({
  message: `There is no state \`${clip(a.name)}\` to start at.`,
  hint: didYouMean(a.name, a.known),
}));

/** Nothing says where a workflow, a branch or an iteration begins. */
export const noStart = defineError("WB2106", (a: { owner: string }) => ({
  message: `${a.owner} has no start state.`,
  hint: "Give the first state `start: { kind: default }`.",
}));

/** A second start state. */
export const severalStarts = defineError("WB2107", (a: { owner: string; state: string; first: string }) => ({
  message: `${a.owner} has two start states, \`${clip(a.first)}\` and \`${clip(a.state)}\`.`,
  hint: "Keep `start` in one of them.",
}));

/** The only state starts although nothing says so. */
export const impliedStart = defineWarning("WB2108", (a: { state: string }) => ({
  message: `State \`${clip(a.state)}\` is not marked as the start state; it is taken for it because it is the only one.`,
  hint: "Give it `start: { kind: default }`.",
}));

/** A transition names two states. */
export const ambiguousState = defineError("WB2109", (a: { name: string; other: string }) => ({
  message: `\`${clip(a.name)}\` is the name of one state and the id of another, \`${clip(a.other)}\`.`,
}));

/** Two states have the same id. */
export const duplicateStateId = defineError("WB2110", (a: { id: string; first: string }) => ({
  message: `The id \`${clip(a.id)}\` is already that of state \`${clip(a.first)}\`.`,
}));

/** Two branches have the same name. */
export const duplicateBranch = defineError("WB2111", (a: { name: string; state: string }) => ({
  message: `The parallel state \`${clip(a.state)}\` has two branches named \`${clip(a.name)}\`.`,
}));

/** An event that is waited for has no source. */
export const eventWithoutSource = defineWarning("WB2112", (a: { name: string; type: string }) => ({
  message: `Event \`${clip(a.name)}\` has no \`source\`: an event of type \`${clip(a.type)}\` from anywhere is taken for it.`,
}));

/** A function has no resource. */
export const functionWithoutResource = defineWarning("WB2113", (a: { name: string }) => ({
  message: `Function \`${clip(a.name)}\` has no \`resource\`; where it lives has to be said when the output is deployed.`,
}));

/** A correlation token that CloudEvents would not allow. */
export const foldedToken = defineInfo("WB2114", (a: { token: string }) => ({
  message: `Names of CloudEvents attributes have only lower-case letters and digits; \`${clip(a.token)}\` is compared without regard to case.`,
}));

/** A state waits for an event that any run could take. */
export const uncorrelatedEvent = defineInfo("WB2115", (a: { event: string }) => ({
  message: `Event \`${clip(a.event)}\` has no \`correlationToken\`: of several runs that wait for it, the oldest gets it.`,
}));

// WB31xx: control flow of Serverless Workflow

/** A state goes on and ends. */
export const transitionAndEnd = defineError("WB3101", (a: { state: string }) => ({
  message: `State \`${clip(a.state)}\` has both \`transition\` and \`end\`.`,
  hint: "Keep `transition` to go on, or `end` to end there.",
}));

/** A state neither goes on nor ends. */
export const neitherTransitionNorEnd = defineError("WB3102", (a: { state: string }) => ({
  message: `State \`${clip(a.state)}\` has neither \`transition\` nor \`end\`.`,
  hint: "Write `end: { kind: default }` to end there, or a `transition` with the `nextState`.",
}));

/** A switch state ends, or goes on whatever its conditions say. */
export const switchGoesOn = defineError("WB3103", (a: { state: string; name: string }) => ({
  message: `Switch state \`${clip(a.state)}\` has \`${clip(a.name)}\`; it can only go where its conditions and its \`default\` lead.`,
}));

/** A switch state has conditions of both kinds, or of none. */
export const switchConditions = defineError("WB3104", (a: { state: string; both: boolean }) => ({
  message: `Switch state \`${clip(a.state)}\` has ${a.both ? "both" : "neither"} \`dataConditions\` ${a.both ? "and" : "nor"} \`eventConditions\`.`,
}));

/** A switch state may find no match. */
export const switchWithoutDefault = defineWarning("WB3105", (a: { state: string }) => ({
  message: `Switch state \`${clip(a.state)}\` has no \`default\`: the run fails with \`NoChoiceMatched\` when none of its conditions holds.`,
  hint: "Write a `default` with a `transition` or an `end`.",
}));

/** A switch state may wait for ever. */
export const switchWithoutTimeout = defineWarning("WB3106", (a: { state: string }) => ({
  message: `Switch state \`${clip(a.state)}\` has no \`eventTimeout\`: it waits until one of its events comes.`,
}));

/** A state of this kind cannot be tried again. */
export const retryNotAllowed = defineError("WB3107", (a: { type: string }) => ({
  message: `States of type \`${clip(a.type)}\` cannot have \`retry\`; only event, operation, parallel, foreach and callback states can.`,
}));

/** A timeout that nobody notices. */
export const silentTimeout = defineInfo("WB3108", (a: { what: string }) => ({
  message: `When ${a.what} times out the state goes on as if nothing had happened.`,
  hint: "With `--option timeout=fail` it is the error `Timeout`.",
}));

/** A timeout that is an error because the state handles it. */
export const handledTimeout = defineInfo("WB3109", (a: { state: string }) => ({
  message: `When the event does not come in time, the error \`Timeout\` goes to the \`onError\` of state \`${clip(a.state)}\` if that takes it.`,
}));

/** Something that means nothing where it stands. */
export const withoutEffect = defineWarning("WB3110", (a: { name: string; why: string }) => ({
  message: `\`${clip(a.name)}\` has no effect here: ${a.why}.`,
}));

/** A parallel state where the draft's schema has none. */
export const nestedParallel = defineWarning("WB3111", (a: { state: string }) => ({
  message: `The draft's schema does not allow a parallel state such as \`${clip(a.state)}\` inside a branch or an iteration; it is taken as it is meant.`,
}));

/** A join that can never be reached, or is at once. */
export const unreachableJoin = defineError("WB3112", (a: { n: number; branches: number }) => ({
  message: `The state waits for ${a.n} of its branches; it has ${a.branches}.`,
  hint: a.branches === 1 ? "`n` can only be 1." : `\`n\` is a number from 1 to ${a.branches}.`,
}));

/** A workflow ends while the subflow that it started goes on. */
export const abandonedSubflow = defineInfo("WB3113", (a: { workflow: string }) => ({
  message: `The run ends when it has started \`${clip(a.workflow)}\`, and knows nothing of what comes of it.`,
  hint: "Write `waitForCompletion: true` to wait for it.",
}));

/** A scheduled start without a schedule. */
export const missingSchedule = defineError("WB3114", (_: object) => ({
  message: "A start of kind `scheduled` needs `schedule`.",
}));

/** A schedule that is no stretch of time. `problem` is what is wrong with it if it was meant for an ISO 8601 interval. */
export const unreadableSchedule = defineError("WB3115", (a: { text: string; problem: string }) =>
  /^P|\//.test(a.text)
    ? { message: a.problem }
    : {
        message: `\`${clip(a.text)}\` is not an ISO 8601 interval.`,
        hint: "Write `<start>/<end>`, `<start>/<duration>`, `<duration>/<end>` or `<duration>`.",
      },
);

/** A schedule that repeats. */
export const repeatingSchedule = defineError("WB3116", (a: { text: string }) => ({
  message: `\`${clip(a.text)}\` repeats; a schedule is one stretch of time in which runs may start.`,
}));

/** A schedule that counts from nowhere. */
export const floatingSchedule = defineError("WB3117", (a: { text: string }) => ({
  message: `\`${clip(a.text)}\` counts from the deployment, and when that is has not been said.`,
  hint: "Say it with `--option deployed=2026-01-01T00:00:00Z`.",
}));

/** An end with an event that names none. */
export const endWithoutEvent = defineError("WB3119", (_: object) => ({
  message: "An end of kind `event` needs `produceEvent`.",
}));

/** A retry that would go on for ever. */
export const endlessRetry = defineWarning("WB3120", (_: object) => ({
  message: "The interval repeats without end and there is no `maxAttempts`; its default, 1, counts.",
}));

/** A multiplier that is a number. */
export const numericMultiplier = defineWarning("WB3121", (a: { factor: number }) => ({
  message: `In this draft a multiplier is a duration that is added; the number ${a.factor} multiplies the interval before each further retry.`,
}));

/** A subflow that nobody waits for ends itself by a terminate. */
export const terminatesAlone = defineWarning("WB3122", (a: { id: string }) => ({
  message: `Workflow \`${clip(a.id)}\` has an end of kind \`terminate\`; as nothing waits for it here, that ends only the subflow.`,
}));

// WB41xx: data and expressions of Serverless Workflow

/** A state filter that may leave everything as it is. */
export const unfilteredData = defineInfo("WB4103", (a: { path: string }) => ({
  message: `Where \`${clip(a.path)}\` selects nothing, the data stays as it is.`,
}));

/** A path goes into what a filter has already taken out. */
export const filteredAway = defineWarning("WB4104", (a: { name: string; filter: string }) => ({
  message: `\`${clip(a.filter)}\` has replaced the data by the value of \`${clip(a.name)}\`, in which another \`${clip(a.name)}\` is unlikely.`,
}));

/** A result is read both from where it is merged and from where it is placed. */
export const doublePlace = defineWarning("WB4105", (a: { path: string; name: string }) => ({
  message: `What \`${clip(a.path)}\` selects in the result is merged as \`${clip(a.name)}\`; only if it selects nothing is the result placed there. This workflow reads both.`,
}));

/** A text that should be a path and is ignored. */
export const ignoredText = defineWarning("WB4106", (a: { text: string; meant?: string | undefined }) => ({
  message: `\`${clip(a.text)}\` is no path; it is ignored.`,
  hint: a.meant === undefined ? "A path begins with `$`." : `Write \`${a.meant}\`.`,
}));

/** A path at which nothing can be placed. */
export const unplaceable = defineWarning("WB4107", (a: { path: string }) => ({
  message: `Nothing can be placed at \`${clip(a.path)}\`; where it selects nothing, nothing is merged.`,
}));

/** A path that must be a place and is none. */
export const placeNeeded = defineError("WB4108", (a: { path: string }) => ({
  message: `\`${clip(a.path)}\` has to name one place in the data, such as \`$.order.item\`.`,
}));

/** The data of an event may come from before the filter. */
export const eventDataBeforeFilter = defineInfo("WB4109", (a: { path: string; filter: string }) => ({
  message: `\`${clip(a.path)}\` is looked for in what \`${clip(a.filter)}\` leaves, and where that does not have it, in the data before the filter.`,
}));

/** An operator whose meaning only metadata tells. */
export const customOperator = defineError("WB4110", (_: object) => ({
  message: "The operator `custom` has no meaning in the language; this condition cannot be compiled.",
}));

/** A comparison with nothing. */
export const missingOperand = defineError("WB4111", (a: { operator: string }) => ({
  message: `The operator \`${a.operator}\` needs \`value\`.`,
  hint: "Write `value` beside it, with what the other side is compared with.",
}));

/** An order of texts. */
export const textOrder = defineWarning("WB4112", (a: { value: string }) => ({
  message: `\`${clip(a.value)}\` is neither a number nor a time; it is compared character by character, and only with texts.`,
}));

/** A condition that no value satisfies. */
export const neverHolds = defineWarning("WB4113", (a: { why: string }) => ({
  message: `This condition never holds: ${a.why}.`,
}));

/** An expression as later versions write it, where only paths are read; `meant` is the path that it stands for. */
export const foreignTemplate = defineWarning("WB4116", (a: { template: string; meant?: string | undefined }) => ({
  message: `\`${clip(a.template)}\` is an expression of later versions of the language; here it is text like any other.`,
  hint: a.meant === undefined ? undefined : `Write \`${a.meant}\`.`,
}));

/** What goes into the output of a foreach state. */
export const iterationChanges = defineInfo("WB4115", (a: { state: string }) => ({
  message: `State \`${clip(a.state)}\` has no output filter: only what the iteration has changed goes into the collection.`,
}));
