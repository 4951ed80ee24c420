// Pack an order 1.0, from serverless-workflow. Change the definition, not this file.
import {
  type Answer,
  type Flow,
  type Json,
  type Step,
  assign,
  assignMember,
  assignResult,
  comparesNodes,
  defineWorkflow,
  itemsOf,
  place,
  present,
  schemaViolation,
} from "./runtime.js";

/** The functions that the workflow calls. */
export interface Functions {
  pack(
    argument: { readonly sku: Json; readonly parts: Json; readonly order: Json },
    step: Step,
  ): Answer<Json>;
  greet(argument: { readonly name: Json; readonly level: Json }, step: Step): Answer<Json>;
}

/** The input of a run, according to its schema. */
export type Order = {
  /** Counts from 1. */
  readonly number: number;
  readonly customer: Customer;
  readonly items: readonly Item[];
  readonly channel?: "shop" | "web";
};

/** `customer` in the schema. */
export type Customer = { readonly name: string; readonly level?: string | null };

/** `item` in the schema. */
export type Item = {
  readonly sku: string;
  readonly price: number;
  readonly parts?: readonly Item[];
};

/** The output of a run, according to its schema. */
export type Receipt = {
  readonly number: number;
  readonly state: "packed";
  readonly [member: string]: Json | undefined;
};

/** The members of the workflow data that the workflow uses. */
export type Data = {
  readonly channel?: Json;
  readonly customer: {
    readonly name?: Json;
    readonly level?: Json;
    readonly [member: string]: Json | undefined;
  };
  readonly item?: {
    readonly sku?: Json;
    readonly parts?: Json;
    readonly [member: string]: Json | undefined;
  };
  readonly number: Json;
  readonly items: Json;
  readonly [member: string]: Json | undefined;
};

/** Pack an order */
export const pack = defineWorkflow({
  id: "pack",
  version: "3cb88f34dfd3b5c1",
  name: "Pack an order",
  inputViolation: (input: Json) =>
    schemaViolation(input, [
      {
        type: ["object"],
        properties: {
          number: { type: ["integer"] },
          customer: { $ref: 1 },
          items: { type: ["array"], items: { $ref: 2 } },
          channel: { enum: ["shop", "web"] },
        },
        required: ["number", "customer", "items"],
        additionalProperties: false,
      },
      {
        type: ["object"],
        properties: { name: { type: ["string"] }, level: { type: ["string", "null"] } },
        required: ["name"],
        additionalProperties: false,
      },
      {
        type: ["object"],
        properties: {
          sku: { type: ["string"] },
          price: { type: ["number"] },
          parts: { type: ["array"], items: { $ref: 2 } },
        },
        required: ["sku", "price"],
        additionalProperties: false,
      },
    ]),
  run: async (flow: Flow, fn: Functions, order: Order): Promise<Receipt> => {
    let data: Data = order;
    // Route (switch state)
    if (data.channel === "web") {
      // Greet (operation state)
      const greet = await flow.step("Greet", (step) =>
        fn.greet({ name: data.customer.name!, level: data.customer.level ?? null }, step),
      );
      data = assignMember(data, "greeted", greet);
    }
    // Pack (foreach state)
    await flow.forEach(
      "Pack",
      itemsOf(data.items).filter((item) => comparesNodes(present(item.price), ">", [0])),
      (flow, element) => packEach(flow, fn, element, data),
    );
    // Done (inject state)
    data = assign(data, { state: "packed" });
    return data as Json as Receipt;
  },
});

/** Pack, for each element */
async function packEach(flow: Flow, fn: Functions, element: Json, data: Data): Promise<Json> {
  data = place(data, ["item"], element);
  // Item (operation state)
  const item = await flow.step("Item", (step) =>
    fn.pack(
      {
        sku: data.item!.sku!,
        parts: itemsOf(data.item!.parts).flatMap((item) => present(item?.sku)),
        order: data.number,
      },
      step,
    ),
  );
  data = assignResult(data, item, "pack");
  return data;
}
