// workflow 0.1, from function-workflow. Change the definition, not this file.
import { type Flow, type Json, defineWorkflow, required } from "./runtime.js";

/** The members of the workflow data that the workflow uses. */
export type Data = {
  readonly order?: Json;
  readonly id?: Json;
  readonly [member: string]: Json | undefined;
};

/** workflow */
export const workflow = defineWorkflow({
  id: "workflow",
  version: "ec16b2a859025f4f",
  name: "workflow",
  anyInput: true,
  errors: { expression: "SYS.FilterError", timeout: "SYS.Timeout" },
  run: async (flow: Flow, _fn: object, data: Data): Promise<Json> => {
    // Wait (delay state)
    data = required(data?.order, {
      name: "SYS.FilterError",
      message: "`$.order` selects nothing.",
    }) as Data;
    await flow.sleep("Wait/delay", 90);
    // Again (delay state)
    await flow.sleep("Again", 60);
    // Until (delay state)
    await flow.sleepUntil("Until", "2026-01-01T01:00:00Z");
    data = required(data?.id, {
      name: "SYS.FilterError",
      message: "`$.id` selects nothing.",
    }) as Data;
    // Done (end state)
    return data;
  },
});
