// Order 1.0, from serverless-workflow. Change the definition, not this file.
import {
  type Answer,
  type Flow,
  type Json,
  type Step,
  assign,
  assignMember,
  assignResult,
  defineWorkflow,
  itemsOf,
} from "./runtime.js";

/** The functions that the workflow calls. */
export interface Functions {
  quote(
    argument: { readonly item: Json; readonly color?: Json },
    step: Step,
  ): Answer<{
    readonly price: { readonly total: number; readonly lines: readonly { readonly sku: string }[] };
  }>;
  charge(
    argument: { readonly order: Json; readonly amount: Json; readonly lines: Json },
    step: Step,
  ): Answer<{ readonly receipt: { readonly status: string; readonly customer: Json } }>;
  notify(argument: { readonly to: Json }, step: Step): Answer<Json>;
}

/** The members of the workflow data that the workflow uses. */
export type Data = {
  readonly item?: Json;
  readonly id?: Json;
  readonly price?: {
    readonly total?: Json;
    readonly lines?: Json;
    readonly [member: string]: Json | undefined;
  };
  readonly receipt?: {
    readonly customer?: { readonly email?: Json; readonly [member: string]: Json | undefined };
    readonly status?: Json;
    readonly [member: string]: Json | undefined;
  };
  readonly [member: string]: Json | undefined;
};

/** Order */
export const order = defineWorkflow({
  id: "order",
  version: "67e0632e6ff9740e",
  name: "Order",
  run: async (flow: Flow, fn: Functions, data: Data): Promise<Json> => {
    // Order (operation state)
    const orderAnswer = await flow.step("Order", (step) =>
      fn.quote({ item: data.item ?? null, color: "red" }, step),
    );
    data = assign(data, orderAnswer);
    const charge = await flow.step("Order/charge", (step) =>
      fn.charge(
        {
          order: data.id ?? null,
          amount: data.price!.total!,
          lines: itemsOf(data.price!.lines).map((item) => item.sku),
        },
        step,
      ),
    );
    data = assignMember(data, "receipt", charge);
    const notify = await flow.step("Order/notify", (step) =>
      fn.notify({ to: data.receipt!.customer!.email! }, step),
    );
    data = assignResult(data, notify, "notify");
    // Decide (switch state)
    if (data.receipt!.status === "paid") {
      // Done (inject state)
      data = assign(data, { done: true });
      return data;
    }
    // Failed (inject state)
    data = assign(data, { done: false });
    return data;
  },
});
