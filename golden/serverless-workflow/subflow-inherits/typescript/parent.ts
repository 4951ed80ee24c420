// A parent with definitions 1.0, from serverless-workflow. Change the definition, not this file.
import { child } from "./child.ts";
import { type Flow, type Json, assign, defineWorkflow } from "./runtime.js";

/** A parent with definitions */
export const parent = defineWorkflow({
  id: "parent",
  version: "446bfe3bf02a88bb",
  name: "A parent with definitions",
  events: { Done: { type: "work.done", source: "/work" } },
  run: async (flow: Flow, _fn: object, data: Json): Promise<Json> => {
    // Sub (subflow state)
    const subResult = await flow.invoke("Sub", child, data, { terminates: true });
    data = assign(data, subResult);
    return data;
  },
});
