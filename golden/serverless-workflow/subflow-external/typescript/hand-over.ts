// A subflow that lives elsewhere 1.0, from serverless-workflow. Change the definition, not this file.
import {
  type Flow,
  type Json,
  defineWorkflow,
  errorData,
  failure,
  merge,
  mergeResult,
} from "./runtime.js";

/** A subflow that lives elsewhere */
export const handOver = defineWorkflow({
  id: "hand-over",
  version: "5fba1a368ca07dbb",
  name: "A subflow that lives elsewhere",
  run: async (flow: Flow, _fn: object, data: Json): Promise<Json> => {
    // HandOver (subflow state)
    try {
      await flow.attempt("HandOver", async (flow) => {
        const handOverResult = await flow.invoke("HandOver/invoke", "archive-v2", data, {
          terminates: true,
        });
        data = mergeResult(data, handOverResult, "archive-v2");
      });
    } catch (caught) {
      const error = failure(caught);
      if (error.name !== "ArchiveFull") throw caught;
      data = merge(data, { error: errorData(error) });
      // Later (inject state)
      data = merge(data, { archived: false });
      return data;
    }
    return data;
  },
});
