import { defineError, defineInfo, defineWarning } from "../text/diagnostics.ts";
import { didYouMean, truncate } from "../text/messages.ts";
import { joinAlternatives } from "./reading.ts";

// WB60xx: scenario files

/** An unknown key in a scenario file. */
export const unknownScenarioKey = defineError(
  "WB6001",
  (a: { name: string; owner: string; known: readonly string[] }) => ({
    message: `\`${a.name}\` is not a key of ${a.owner}.`,
    hint: didYouMean(a.name, a.known) ?? `Valid keys: ${a.known.map((key) => `\`${key}\``).join(", ")}.`,
  }),
);

/** A missing key. */
export const missingScenarioKey = defineError(
  "WB6002",
  (a: { name: string; owner: string; hint?: string | undefined }) => ({
    message: `Missing key \`${a.name}\` in ${a.owner}.`,
    hint: a.hint,
  }),
);

/** A wrong type; `subject` starts the sentence. */
export const wrongScenarioValue = defineError(
  "WB6003",
  (a: { subject: string; wanted: string; hint?: string | undefined }) => ({
    message: `${a.subject} must be ${a.wanted}.`,
    hint: a.hint,
  }),
);

/** A string that is not permitted. */
export const unknownScenarioValue = defineError(
  "WB6004",
  (a: { name: string; word: string; known: readonly string[] }) => ({
    message: `\`${a.name}\` must be ${joinAlternatives(a.known.map((word) => `\`${word}\``))}, not \`${a.word}\`.`,
    hint: didYouMean(a.word, a.known),
  }),
);

/** A malformed duration or timestamp. */
export const invalidTime = defineError("WB6005", (a: { message: string }) => ({
  message: a.message,
}));

/** An unreadable definition. */
export const unreadableDefinition = defineError("WB6007", (a: { path: string; reason: string }) => ({
  message: `Cannot read \`${a.path}\`: ${a.reason}.`,
}));

/** A result for an unknown function. */
export const unusedFunctionResult = defineWarning("WB6008", (a: { name: string; known: readonly string[] }) => ({
  message: `The workflow has no function \`${a.name}\`.`,
  hint: didYouMean(a.name, a.known),
}));

/** A function that a run calls and that has no result. */
export const missingFunctionResult = defineWarning(
  "WB6011",
  (a: { scenario: string; name: string; result: string }) => ({
    message: `The scenario calls \`${truncate(a.name)}\`, for which it has no result: ${a.result} is returned.`,
    hint: `Write \`functions: { ${truncate(JSON.stringify(a.name))}: { returns: … } }\`.`,
  }),
);

/** A result that the type of its function does not allow. */
export const mistypedResult = defineWarning(
  "WB6013",
  (a: { name: string; path: readonly string[]; found: readonly string[]; wanted: readonly string[] }) => ({
    message: `This is not a result of \`${truncate(a.name)}\` by its type: ${a.path.length === 0 ? "it" : `\`${truncate(a.path.join("."))}\``} is ${a.found.length === 0 ? "missing" : `${joinAlternatives(a.found)}, not ${joinAlternatives(a.wanted)}`}.`,
    hint: "Targets rely on the type: what they do with other results is undefined.",
  }),
);

/** A scenario with an input, on a target where only events start the workflow. */
export const inputOfEventStart = defineError(
  "WB6014",
  (a: { workflow: string; target: string; targets: readonly string[] }) => ({
    message: `Only events start \`${truncate(a.workflow)}\` on ${a.target}, as its settings say, but this scenario has an input.`,
    hint: `List the targets to which it applies: \`targets: [${a.targets.filter((name) => name !== a.target).join(", ")}]\`.`,
  }),
);

/** A limit of a target's platform that a run reaches. */
export const reachedLimit = defineInfo("WB6012", (a: { limit: string }) => ({ message: a.limit }));

/** A secret that no workflow reads. */
export const unusedSecret = defineWarning("WB6009", (a: { id: string; key: string }) => ({
  message: `No workflow reads the key \`${truncate(a.key)}\` of the secret \`${truncate(a.id)}\`.`,
}));

/** An unknown subflow. */
export const unknownSubflow = defineWarning("WB6010", (a: { name: string; known: readonly string[] }) => ({
  message: `No definition of this scenario file has the id \`${truncate(a.name)}\`.`,
  hint: didYouMean(a.name, a.known) ?? `Known ids: ${a.known.map((id) => `\`${truncate(id)}\``).join(", ")}.`,
}));

/** A firing of a timer that the workflow does not have. */
export const unknownTimer = defineError("WB6015", (a: { workflow: string; timer: number; count: number }) => ({
  message: `\`${truncate(a.workflow)}\` has ${a.count === 0 ? "no timers" : `${a.count} timer${a.count === 1 ? "" : "s"}`}, so timer ${a.timer} cannot fire.`,
  hint:
    a.count === 0 ? "A timer is a schedule in the definition." : `The first timer is 0, the last one ${a.count - 1}.`,
}));

/** A firing of a timer at an instant at which it does not fire. */
export const mistimedFiring = defineWarning("WB6016", (a: { at: string; timer: string; next: string | undefined }) => ({
  message: `The timer (${truncate(a.timer)}) does not fire at ${a.at}.`,
  hint: a.next === undefined ? "It does not fire after that." : `The next time is ${a.next}.`,
}));

/** Heartbeats of a function whose result does not arrive by a callback. */
export const unawaitedHeartbeats = defineWarning("WB6017", (a: { name: string }) => ({
  message: `Heartbeats of \`${truncate(a.name)}\` have no effect: it does not wait for a callback.`,
  hint: "Remove `heartbeats`.",
}));

/** A part of a mock configuration that cannot be imported. */
export const wrongMockConfig = defineError("WB6020", (a: { problem: string }) => ({
  message: `${a.problem}.`,
}));
