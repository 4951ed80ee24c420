// Enrich 1.0, from serverless-workflow. Change the definition, not this file.
import {
  type Answer,
  type Flow,
  type Json,
  type Step,
  assign,
  assignResult,
  defineWorkflow,
  elementOf,
  place,
} from "./runtime.js";

/** The functions that the workflow calls. */
export interface Functions {
  price(
    argument: { readonly text: Json },
    step: Step,
  ): Answer<{
    readonly answer?: { readonly price?: Json; readonly [member: string]: Json | undefined };
    readonly [member: string]: Json | undefined;
  }>;
  stock(argument: Json, step: Step): Answer<Json>;
  weigh(
    argument: Json,
    step: Step,
  ): Answer<{ readonly weights?: Json; readonly [member: string]: Json | undefined }>;
}

/** The members of the workflow data that the workflow uses. */
export type Data = {
  readonly price?: Json;
  readonly answer?: { readonly price?: Json; readonly [member: string]: Json | undefined };
  readonly [member: string]: Json | undefined;
};

/** Enrich */
export const enrich = defineWorkflow({
  id: "enrich",
  version: "4bbd3c5fa2972582",
  name: "Enrich",
  run: async (flow: Flow, fn: Functions, data: Data): Promise<Json> => {
    // Ask (operation state)
    const ask = await flow.step("Ask", (step) => fn.price({ text: "Price of $.item" }, step));
    data =
      ask?.answer?.price !== undefined
        ? assign(data, { price: ask.answer.price })
        : place(data, ["answer", "price"], ask);
    const stock = await flow.step("Ask/stock", (step) => fn.stock(data, step));
    data = assignResult(data, stock, "stock");
    const weigh = await flow.step("Ask/weigh", (step) => fn.weigh(data, step));
    data =
      elementOf(weigh?.weights, 0) !== undefined
        ? assign(data, { weights: elementOf(weigh?.weights, 0)! })
        : data;
    // Tell (switch state)
    if (!(data.price !== undefined || data.answer?.price !== undefined)) {
      // Unpriced (inject state)
      data = assign(data, { priced: false });
      return data;
    }
    // Priced (inject state)
    data = assign(data, { priced: true });
    return data;
  },
});
