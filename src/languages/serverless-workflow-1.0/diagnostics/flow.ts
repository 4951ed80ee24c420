import { defineError, defineInfo, defineProgramInfo, defineWarning } from "../../../text/diagnostics.ts";
import { truncate } from "../../../text/messages.ts";

// WB36xx: control flow

/** A list without tasks. */
export const emptyList = defineWarning("WB3601", (a: { key: string }) => ({
  message: `\`${a.key}\` has no tasks: its output is its input.`,
}));

/** `exit` in a loop. */
export const exitFromRound = defineInfo("WB3602", () => ({
  message: "`exit` ends this round, not the loop; Synapse ends the loop.",
  hint: "To end the loop, use `while`.",
}));

/** `end` in a branch. */
export const nestedEnd = defineInfo("WB3603", () => ({
  message: "`end` ends the run at once; sdk-java waits for the other branches.",
}));

/** A task name in a branch. */
export const exitFromBranch = defineError("WB3604", (a: { name: string }) => ({
  message: `A branch is one task: \`then\` cannot lead to \`${truncate(a.name)}\`.`,
  hint: "Put the tasks of the branch in a `do` task.",
}));

/** Two defaults. */
export const severalDefaults = defineError("WB3605", () => ({
  message: "The switch already has a case without `when`.",
  hint: "Add `when`, or remove the case.",
}));

/** Competing branches. */
export const competingBranches = defineInfo("WB3606", () => ({
  message: "The first branch that succeeds wins; in sdk-go and Synapse, the first that fails ends the task.",
}));

/** An export in a branch. */
export const exportInBranch = defineWarning("WB3607", () => ({
  message: "The context of a branch ends with the branch.",
  hint: "Move `export` to the `fork` task.",
}));

/** A caught error that nothing handles. */
export const swallowedErrors = defineWarning("WB3608", () => ({
  message: "Errors are ignored: `catch` has no `retry`, `do` or `then`.",
  hint: "Add `do` with the tasks that handle the error.",
}));

/** A retry without limit. */
export const unboundedRetry = defineWarning("WB3609", () => ({
  message: "The number of retries is not limited.",
  hint: "Add `limit.attempt.count`.",
}));

/** A retry and tasks that handle the error. */
export const retryThenHandle = defineInfo("WB3610", () => ({
  message: "`do` runs once no retry is left; sdk-java runs it before every retry, Synapse never.",
}));

/** Members of a backoff that 1.0 does not define. */
export const extraBackoff = defineWarning("WB3611", (a: { name: string; isRead: boolean }) => ({
  message: `\`${truncate(a.name)}\` is not in Serverless Workflow 1.0; ${a.isRead ? "other engines may ignore it" : "it has no effect here"}.`,
}));

/** A time limit of a task that takes no time. */
export const idleTimeout = defineInfo("WB3612", (a: { kind: string }) => ({
  message: `A \`${a.kind}\` task takes no time: its \`timeout\` has no effect.`,
}));

/** A negative duration. */
export const negativeDuration = defineError("WB3630", () => ({
  message: "A time limit or delay cannot be negative.",
  hint: "Write a duration of 0 or more.",
}));

/** A negative wait. */
export const negativeWait = defineWarning("WB3613", () => ({ message: "A negative duration does not wait." }));

/** A process that fails. */
export const failedProcess = defineInfo("WB3614", () => ({
  message: "A code other than 0 raises the error `runtime`; sdk-java returns as with 0.",
  hint: "Write `return: code` or `return: all` to read the code.",
}));

/** `all` without events. */
export const emptyAll = defineError("WB3615", () => ({ message: "`all` has no events." }));

/** `until` without effect. */
export const untilWithoutEffect = defineWarning("WB3616", () => ({
  message: "`until` has an effect only with `any`.",
}));

/** A correlation key without effect. */
export const keyWithoutEffect = defineWarning("WB3617", () => ({
  message: "A key without `expect` relates several events, and this task waits for one.",
  hint: "Add `expect`.",
}));

/** Too many events that agree on a key. */
export const tooManyKeys = defineError("WB3618", (a: { count: number; most: number }) => ({
  message: `At most ${a.most} events can be correlated without \`expect\`, not ${a.count}.`,
}));

/** Iteration in a schedule. */
export const scheduledIteration = defineError("WB3619", () => ({
  message: "`until` has no meaning in `schedule.on`: each run has its own events.",
}));

/** A filter of a schedule that reads data. */
export const scheduledData = defineError("WB3631", () => ({
  message: "This filter reads data of the run, but its event starts the run.",
  hint: "Compare with a constant, or with `if` in the first task.",
}));

/** Events of a schedule without `read`. */
export const scheduledRead = defineInfo("WB3620", () => ({
  message: "The input of a run is the array of its events, with their attributes.",
  hint: "Write `read: data` for the data only.",
}));

/** An invalid cron expression. */
export const invalidCron = defineError("WB3621", (a: { message: string }) => ({ message: a.message }));

/** A wait that never ends. */
export const endlessWait = defineWarning("WB3622", () => ({
  message: "This condition never holds: the task ends only at a time limit.",
  hint: "Add `timeout`, or a condition that can hold.",
}));

/** A duration that is an expression where it has to be constant. */
export const computedDuration = defineError("WB3623", () => ({
  message: "This duration has to be constant.",
  hint: "Write a duration, such as `PT1S`.",
}));

/** The condition of a loop. */
export const conditionBeforeRound = defineInfo("WB3624", () => ({
  message: "`while` is checked before each round; sdk-go and Zigflow check it after.",
}));

/** Events before a wait. */
export const keptEvents = defineProgramInfo("WB3625", () => ({
  message: "Events that arrive before this task are kept for it; sdk-java drops them.",
}));

/** `end` within another task. */
export const endWithin = defineProgramInfo("WB3626", () => ({
  message: "`output` and `export` of the enclosing tasks do not apply; in sdk-java they do.",
}));

/** A switch whose next task expects a match. */
export const switchWithoutDefault = defineInfo("WB3627", (a: { next: string; name: string }) => ({
  message: `Without a match, \`${truncate(a.next)}\` follows, as in the case \`${truncate(a.name)}\`.`,
  hint: "Add a case without `when`.",
}));

/** Keys without `expect` where the events cannot be compared. */
export const unboundKey = defineError("WB3628", (a: { place: string }) => ({
  message: `A key without \`expect\` is not supported with ${a.place}.`,
  hint: "Add `expect`.",
}));

/** A timer without time. */
export const emptyInterval = defineError("WB3629", (a: { key: string }) => ({
  message: `\`${a.key}\` has to be longer than 0.`,
}));
