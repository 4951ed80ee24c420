import { defineError, defineInfo, defineWarning } from "../../../text/diagnostics.ts";
import { isTimeSyntaxError, parseDuration, secondsOf } from "../../../text/iso8601.ts";
import { didYouMean, truncate } from "../../../text/messages.ts";

// WB22xx: versions and names

/** The version of an old page of the documentation. */
export const unknownVersion = defineWarning("WB2201", (_: object) => ({
  message: "Version `1.0` of YaWL does not exist; the definition is read as version `0.1`.",
  hint: 'Write `yawl: "0.1"`.',
}));

/** An unknown error code. */
export const unknownCode = defineError("WB2202", (a: { code: string; known: readonly string[] }) => ({
  message: `Unknown error code \`${truncate(a.code)}\`.`,
  hint: didYouMean(a.code, a.known),
}));

/** `STEP_INTERNAL` cannot be handled. */
export const unhandleableError = defineWarning("WB2203", (_: object) => ({
  message: "`STEP_INTERNAL` is never retried or caught: it ends the run immediately.",
  hint: "Remove it.",
}));

// WB32xx: control flow

/** A transition to an earlier step. */
export const backwardTransition = defineWarning("WB3201", (a: { cycle: readonly string[] }) => ({
  message: `This transition forms a loop: ${a.cycle
    .slice(0, 12)
    .map((id) => `\`${truncate(id)}\``)
    .join(" → ")}${a.cycle.length > 12 ? " → …" : ""}.`,
  hint: "Use a while step.",
}));

/** An iteration may do no work. */
export const idleLoop = defineError("WB3202", (a: { id: string }) => ({
  message: `While step \`${truncate(a.id)}\` may iterate without doing any work.`,
  hint: "Add an integration step, a wait, a success or a fail to every path through `do`.",
}));

/** Too many steps; `what` takes them. */
export const tooManySteps = defineError("WB3203", (a: { what: string; most: number }) => ({
  message: `A run can take at most ${a.most} steps; ${a.what} takes more.`,
  hint: "Move a part to another workflow, and run that with a workflow step.",
}));

/** A nested success step ends the whole run. */
export const nestedSuccess = defineInfo("WB3204", (_: object) => ({
  message: "This step ends the whole run, with the state from before the enclosing step.",
}));

/** A retry policy without `retryCount`, or without errors. */
export const neverRetries = defineWarning("WB3205", (a: { missing: "count" | "errors" }) =>
  a.missing === "count"
    ? {
        message: "This retry policy has no `retryCount`, so it never retries.",
        hint: "Add it, such as `retryCount: 3`.",
      }
    : {
        message: "This retry policy names no error, so it never retries.",
        hint: "Add the codes of errors to `errorList`, such as `STEP_TIMEOUT`, or `ALL`.",
      },
);

/** The delays exceed the time for retries. */
export const retriesTooLong = defineError("WB3206", (a: { hours: number }) => ({
  message: `The delays of this retry policy add up to ${a.hours} hours; the maximum is 24.`,
  hint: "Reduce `retryCount` or `maxDelay`.",
}));

/** Delays without explicit maximum. */
export const cappedDelay = defineInfo("WB3207", (_: object) => ({
  message: "This retry policy has no `maxDelay`, so its delays are limited to one hour, not to the documented second.",
  hint: "Set `maxDelay`.",
}));

/** A duration out of range. */
export const outOfRange = defineError(
  "WB3208",
  (a: { key: string; seconds: number; limit: number; isLeast: boolean }) => ({
    message: `\`${a.key}\` is ${a.seconds} s, but must be at ${a.isLeast ? "least" : "most"} ${a.limit} s.`,
    hint: `Write \`${a.limit}s\`.`,
  }),
);

/** A step input above the size limit. */
export const stepInputTooLarge = defineError("WB3209", (a: { bytes: number; most: number }) => ({
  message: `This step sends at least ${a.bytes} bytes; the maximum is ${a.most}.`,
  hint: "Store the data and send a reference to it, or send it in parts.",
}));

