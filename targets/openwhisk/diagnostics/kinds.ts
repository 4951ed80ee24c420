import { clip } from "../../../src/text/clip.ts";
import { defineError, defineInfo } from "../../../src/text/diagnostics.ts";

// WB52xx: what the openwhisk target cannot express exactly

/** A construct that has no exact form. */
export const openwhiskInexact = defineError("WB5201", (a: { construct: string; hint?: string | undefined }) => ({
  message: `Target openwhisk has no exact form for ${a.construct}.`,
  hint: a.hint,
}));

/** A timeout that is longer than an action may run. */
export const openwhiskActionTime = defineInfo("WB5202", (a: { name: string; seconds: number }) => ({
  message: `An action takes at most 5 minutes: a call of \`${clip(a.name)}\` that takes longer fails as a time-out then, not after ${a.seconds} s.`,
}));
