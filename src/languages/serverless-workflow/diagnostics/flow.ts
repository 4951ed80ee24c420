import { clip } from "../../../text/clip.ts";
import { defineError, defineInfo, defineWarning } from "../../../text/diagnostics.ts";

// WB31xx: control flow of Serverless Workflow

/** A state goes on and ends. */
export const transitionAndEnd = defineError("WB3101", (a: { state: string }) => ({
  message: `State \`${clip(a.state)}\` has both \`transition\` and \`end\`.`,
}));

/** A state neither goes on nor ends. */
export const neitherTransitionNorEnd = defineError("WB3102", (a: { state: string }) => ({
  message: `State \`${clip(a.state)}\` has neither \`transition\` nor \`end\`.`,
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
export const silentTimeout = defineWarning("WB3108", (a: { what: string }) => ({
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
export const abandonedSubflow = defineWarning("WB3113", (a: { workflow: string }) => ({
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

/** The option `deployed` is no instant. */
export const unreadableDeployment = defineError("WB3118", (a: { text: string }) => ({
  message: `The option \`deployed\` is \`${clip(a.text)}\`, which is no instant such as \`2026-01-01T00:00:00Z\`.`,
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
