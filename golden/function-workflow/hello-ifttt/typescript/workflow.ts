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
  hello(argument: Json, step: Step): Answer<Json>;
  save_result(argument: Json, step: Step): Answer<Json>;
}

/** The members of the workflow data that the workflow uses. */
export type Data = { readonly payload?: Json; readonly [member: string]: Json | undefined };

/** workflow */
export const workflow = defineWorkflow({
  id: "workflow",
  version: "cd11468bc8d2ade4",
  name: "workflow",
  anyInput: true,
  errors: { expression: "SYS.FilterError", timeout: "SYS.Timeout" },
  run: async (flow: Flow, fn: Functions, data: Data): Promise<Json> => {
    // HelloWorld (operation state)
    data = (await flow.step("HelloWorld", (step) => fn.hello(data, step))) as Json as Data;
    // UpdateArg (operation state)
    data = required(data?.payload, {
      name: "SYS.FilterError",
      message: "`$.payload` selects nothing.",
    }) as Data;
    data = { value1: data } as Data;
    // SaveResult (operation state)
    data = (await flow.step("SaveResult", (step) => fn.save_result(data, step))) as Json as Data;
    // STATE-END (end state)
    return data;
  },
});
