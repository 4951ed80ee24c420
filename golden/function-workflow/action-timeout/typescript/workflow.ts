// workflow 0.1, from function-workflow. Change the definition, not this file.
import { type Answer, type Flow, type Json, type Step, defineWorkflow } from "./runtime.js";

/** The functions that the workflow calls. */
export interface Functions {
  charge(argument: Json, step: Step): Answer<Json>;
  tell(argument: Json, step: Step): Answer<Json>;
  cancel(argument: Json, step: Step): Answer<Json>;
}

/** workflow */
export const workflow = defineWorkflow({
  id: "workflow",
  version: "256581ec46b0ed65",
  name: "workflow",
  anyInput: true,
  errors: { expression: "SYS.FilterError", timeout: "SYS.Timeout" },
  run: async (flow: Flow, fn: Functions, data: Json): Promise<Json> => {
    let result!: Json;
    let data2!: Json;
    done: {
      // Charge (operation state)
      try {
        result = (await flow.step("Charge", (step) => fn.charge(data, step), {
          timeout: 10,
          retries: [
            {
              when: (error) => error.origin === "timeout" || error.name === "SYS.Timeout",
              limit: 1,
              base: 5,
            },
          ],
        })) as Json;
      } catch (caught) {
        const error = flow.failure(caught);
        if (!(error.origin === "timeout" || error.name === "SYS.Timeout")) throw caught;
        // Late (operation state)
        data2 = (await flow.step("Late", (step) => fn.cancel(data, step))) as Json;
        break done;
      }
      data2 = (await flow.step("Charge/tell", (step) => fn.tell(result, step), {
        timeout: 3,
      })) as Json;
    }
    // Done (end state)
    return data2;
  },
});
