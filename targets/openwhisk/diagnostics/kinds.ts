import { defineError } from "../../../src/text/diagnostics.ts";

// WB52xx: what the openwhisk target cannot express exactly

/** A construct that has no exact form. */
export const openwhiskInexact = defineError("WB5201", (a: { construct: string; hint?: string | undefined }) => ({
  message: `Target openwhisk has no exact form for ${a.construct}.`,
  hint: a.hint,
}));
