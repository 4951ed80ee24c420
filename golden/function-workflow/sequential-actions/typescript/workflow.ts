// workflow 0.1, from function-workflow. Change the definition, not this file.
import {
  type Answer,
  type Flow,
  type Json,
  type Step,
  defineWorkflow,
  required,
} from "./runtime.js";

/** The functions that the workflow calls. */
export interface Functions {
  price(argument: Json, step: Step): Answer<Json>;
  charge(argument: Json, step: Step): Answer<Json>;
  tell(argument: Json, step: Step): Answer<Json>;
}

/** The members of the workflow data that the workflow uses. */
export type Data = { readonly order?: Json; readonly [member: string]: Json | undefined };

/** The members of `result` that the workflow uses. */
export type Result = { readonly receipt?: Json; readonly [member: string]: Json | undefined };

/** workflow */
export const workflow = defineWorkflow({
  id: "workflow",
  version: "66cae73765e5f3f0",
  name: "workflow",
  anyInput: true,
  errors: { expression: "SYS.FilterError", timeout: "SYS.Timeout" },
  run: async (flow: Flow, fn: Functions, data: Data): Promise<Json> => {
    // Order (operation state)
    const order = await flow.step("Order", (step) =>
      fn.price(
        required(data?.order, { name: "SYS.FilterError", message: "`$.order` selects nothing." }),
        step,
      ),
    );
    let result: Result = { price: order } as Result;
    result = (await flow.step("Order/charge", (step) => fn.charge(result, step))) as Json as Result;
    const tell = await flow.step("Order/tell", (step) =>
      fn.tell(
        required(result?.receipt, {
          name: "SYS.FilterError",
          message: "`$.receipt` selects nothing.",
        }),
        step,
      ),
    );
    data = { told: tell } as Data;
    // Done (end state)
    return data;
  },
});
