import { createMain } from "./action.ts";
import { createCall } from "./call.ts";
import { createDelay } from "./delay.ts";
import { createFork } from "./fork.ts";

/** The helper action of programs whose runs are never suspended. */
export const main = createMain({
  conductor: { call: createCall(), delay: createDelay(), fork: createFork() },
});
