import { defineError, defineInfo, defineWarning } from "../../../text/diagnostics.ts";
import { didYouMean, truncate } from "../../../text/messages.ts";

// WB24xx: names, and files that a definition refers to

/** An undefined retry policy. */
export const unknownRetry = defineError("WB2401", (a: { name: string; known: Iterable<string> }) => ({
  message: `Unknown retry policy \`${truncate(a.name)}\`.`,
  hint: didYouMean(a.name, a.known) ?? "Define it under `retries`.",
}));

/** Names that differ only in case. */
export const duplicateIgnoringCase = defineError("WB2402", (a: { noun: string; name: string; other: string }) => ({
  message: `\`${truncate(a.name)}\` and \`${truncate(a.other)}\` are the same name: ${a.noun} names are case-insensitive.`,
  hint: "Rename one of them.",
}));

/** An invalid or reserved context attribute. */
export const invalidAttributeName = defineError("WB2410", (a: { attribute: string; isTaken: boolean }) => ({
  message: a.isTaken
    ? `The event already has an attribute \`${truncate(a.attribute)}\`.`
    : `\`${truncate(a.attribute)}\` is not a valid attribute name: only letters and digits are allowed.`,
  hint: a.isTaken ? "Rename the attribute, or put the value into the event's data." : "Rename the attribute.",
}));

/** Actions with the same name, whose results collide. */
export const duplicateResult = defineError("WB2411", (a: { name: string }) => ({
  message: `Duplicate action name \`${truncate(a.name)}\`: the results would overwrite each other.`,
  hint: "Rename one of the actions.",
}));

// WB34xx: control flow

/** No state has `start: true`. */
export const noStart = defineError("WB3401", (_: object) => ({
  message: "No state has `start: true`.",
  hint: "Add `start: true` to the initial state.",
}));

/** Several states have `start: true`. */
export const severalStarts = defineError("WB3402", (_: object) => ({
  message: "More than one state has `start: true`.",
  hint: "Remove `start` from one of them.",
}));

/** A transition with triggers that exclude each other. */
export const mixedTransition = defineError("WB3403", (a: { first: string; second: string }) => ({
  message: `A transition with both \`${a.first}\` and \`${a.second}\` is never taken.`,
  hint:
    a.first === "eventGroups"
      ? "Write two transitions: one with `eventGroups`, one with `timeout`."
      : a.second === "eventGroups"
        ? "Move the condition into the event group, or check it in the next state."
        : "Check the condition in one state and wait in another.",
}));

/** Two unconditional transitions. */
export const duplicateUnconditional = defineError("WB3404", (_: object) => ({
  message: "A state can have only one unconditional transition.",
  hint: "Add a `condition` to each of them.",
}));

/** A transition after an unconditional one. */
export const shadowedTransition = defineWarning("WB3405", (_: object) => ({
  message: "This transition is never taken: the state has an unconditional transition.",
  hint: `To make that one the "else" branch, give it the condition \`\${ true }\`.`,
}));

/** Two timeouts of a state. */
export const secondTimeout = defineError("WB3406", (_: object) => ({
  message: "A state can have only one transition with `timeout`.",
  hint: "Keep the shorter timeout.",
}));

/** An unconditional transition without a next state. */
export const endlessTransition = defineError("WB3407", (_: object) => ({
  message: "This transition repeats forever: it is unconditional and has no `nextState`.",
  hint: "Add `nextState`, or a `condition`, `eventGroups` or `timeout`.",
}));

/** `n` is missing or out of range. */
export const invalidJoinCount = defineError("WB3408", (a: { n: number | undefined; count: number }) => {
  const actions = a.count === 1 ? "1 action" : `${a.count} actions`;
  if (a.n === undefined)
    return {
      message: "`completionType: n_of_m` requires `n`.",
      hint: "Set `n` to the number of actions to wait for.",
    };
  return {
    message:
      a.n < 1
        ? "`n` must be at least 1."
        : `\`n\` is ${a.n}, but there ${a.count === 1 ? "is" : "are"} only ${actions}.`,
    hint: a.count > 1 ? `Set \`n\` to a number from 1 to ${a.count}.` : "Set `n` to 1.",
  };
});

