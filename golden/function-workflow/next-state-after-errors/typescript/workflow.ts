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
  reserve(argument: Json, step: Step): Answer<Json>;
  charge(argument: Json, step: Step): Answer<Json>;
  apologize(argument: Json, step: Step): Answer<Json>;
}

/** The members of the workflow data that the workflow uses. */
export type Data = { readonly order?: Json; readonly [member: string]: Json | undefined };

/** workflow */
export const workflow = defineWorkflow({
  id: "workflow",
  version: "f93145180ac620ef",
  name: "workflow",
  anyInput: true,
  errors: { expression: "SYS.FilterError", timeout: "SYS.Timeout" },
  run: async (flow: Flow, fn: Functions, data: Data): Promise<Json> => {
    let answer!: Json;
    let answer2!: Json;
    apologize: {
      wait: {
        while (true) {
          ({ data } = await flow.round("Charge", { data }));
          // Charge (operation state)
          data = required(data?.order, {
            name: "SYS.FilterError",
            message: "`$.order` selects nothing.",
          }) as Data;
          try {
            answer = (await flow.step("Charge/reserve", (step) => fn.reserve(data, step))) as Json;
          } catch (caught) {
            const error = flow.failure(caught);
            if (error.name !== "OutOfStock") throw caught;
            break wait;
          }
          if (answer === "OutOfStock") break wait;
          const result: Json = answer;
          try {
            answer2 = (await flow.step("Charge/charge", (step) => fn.charge(result, step))) as Json;
          } catch (caught) {
            const error = flow.failure(caught);
            if (error.origin === "timeout" || error.name === "SYS.Timeout") continue;
            break apologize;
          }
          break;
        }
        data = { receipt: answer2 } as Data;
        // Done (end state)
        return data;
      }
      // Wait (delay state)
      await flow.sleep("Wait", 60);
    }
    // Apologize (operation state)
    await flow.step("Apologize", (step) => fn.apologize(data, step));
    // Failed (end state)
    throw errorOf({ origin: "fail", name: "SYS.Fail", message: "Failed" });
  },
});
