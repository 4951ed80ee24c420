// workflow 0.1, from function-workflow. Change the definition, not this file.
import { type Flow, type Json, defineWorkflow, errorOf, required } from "./runtime.js";

/** The members of the workflow data that the workflow uses. */
export type Data = {
  readonly ok?: Json;
  readonly text?: Json;
  readonly [member: string]: Json | undefined;
};

/** workflow */
export const workflow = defineWorkflow({
  id: "workflow",
  version: "75b67ee896584250",
  name: "workflow",
  anyInput: true,
  errors: { expression: "SYS.FilterError", timeout: "SYS.Timeout" },
  run: async (_flow: Flow, _fn: object, data: Data): Promise<Json> => {
    // Look (switch state)
    if ((data?.ok ?? null) === true) {
      // Good (end state)
      data = required(data.text, {
        name: "SYS.FilterError",
        message: "`$.text` selects nothing.",
      }) as Data;
      return data;
    }
    // Bad (end state)
    throw errorOf({ origin: "fail", name: "SYS.Fail", message: "Bad" });
  },
});
