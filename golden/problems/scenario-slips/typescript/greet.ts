// Greet 1.0, from serverless-workflow. Change the definition, not this file.
import {
  type Answer,
  type Flow,
  type Json,
  type Step,
  assignResult,
  defineWorkflow,
} from "./runtime.js";

/** The functions that the workflow calls. */
export interface Functions {
  greet(argument: { readonly name: Json }, step: Step): Answer<Json>;
}

/** The members of the workflow data that the workflow uses. */
export type Data = { readonly name?: Json; readonly [member: string]: Json | undefined };

/** Greet */
export const greet = defineWorkflow({
  id: "greet",
  version: "a5a6c552fb93a476",
  name: "Greet",
  run: async (flow: Flow, fn: Functions, data: Data): Promise<Json> => {
    // Greet (operation state)
    const greetAnswer = await flow.step("Greet", (step) =>
      fn.greet({ name: data.name ?? null }, step),
    );
    data = assignResult(data, greetAnswer, "greet");
    return data;
  },
});
