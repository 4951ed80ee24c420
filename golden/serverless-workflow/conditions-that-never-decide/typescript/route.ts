// Route 1.0, from serverless-workflow. Change the definition, not this file.
import { type Flow, type Json, assign, defineWorkflow, isAbove, isBelow } from "./runtime.js";

/** The members of the workflow data that the workflow uses. */
export type Data = {
  readonly country?: Json;
  readonly weight?: Json;
  readonly urgent?: Json;
  readonly [member: string]: Json | undefined;
};

/** Route */
export const route = defineWorkflow({
  id: "route",
  version: "68a3a13ea23cdbca",
  name: "Route",
  run: async (_flow: Flow, _fn: object, data: Data): Promise<Json> => {
    // Route (switch state)
    if (data.country === "NL") {
      // ByRoad (inject state)
      data = assign(data, { by: "road" });
      return data;
    }
    if (!isAbove(data.weight, "heavy")) {
      if (isBelow(data.urgent, true)) {
        // ByAir (inject state)
        data = assign(data, { by: "air" });
        return data;
      }
    }
    // BySea (inject state)
    data = assign(data, { by: "sea" });
    return data;
  },
});
