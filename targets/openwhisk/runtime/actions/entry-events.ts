import { openStore } from "../store/open.ts";
import { createMain } from "./action.ts";
import { eventOperations } from "./event-operations.ts";
import type { EventProgram } from "./event-rules.ts";
import { operate } from "./janitor.ts";
import { abandonBranches } from "./waits.ts";

/** Declared by the deployed action. */
declare const program: EventProgram;

/** The helper action of programs that receive events. */
export const main = createMain(
  { ...eventOperations(program), operator: operate },
  { openStore, abandon: abandonBranches },
);
