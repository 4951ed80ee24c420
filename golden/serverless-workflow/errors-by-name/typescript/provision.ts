// Errors by name 1.0, from serverless-workflow. Change the definition, not this file.
import {
  type Answer,
  type Flow,
  type Json,
  type Step,
  assign,
  assignResult,
  defineWorkflow,
  errorData,
  failure,
  place,
} from "./runtime.js";

/** The functions that the workflow calls. */
export interface Functions {
  provision(argument: { readonly order: Json }, step: Step): Answer<Json>;
}

/** The members of the workflow data that the workflow uses. */
export type Data = {
  readonly order?: Json;
  readonly result?: Json;
  readonly [member: string]: Json | undefined;
};

/** Errors by name */
export const provision = defineWorkflow({
  id: "provision",
  version: "720c00366bcb3cb2",
  name: "Errors by name",
  run: async (flow: Flow, fn: Functions, data: Data): Promise<Json> => {
    // Provision (operation state)
    try {
      await flow.attempt("Provision", async (flow) => {
        const provisionAnswer = await flow.step("Provision/provision", (step) =>
          fn.provision({ order: data.order ?? null }, step),
        );
        data = assignResult(data, provisionAnswer, "provision");
      });
    } catch (caught) {
      const error = failure(caught);
      if (error.name === "MissingId") {
        data = place(data, ["error"], errorData(error));
        // NoId (inject state)
        data = assign(data, { at: "NoId" });
        return data;
      }
      if (error.name === "MissingItem" || error.name === "MissingAmount") {
        data = place(data, ["problem"], errorData(error));
        // Incomplete (inject state)
        data = assign(data, { at: "Incomplete" });
        return data;
      }
      if (error.name === "Fatal") throw caught;
      data = place(data, ["error"], errorData(error));
      // Other (inject state)
      data = assign(data, { at: "Other" });
      return data;
    }
    data = (data.result === undefined ? data : data.result) as Data;
    return data;
  },
});
