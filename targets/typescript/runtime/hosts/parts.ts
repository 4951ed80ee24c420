import { engineParts } from "../face.ts";
import type { Parts } from "../sqlite/parts.ts";

/** What of the runtime the host needs that programs do not see. */
export const parts = engineParts as Parts;
