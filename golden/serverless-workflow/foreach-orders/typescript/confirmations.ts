// Confirm each completed order 1.0, from serverless-workflow. Change the definition, not this file.
import {
  type Answer,
  type Flow,
  type Json,
  type Step,
  assignResult,
  defineWorkflow,
  itemsOf,
  place,
} from "./runtime.js";

/** The functions that the workflow calls. */
export interface Functions {
  mail(argument: { readonly number: Json; readonly shop: Json }, step: Step): Answer<Json>;
}

/** The members of the workflow data that the workflow uses. */
export type Data = {
  readonly order?: { readonly number?: Json; readonly [member: string]: Json | undefined };
  readonly shop?: Json;
  readonly orders?: Json;
  readonly [member: string]: Json | undefined;
};

/** Confirm each completed order */
export const confirmations = defineWorkflow({
  id: "confirmations",
  version: "f413a444344cc13b",
  name: "Confirm each completed order",
  run: async (flow: Flow, fn: Functions, data: Data): Promise<Json> => {
    // Each (foreach state)
    await flow.forEach(
      "Each",
      itemsOf(data.orders).filter((item) => item?.completed === true),
      (flow, element) => each(flow, fn, element, data),
    );
    return data;
  },
});

/** Each, for each element */
async function each(flow: Flow, fn: Functions, element: Json, data: Data): Promise<Json> {
  data = place(data, ["order"], element);
  // Mail (operation state)
  const mail = await flow.step("Mail", (step) =>
    fn.mail({ number: data.order!.number ?? null, shop: data.shop ?? null }, step),
  );
  data = assignResult(data, mail, "mail");
  return data;
}
