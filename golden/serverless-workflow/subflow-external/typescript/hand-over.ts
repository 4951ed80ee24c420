// A subflow that lives elsewhere 1.0, from serverless-workflow. Change the definition, not this file.
import {
  type Flow,
  type Json,
  assign,
  assignResult,
  defineWorkflow,
  errorData,
  failure,
  place,
} from "./runtime.js";

/** A subflow that lives elsewhere */
export const handOver = defineWorkflow({
  id: "hand-over",
  version: "ed7fbf20ebf9c3ed",
  name: "A subflow that lives elsewhere",
  run: async (flow: Flow, _fn: object, data: Json): Promise<Json> => {
    // HandOver (subflow state)
    try {
      await flow.attempt("HandOver", async (flow) => {
        const handOverResult = await flow.invoke("HandOver/invoke", "archive-v2", data, {
          terminates: true,
        });
        data = assignResult(data, handOverResult, "archive-v2");
      });
    } catch (caught) {
      const error = failure(caught);
      if (error.name !== "ArchiveFull") throw caught;
      data = place(data, ["error"], errorData(error));
      // Later (inject state)
      data = assign(data, { archived: false });
      return data;
    }
    return data;
  },
});
