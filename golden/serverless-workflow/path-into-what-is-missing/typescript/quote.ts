// Ask for a price 1.0, from serverless-workflow. Change the definition, not this file.
import {
  type Answer,
  type Flow,
  type Json,
  type Step,
  assign,
  assignResult,
  defineWorkflow,
} from "./runtime.js";

/** The functions that the workflow calls. */
export interface Functions {
  ask(argument: { readonly before: Json }, step: Step): Answer<Json>;
}

/** The members of the workflow data that the workflow uses. */
export type Data = {
  readonly price?: { readonly amount?: Json; readonly [member: string]: Json | undefined };
  readonly [member: string]: Json | undefined;
};

/** Ask for a price */
export const quote = defineWorkflow({
  id: "quote",
  version: "51be5a580addc58a",
  name: "Ask for a price",
  run: async (flow: Flow, fn: Functions, data: Data): Promise<Json> => {
    // Known (switch state)
    if ((data.price as unknown) === undefined) {
      // Ask (operation state)
      const ask = await flow.step("Ask", (step) =>
        fn.ask({ before: data.price?.amount ?? null }, step),
      );
      data = assignResult(data, ask, "ask");
      return data;
    }
    // Tell (inject state)
    data = assign(data, { told: true });
    return data;
  },
});