/** A property without effect on its action. */
export const ineffectiveProperty = defineWarning("WB3409", (a: { key: "n" | "errorHandlers" }) => ({
  message:
    a.key === "n"
      ? "`n` has no effect unless `completionType` is `n_of_m`."
      : "`errorHandlers` has no effect: a delay cannot fail.",
  hint: a.key === "n" ? "Remove `n`, or set `completionType: n_of_m`." : "Remove `errorHandlers`.",
}));

/** An earlier transition waits for the same events. */
export const repeatedEvents = defineWarning("WB3410", (_: object) => ({
  message: "This transition is never taken: an earlier one waits for the same events.",
  hint: "Add a `condition` to the earlier event group, or remove this transition.",
}));

/** A timeout of a detached action. */
export const timeoutIgnored = defineWarning("WB3411", (_: object) => ({
  message: "`timeout` has no effect: the run does not wait for this action.",
  hint: "Set `waitForCompletion: true`, or remove `timeout`.",
}));

/** Arguments of a function of type `expression`. */
export const argumentsIgnored = defineWarning("WB3412", (a: { name: string }) => ({
  message: `\`arguments\` has no effect: function \`${truncate(a.name)}\` is an expression.`,
  hint: "Remove `arguments`. The expression reads the data of the workflow.",
}));

// WB45xx: jq and data

/** A jq expression without braces. */
export const missingBraces = defineError("WB4501", (a: { text: string }) => ({
  message: `\`${truncate(a.text)}\` is not an expression: enclose jq in \`\${ … }\`.`,
  hint: `Write \`\${ ${truncate(a.text.trim())} }\`.`,
}));

/** Braces without the spaces that the original engine requires. */
export const missingBraceSpaces = defineWarning("WB4502", (_: object) => ({
  message: "The original engine rejects an expression without spaces inside its braces.",
  hint: `Add a space after \`\${\` and before \`}\`.`,
}));

/** A result handler may return something other than an object. */
export const unsafeHandlerResult = defineWarning("WB4503", (a: { isSure: boolean }) => ({
  message: a.isSure
    ? "The result of this handler is not an object, so the run fails."
    : "The result of this handler replaces all data of the workflow.",
  hint: "To set one member, write `.member = $value` or `.member += $value`.",
}));

/** An argument with an unevaluated expression. */
export const unevaluatedArgument = defineWarning("WB4504", (a: { isNested: boolean }) => ({
  message: a.isNested
    ? `This \`\${ … }\` is not evaluated: only strings directly under \`arguments\` are.`
    : `This \`\${ … }\` is not evaluated: the whole string must be one expression.`,
  hint: a.isNested
    ? `Compute the whole value with one expression: \`\${ { a: .b } }\`.`
    : `Compute the whole string with one expression: \`\${ "…\\(.a)…" }\`.`,
}));

/** A condition without exactly one result. */
export const conditionWithoutSingleResult = defineWarning("WB4505", (a: { count: "none" | "many" }) => ({
  message:
    a.count === "none"
      ? "This condition yields no result, so it is never `true`."
      : "This condition may yield several results, which are never `true`.",
  hint: "Combine them into one result, such as `any(.list[]; . > 1)`.",
}));

/** A policy with both `increment` and `multiplier`. */
export const conflictingBackoff = defineError("WB4506", (_: object) => ({
  message: "A retry policy cannot have both `increment` and `multiplier`.",
  hint: "Remove one of them.",
}));

/** A jitter outside 0 to 1. */
export const jitterOutOfRange = defineError("WB4507", (a: { jitter: number }) => ({
  message: `\`jitter\` must be a fraction from 0 to 1, not ${a.jitter}.`,
  hint: "To specify a duration, write a timespan such as `00:00:02`.",
}));

/** A function reads `$value` outside of a handler. */
export const valueOutsideHandler = defineError("WB4508", (a: { name: string }) => ({
  message: `Function \`${truncate(a.name)}\` reads \`$value\`, which only handlers have.`,
  hint: "Use the function in a handler, or remove `$value` from it.",
}));

/** A blank attribute. */
export const blankProperty = defineInfo("WB2413", (a: { name: string }) => ({
  message: `\`${a.name}\` is blank, as if it were omitted.`,
  hint: `Remove \`${a.name}\`.`,
}));
