import { createMain } from "./action.ts";
import { eventOperations } from "./event-operations.ts";
import type { EventProgram } from "./event-rules.ts";
import type { DeployedFunctions } from "./functions.ts";
import { operate } from "./janitor.ts";
import { withStore } from "./store-context.ts";
import { abandonBranches } from "./waits.ts";

/** Declared by the deployed action. */
declare const program: EventProgram;
declare const functions: DeployedFunctions;

/** The helper action of programs that receive events. */
export const main = createMain(
  { ...eventOperations({ ...program, functions }), operator: operate },
  withStore(abandonBranches),
);
