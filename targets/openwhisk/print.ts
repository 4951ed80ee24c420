import type { Composition } from "./composition.ts";

/** A composition as the text of its file. */
export const compositionText = (composition: Composition): string => `${JSON.stringify(composition, undefined, 2)}\n`;
