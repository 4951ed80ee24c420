// workflow 0.1, from function-workflow. Change the definition, not this file.
import { type Flow, type Json, defineWorkflow, itemsOf, present } from "./runtime.js";
import { restOutput } from "./workflow.expressions.ts";

/** The members of the workflow data that the workflow uses. */
export type Data = {
  readonly lines?: Json;
  readonly all?: Json;
  readonly prices?: Json;
  readonly [member: string]: Json | undefined;
};

/** workflow */
export const workflow = defineWorkflow({
  id: "workflow",
  version: "726ef92eed87b428",
  name: "workflow",
  anyInput: true,
  errors: { expression: "SYS.FilterError", timeout: "SYS.Timeout" },
  run: async (flow: Flow, _fn: object, data: Data): Promise<Json> => {
    // Prices (operation state)
    data = itemsOf(data?.lines).flatMap((item) => present(item?.price)) as Json as Data;
    data = { all: { prices: data } } as Data;
    // Rest (operation state)
    data = data.all! as Data;
    data = restOutput(data) as Data;
    // Last (delay state)
    await flow.sleep("Last", 1);
    // Done (end state)
    data = { left: data } as Data;
    return data;
  },
});
