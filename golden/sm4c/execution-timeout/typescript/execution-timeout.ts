// execution-timeout 1.0, from sm4c. Change the definition, not this file.
import { pollMerge } from "./execution-timeout.expressions.ts";
import {
  type Answer,
  type Flow,
  type Json,
  type Step,
  defineWorkflow,
  failure,
} from "./runtime.js";

/** The functions that the workflow calls. */
export interface Functions {
  giveUp(argument: { readonly rounds: Json }, step: Step): Answer<Json>;
  poll(argument: Json, step: Step): Answer<Json>;
}

/** The members of the workflow data that the workflow uses. */
export type Data = {
  readonly done?: Json;
  readonly rounds?: Json;
  readonly [member: string]: Json | undefined;
};

/** execution-timeout */
export const executionTimeout = defineWorkflow({
  id: "execution-timeout",
  version: "1411d61968f2508b",
  name: "execution-timeout",
  run: async (flow: Flow, fn: Functions, data: Data): Promise<Json> => {
    let output!: Json;
    // execution-timeout (state machine)
    try {
      output = (await flow.attempt(
        "machine",
        async (flow) => {
          while (true) {
            ({ data } = await flow.round("Poll", { data }));
            // Poll (state)
            const poll = await flow.step("Poll", (step) => fn.poll({}, step));
            data = pollMerge(data, poll) as Data;
            if ((data.done ?? null) === true) break;
            await flow.sleep("Poll/wait", 3000);
          }
          // Done (state)
          return data;
        },
        { timeout: 7200 },
      )) as Json;
    } catch (caught) {
      const error = failure(caught);
      if (error.origin !== "timeout") throw caught;
      await flow.step("machine/giveUp", (step) => fn.giveUp({ rounds: data.rounds ?? null }, step));
      return null;
    }
    return output;
  },
});
