import type { Target } from "../src/target/contract.ts";
import { asl } from "./asl/index.ts";
import { openwhisk } from "./openwhisk/index.ts";
import { typescript } from "./typescript/index.ts";

/** The targets, in the order of the list. */
export const targets: readonly Target[] = [asl, openwhisk, typescript];
