// workflow 0.1, from function-workflow. Change the definition, not this file.
import {
  type Answer,
  type Flow,
  type Json,
  type Step,
  defineWorkflow,
  errorOf,
  required,
} from "./runtime.js";

/** The functions that the workflow calls. */
export interface Functions {
  charge(argument: Json, step: Step): Answer<Json>;
}

/** The members of the workflow data that the workflow uses. */
export type Data = { readonly id?: Json; readonly [member: string]: Json | undefined };

/** workflow */
export const workflow = defineWorkflow({
  id: "workflow",
  version: "bef8e5de96fdafa4",
  name: "workflow",
  anyInput: true,
  errors: { expression: "SYS.FilterError", timeout: "SYS.Timeout" },
  run: async (flow: Flow, fn: Functions, data: Data): Promise<Json> => {
    let answer!: Json;
    // Charge (operation state)
    let attempts2 = 0;
    let attempts3 = 0;
    done: {
      while (true) {
        ({ data, attempts2, attempts3 } = await flow.round("Charge/charge", {
          data,
          attempts2,
          attempts3,
        }));
        chargeWait: {
          try {
            answer = (await flow.step("Charge/charge", (step) => fn.charge(data, step))) as Json;
          } catch (caught) {
            const error = flow.failure(caught);
            if (error.name === "Declined") throw errorOf(error);
            if (attempts2 < 1 && error.name === "Busy") break chargeWait;
            if (error.name === "Busy") throw errorOf(error);
            if (attempts3 < 1) {
              await flow.sleep("Charge/wait-2", 1);
              attempts3 += 1;
              continue;
            }
            // Other (operation state)
            data = required(data?.id, {
              name: "SYS.FilterError",
              message: "`$.id` selects nothing.",
            }) as Data;
            break done;
          }
          if (answer === "Declined") break;
          if (!(attempts2 < 1 && answer === "Busy")) {
            if (answer === "Busy") {
              throw errorOf({
                origin: "fail",
                name: "SYS.Fail",
                message: 'Function charge gave "Busy".',
              });
            }
            data = answer as Data;
            break done;
          }
        }
        await flow.sleep("Charge/wait", 2);
        attempts2 += 1;
      }
      throw errorOf({
        origin: "fail",
        name: "SYS.Fail",
        message: 'Function charge gave "Declined".',
      });
    }
    // Done (end state)
    return data;
  },
});
