import { createMain } from "./action.ts";
import { createCall } from "./call.ts";
import { continueRun } from "./continue.ts";
import { createDelay } from "./delay.ts";
import { createFork } from "./fork.ts";
import { suspendFork } from "./forks.ts";
import type { DeployedFunctions } from "./functions.ts";
import { createJanitor, operate } from "./janitor.ts";
import { createJoin } from "./join.ts";
import { withStore } from "./store-context.ts";
import { createTimeout, suspendUntil } from "./timers.ts";

/** Declared by the deployed action. */
declare const functions: DeployedFunctions;

/** The helper action of programs whose runs are suspended, but receive no events. */
export const main = createMain(
  {
    conductor: {
      call: createCall(functions),
      continue: continueRun,
      delay: createDelay(suspendUntil),
      fork: createFork(suspendFork),
      join: createJoin(),
    },
    open: { timeout: createTimeout(), janitor: createJanitor() },
    operator: operate,
  },
  withStore(),
);
