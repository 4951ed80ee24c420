import { clip } from "../../../text/clip.ts";
import { defineError, defineInfo, defineWarning } from "../../../text/diagnostics.ts";
import { didYouMean } from "../../../text/suggest.ts";

// WB22xx: names of YaWL

/** The version that an old page of the documentation names. */
export const formerVersion = defineWarning("WB2201", (_: object) => ({
  message: "There is no version `1.0` of the language; the definition is read as one of version `0.1`.",
  hint: 'Write `yawl: "0.1"`.',
}));

/** A list of errors names one that there is not. */
export const unknownCode = defineError("WB2202", (a: { code: string; known: readonly string[] }) => ({
  message: `There is no error \`${clip(a.code)}\`.`,
  hint: didYouMean(a.code, a.known),
}));

/** A list of errors names the one that nothing takes. */
export const neverTaken = defineWarning("WB2203", (_: object) => ({
  message: "`STEP_INTERNAL` is never tried again and never caught: it ends the run at once.",
  hint: "Leave it out.",
}));

// WB32xx: control flow of YaWL

/** A way leads back to a step before it. */
export const backward = defineWarning("WB3201", (a: { cycle: readonly string[] }) => ({
  message: `This leads back: ${a.cycle
    .slice(0, 12)
    .map((id) => `\`${clip(id)}\``)
    .join(" → ")}${a.cycle.length > 12 ? " → …" : ""}.`,
  hint: "The loop of the language is the while step.",
}));

/** The rounds of a while step may do nothing. */
export const spinning = defineError("WB3202", (a: { id: string }) => ({
  message: `A round of while step \`${clip(a.id)}\` may do nothing that takes time.`,
  hint: "Each way through `do` needs an integration step, a wait, a success or a fail.",
}));

/** More steps than a run may take. `what` would take them. */
export const tooManySteps = defineError("WB3203", (a: { what: string; most: number }) => ({
  message: `A run takes at most ${a.most} steps; ${a.what} would take more.`,
  hint: "Move a part of it to a workflow of its own, and call that by a workflow step.",
}));

/** A success ends the run from within. */
export const nestedSuccess = defineInfo("WB3204", (_: object) => ({
  message: "This ends the whole run, with the state that the workflow had before the step around it began.",
}));

/** A policy says when to try again, but not how often. */
export const neverRetries = defineWarning("WB3205", (_: object) => ({
  message: "This policy has no `retryCount`, so that nothing is tried again.",
  hint: "Write how often: `retryCount: 3`.",
}));

/** The waits of a policy are longer than a step is tried for. */
export const retriesTooLong = defineError("WB3206", (a: { hours: number }) => ({
  message: `The waits of this policy come to ${a.hours} hours; a step is tried again for at most 24.`,
  hint: "Write fewer retries, or a smaller `maxDelay`.",
}));

/** The waits of a policy grow without a limit of their own. */
export const cappedDelay = defineInfo("WB3207", (_: object) => ({
  message:
    "There is no `maxDelay`, so that waits grow up to an hour; the documentation's default of one second would leave no room for this.",
}));

/** A duration is beyond its limits. */
export const outOfRange = defineError(
  "WB3208",
  (a: { key: string; seconds: number; limit: number; isLeast: boolean }) => ({
    message: `\`${a.key}\` is ${a.seconds} s; it can only be at ${a.isLeast ? "least" : "most"} ${a.limit} s.`,
    hint: `Write \`${a.limit}s\`.`,
  }),
);

/** What a step sends is more than the service takes. */
export const sentTooMuch = defineError("WB3209", (a: { bytes: number; most: number }) => ({
  message: `This step sends at least ${a.bytes} bytes; it can be at most ${a.most}.`,
  hint: "Send where it is stored instead, or a part of it at a time.",
}));

// WB42xx: texts and jq of YaWL

/** A hole never closes. */
export const openHole = defineError("WB4201", (a: { opening: string }) => ({
  message: `The hole that \`${a.opening}\` opens here is never closed.`,
  hint: `Write \`${a.opening === "{{" ? "}}" : ")"}\` behind the jq in it.`,
}));

/** A hole as version 0.2 writes them. */
export const foreignHole = defineWarning("WB4202", (a: { template: string; meant: string }) => ({
  message: `\`${clip(a.template)}\` is text like any other: holes in braces are of version 0.2.`,
  hint: `Write \`${clip(a.meant)}\`.`,
}));

/** What a text says is no JSON where nothing else will do. */
export const notJson = defineError("WB4203", (a: { key: string }) => ({
  message: `\`${a.key}\` has to give JSON, and this text is none.`,
  hint: "Write jq in a hole: `\\( … )`.",
}));

/** A hole gives several results, or none. */
export const severalResults = defineWarning("WB4204", (a: { count: "none" | "many" }) => ({
  message:
    a.count === "none"
      ? "This gives no result; the step fails."
      : "This may give several results, or none; the step fails then.",
  hint: a.count === "none" ? undefined : "Put the results into an array: `[ … ]`.",
}));

/** A secret is read where its text could go anywhere. */
export const lockboxHere = defineError("WB4205", (_: object) => ({
  message: "A secret can only be read where an integration step sends it.",
  hint: "Read it in the text in which a step sends it, such as a header.",
}));

/** The name of a secret is computed. */
export const lockboxName = defineError("WB4206", (_: object) => ({
  message: 'The names of a secret have to be written out: `lockboxPayload("id"; "key")`.',
}));

/** A wait for what is no time. */
export const unusableWait = defineError("WB4207", (a: { text: string; wanted: string }) => ({
  message: `\`${clip(a.text)}\` is not ${a.wanted}.`,
}));
