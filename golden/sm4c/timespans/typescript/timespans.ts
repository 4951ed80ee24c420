// timespans 1.0, from sm4c. Change the definition, not this file.
import { type Flow, type Json, defineWorkflow } from "./runtime.js";

/** timespans */
export const timespans = defineWorkflow({
  id: "timespans",
  version: "eb5723d0bbe9f96d",
  name: "timespans",
  run: async (flow: Flow, _fn: object, data: Json): Promise<Json> => {
    // First (state)
    await flow.sleep("First", 10);
    await flow.sleep("First/delay", 5400);
    await flow.sleep("First/delay-2", 86_401);
    await flow.sleep("First/delay-3", 900);
    await flow.sleep("First/delay-4", 90_000);
    await flow.sleep("First/wait", 60);
    // Last (state)
    await flow.sleep("Last", 0);
    return data;
  },
});
