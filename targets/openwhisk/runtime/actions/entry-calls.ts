import { createMain, withoutStore } from "./action.ts";
import { createCall } from "./call.ts";
import { createDelay } from "./delay.ts";
import { createFork } from "./fork.ts";
import type { DeployedFunctions } from "./functions.ts";

/** Declared by the deployed action. */
declare const functions: DeployedFunctions;

/** The helper action of programs whose runs are never suspended. */
export const main = createMain(
  { conductor: { call: createCall(functions), delay: createDelay(), fork: createFork() } },
  withoutStore,
);
