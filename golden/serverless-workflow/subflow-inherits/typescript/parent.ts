// A parent with definitions, from serverless-workflow. Change the definition, not this file.
import { type Flow, type Json, defineWorkflow } from "./runtime/index.ts";
import { absorb } from "./parent.expressions.js";
import { child } from "./child.ts";

/** What the workflow calls. */
export interface Functions {
}

/** A parent with definitions */
export const parent = defineWorkflow({
  id: "parent",
  version: "025a7e74e738a307",
  name: "A parent with definitions",
  events: { Done: { type: "work.done", source: "/work" } },
  run: async (flow: Flow, fn: Functions, data: Json): Promise<Json> => {
    // Sub (subflow state)
    const result = await flow.invoke("Sub", child, data, { terminates: true });
    data = absorb(data, result, "child");
    return data;
  },
});
