// sequence-results 1.0, from sm4c. Change the definition, not this file.
import {
  type Answer,
  type Flow,
  type Json,
  type Step,
  defineWorkflow,
  either,
  plus,
} from "./runtime.js";

/** The functions that the workflow calls. */
export interface Functions {
  price(argument: { readonly sku: Json }, step: Step): Answer<Json>;
  tax(argument: { readonly price: Json }, step: Step): Answer<Json>;
}

/** The members of the workflow data that the workflow uses. */
export type Data = {
  readonly sku?: Json;
  readonly count?: Json;
  readonly price?: Json;
  readonly [member: string]: Json | undefined;
};

/** sequence-results */
export const sequenceResults = defineWorkflow({
  id: "sequence-results",
  version: "d5b45032202f7178",
  name: "sequence-results",
  run: async (flow: Flow, fn: Functions, data: Data): Promise<Json> => {
    // Sum (state)
    const sum = await flow.step("Sum", (step) => fn.price({ sku: data.sku ?? null }, step));
    const result2 = either(data.count ?? null, 0);
    const tax = await flow.step("Sum/tax", (step) => fn.tax({ price: data.price ?? null }, step));
    const result4 = { "0": tax, rate: 0.2 };
    await flow.sleep("Sum/pause", 1);
    data = plus(data, { price: sum, "1": result2, taxes: result4, pause: null }) as Data;
    return data;
  },
});
