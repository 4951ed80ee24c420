import type { Target } from "../../src/target/contract.ts";
import { targets as all } from "../../targets/index.ts";

export const targets: readonly Target[] = all;
