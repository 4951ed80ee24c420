// Price an offer 1.0, from serverless-workflow. Change the definition, not this file.
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
  basePrice(argument: { readonly sku: Json }, step: Step): Answer<Json>;
  discount(argument: { readonly price: Json; readonly level: Json }, step: Step): Answer<Json>;
}

/** The members of the workflow data that the workflow uses. */
export type Data = {
  readonly sku?: Json;
  readonly price?: Json;
  readonly customer?: { readonly level?: Json; readonly [member: string]: Json | undefined };
  readonly [member: string]: Json | undefined;
};

/** Price an offer */
export const quote = defineWorkflow({
  id: "quote",
  version: "3179b2407ead6715",
  name: "Price an offer",
  run: async (flow: Flow, fn: Functions, data: Data): Promise<Json> => {
    // Price (operation state)
    const price = await flow.step("Price", (step) => fn.basePrice({ sku: data.sku ?? null }, step));
    data = assignResult(data, price, "basePrice");
    const discount = await flow.step("Price/discount", (step) =>
      fn.discount({ price: data.price ?? null, level: data.customer?.level ?? null }, step),
    );
    data = assignResult(data, discount, "discount");
    return data;
  },
});
