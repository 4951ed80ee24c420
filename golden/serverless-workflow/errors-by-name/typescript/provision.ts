// Errors by name, from serverless-workflow. Change the definition, not this file.
import { type Flow, type Json, type Step, defineWorkflow, failure } from "./runtime/index.ts";
import { absorb, memberOf, merge, place } from "./provision.expressions.js";

/** What the workflow calls. */
export interface Functions {
  provision(argument: { readonly order: Json }, step: Step): Promise<Json>;
}

/** The data of the workflow, as far as it is looked at. */
export type Data = {
  readonly order?: Json;
  readonly result?: Json;
  readonly [member: string]: Json | undefined;
};

/** Errors by name */
export const provision = defineWorkflow({
  id: "provision",
  version: "afe86405f3009c52",
  name: "Errors by name",
  run: async (flow: Flow, fn: Functions, data: Data): Promise<Json> => {
    // Provision (operation state)
    try {
      await flow.attempt("Provision", async (flow) => {
        const provision2 = await flow.step("Provision/provision", (step) => fn.provision({ order: data?.order ?? null }, step));
        data = absorb(data, provision2, "provision");
      });
    } catch (caught) {
      const error = failure(caught);
      if (error.name === "MissingId") {
        data = merge(
          data,
          {
            error: merge(
              { name: error.name, message: error.message },
              memberOf(error.data, "trace") === undefined ? {} : { trace: memberOf(error.data, "trace") },
            ),
          },
        );
        // NoId (inject state)
        data = merge(data, { at: "NoId" });
        return data;
      }
      if (error.name === "MissingItem" || error.name === "MissingAmount") {
        const error2 = error;
        data = place(
          data,
          ["problem"],
          merge(
            { name: error2.name, message: error2.message },
            memberOf(error2.data, "trace") === undefined ? {} : { trace: memberOf(error2.data, "trace") },
          ),
        );
        // Incomplete (inject state)
        data = merge(data, { at: "Incomplete" });
        return data;
      }
      if ((error.name === "Fatal")) throw caught;
      const error3 = error;
      data = merge(
        data,
        {
          error: merge(
            { name: error3.name, message: error3.message },
            memberOf(error3.data, "trace") === undefined ? {} : { trace: memberOf(error3.data, "trace") },
          ),
        },
      );
      // Other (inject state)
      data = merge(data, { at: "Other" });
      return data;
    }
    data = (data?.result === undefined ? data : data?.result) as Data;
    return data;
  },
});
