import type { Source } from "../text/source.ts";

/** Copies a file of the caller. Its text is not part of the JSON of diagnostics. */
export const copySource = ({ path, text }: Source): Source =>
  Object.defineProperty({ path, text }, "toJSON", { value: () => ({ path }) });