/** An `input` of a loop that is the same in each iteration. */
export const unvaryingInput = defineWarning("WB3210", (_: object) => ({
  message: "This input reads neither the state nor `$counter`, so that every iteration starts with the same data.",
  hint: "Read the state with `.`, or the number of completed iterations with `$counter`.",
}));

/** A maximum of iterations that is not a whole number. */
export const invalidIterations = defineError("WB3211", (a: { text: string }) => ({
  message: `\`${truncate(a.text)}\` is not a positive whole number of iterations.`,
}));

// WB42xx: templates and jq

/** An unclosed interpolation. */
export const unclosedInterpolation = defineError("WB4201", (a: { opening: string }) => ({
  message: `The interpolation that starts with \`${a.opening}\` is not closed.`,
  hint: `Add \`${a.opening === "{{" ? "}}" : ")"}\` after the jq expression.`,
}));

/** An interpolation of version 0.2 in version 0.1. */
export const unsupportedInterpolation = defineWarning("WB4202", (a: { template: string; meant: string }) => ({
  message: `\`${truncate(a.template)}\` is not evaluated: interpolation in braces requires version 0.2.`,
  hint: `Write \`${truncate(a.meant)}\`.`,
}));

/** A string that is not JSON. */
export const invalidJson = defineError("WB4203", (a: { key: string; braces: boolean }) => ({
  message: `\`${a.key}\` is not valid JSON.`,
  hint: `To compute it, write jq in \`${a.braces ? "{{ … }}" : "\\( … )"}\`.`,
}));

/** An expression with several results, or none. */
export const severalResults = defineWarning("WB4204", (a: { count: "none" | "many" }) => ({
  message:
    a.count === "none"
      ? "This expression yields no result, so the step fails."
      : "This expression may yield several results, or none, and the step then fails.",
  hint: a.count === "none" ? undefined : "Collect the results in an array: `[ … ]`.",
}));

/** A secret outside of an integration step's input. */
export const misplacedSecret = defineError("WB4205", (_: object) => ({
  message: "A secret can be read only in what an integration step sends.",
  hint: "Read it where it is sent, for example in a header.",
}));

/** A computed argument of `lockboxPayload`. */
export const computedSecretName = defineError("WB4206", (_: object) => ({
  message: "The arguments of `lockboxPayload` must be string literals.",
  hint: 'Write them out: `lockboxPayload("id"; "key")`.',
}));

/** An invalid duration or time of a wait step. `longest`: the longest wait, in seconds. */
export const invalidWait = defineError(
  "WB4207",
  (a: { key: "duration" | "until"; text: string; wanted: string; longest: number }) => ({
    message: `\`${truncate(a.text)}\` is not ${a.wanted}.`,
    hint: suggestSeconds(a),
  }),
);

/** Of an ISO 8601 duration, its seconds. */
function suggestSeconds(a: { key: "duration" | "until"; text: string; longest: number }): string | undefined {
  const duration = parseDuration(a.text.slice(0, 100));
  if (isTimeSyntaxError(duration)) return undefined;
  const { seconds, exact } = secondsOf(duration);
  if (!exact || seconds > a.longest) return undefined;
  return a.key === "duration" ? `Write \`${seconds}s\`.` : `Write \`duration: ${seconds}s\` in place of \`until\`.`;
}

/** An interpolation in a field that is sent as it is. */
export const literalInterpolation = defineWarning("WB4208", (a: { opening: string }) => ({
  message: `\`${a.opening}\` does not start an interpolation here: this field is sent as it is written.`,
  hint: "Write the value itself.",
}));

/** A computed duration that may have a fraction. */
export const fractionalWait = defineWarning("WB4209", (_: object) => ({
  message:
    "This duration may have a fraction, and the step then fails: a computed duration is a whole number of seconds.",
  hint: "Round it, such as with `| floor`.",
}));
