import type { Target } from "../../src/target.ts";
import { targets as all } from "../../targets/index.ts";

/** The targets on which random programs are compared with the reference. */
export const targets: readonly Target[] = all;
