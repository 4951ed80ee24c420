// A parent with definitions, from serverless-workflow. Change the definition, not this file.
import { absorb } from "./parent.expressions.js";
import { child } from "./child.ts";
import { type Flow, type Json, defineWorkflow } from "./runtime/index.ts";

/** A parent with definitions */
export const parent = defineWorkflow({
  id: "parent",
  version: "3deda0ccd1836678",
  name: "A parent with definitions",
  events: { Done: { type: "work.done", source: "/work" } },
  run: async (flow: Flow, _fn: object, data: Json): Promise<Json> => {
    // Sub (subflow state)
    const result = await flow.invoke("Sub", child, data, { terminates: true });
    data = absorb(data, result, "child");
    return data;
  },
});
