// Route, from serverless-workflow. Change the definition, not this file.
import {
  type Flow,
  type Json,
  defineWorkflow,
  merge,
  present,
  switchCondition,
} from "./runtime/index.ts";

/** The data of the workflow, as far as it is looked at. */
export type Data = {
  readonly country?: Json;
  readonly weight?: Json;
  readonly urgent?: Json;
  readonly [member: string]: Json | undefined;
};

/** Route */
export const route = defineWorkflow({
  id: "route",
  version: "3f4a5d30de2fbe6f",
  name: "Route",
  run: async (flow: Flow, _fn: object, data: Data): Promise<Json> => {
    byAir: {
      // Route (switch state)
      if (switchCondition(present(data?.country), "equals", "NL")) {
        // ByRoad (inject state)
        data = merge(data, { by: "road" });
        return data;
      }
      if (!switchCondition(present(data?.weight), "greaterthan", "heavy")) {
        if (
          switchCondition(present(data?.country), "equals", "NL") ||
          switchCondition(present(data?.urgent), "lessthan", true)
        )
          break byAir;
      }
      // BySea (inject state)
      data = merge(data, { by: "sea" });
      return data;
    }
    // ByAir (inject state)
    data = merge(data, { by: "air" });
    return data;
  },
});
