// Greet, from serverless-workflow. Change the definition, not this file.
import { type Flow, type Json, type Step, defineWorkflow } from "./runtime/index.ts";
import { absorb } from "./greet.expressions.js";

/** What the workflow calls. */
export interface Functions {
  greet(argument: { readonly name: Json }, step: Step): Promise<Json>;
}

/** The data of the workflow, as far as it is looked at. */
export type Data = { readonly name?: Json; readonly [member: string]: Json | undefined };

/** Greet */
export const greet = defineWorkflow({
  id: "greet",
  version: "a0c06b0e05440c87",
  name: "Greet",
  run: async (flow: Flow, fn: Functions, data: Data): Promise<Json> => {
    // Greet (operation state)
    const greet2 = await flow.step("Greet", (step) => fn.greet({ name: data?.name ?? null }, step));
    data = absorb(data, greet2, "greet");
    return data;
  },
});
