// workflow 0.1, from function-workflow. Change the definition, not this file.
import { type Answer, type Flow, type Json, type Step, defineWorkflow } from "./runtime.js";

/** The functions that the workflow calls. */
export interface Functions {
  call(argument: Json, step: Step): Answer<Json>;
  denied(argument: Json, step: Step): Answer<Json>;
  wrong(argument: Json, step: Step): Answer<Json>;
  late(argument: Json, step: Step): Answer<Json>;
  failed(argument: Json, step: Step): Answer<Json>;
  other(argument: Json, step: Step): Answer<Json>;
}

/** workflow */
export const workflow = defineWorkflow({
  id: "workflow",
  version: "5aaefab22d0fc589",
  name: "workflow",
  anyInput: true,
  errors: { expression: "SYS.FilterError", timeout: "SYS.Timeout" },
  run: async (flow: Flow, fn: Functions, data: Json): Promise<Json> => {
    let data2!: Json;
    done: {
      wrong: {
        // Call (operation state)
        try {
          data2 = (await flow.step("Call", (step) => fn.call(data, step))) as Json;
        } catch (caught) {
          const error = flow.failure(caught);
          if (error.name === "SYS.Permission") {
            // Denied (operation state)
            data2 = (await flow.step("Denied", (step) => fn.denied(data, step))) as Json;
            break done;
          }
          if (error.name === "SYS.InvalidParameter") break wrong;
          if (error.origin === "timeout" || error.name === "SYS.Timeout") {
            // Late (operation state)
            data2 = (await flow.step("Late", (step) => fn.late(data, step))) as Json;
            break done;
          }
          if (error.name === "SYS.FilterError") break wrong;
          if (error.name === "SYS.Fail") {
            // Failed (operation state)
            data2 = (await flow.step("Failed", (step) => fn.failed(data, step))) as Json;
            break done;
          }
          // Other (operation state)
          data2 = (await flow.step("Other", (step) => fn.other(data, step))) as Json;
          break done;
        }
        break done;
      }
      // Wrong (operation state)
      data2 = (await flow.step("Wrong", (step) => fn.wrong(data, step))) as Json;
    }
    // Done (end state)
    return data2;
  },
});
