// Paths that lead nowhere 1.0, from serverless-workflow. Change the definition, not this file.
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
  elementOf,
  errorOf,
  everything,
  itemsOf,
  memberOf,
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
  greet(argument: Json, step: Step): Answer<Json>;
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
export type Receipt = { readonly receipt: string; readonly [member: string]: Json | undefined };

/** The members of the workflow data that the workflow uses. */
export type Data = {
  readonly chanel?: Json;
  readonly items: Json;
  readonly item?: {
    readonly sku?: Json;
    readonly parts?: Json;
    readonly [member: string]: Json | undefined;
  };
  readonly nubmer?: Json;
  readonly customer: {
    readonly nmae?: Json;
    readonly name?: Json;
    readonly [member: string]: Json | undefined;
  };
  readonly client?: Json;
  readonly [member: string]: Json | undefined;
};

/** Paths that lead nowhere */
export const pack = defineWorkflow({
  id: "pack",
  version: "5028dde78172edab",
  name: "Paths that lead nowhere",
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
    if (!(data.chanel === "web" || memberOf(data.items, "price") !== undefined)) {
      // Pack (foreach state)
      await flow.forEach(
        "Pack",
        itemsOf(data.items).filter((item) => comparesNodes(present(item.prize), ">", [0])),
        (flow, element) => packEach(flow, fn, element, data),
      );
      // Done (inject state)
      data = assign(data, { receipt: 7 });
      return data as Json as Receipt;
    }
    // Greet (operation state)
    const greetResults = await flow.fork("Greet", {
      greet: (flow) => greetGreet(flow, fn, data),
      "greet-2": (flow) => greetGreet2(flow, fn, data),
    });
    data = assignMember(data, "greeted", greetResults.greet);
    assignMember(data, "greetedAgain", greetResults["greet-2"]);
    throw errorOf({
      origin: "denied",
      name: "TransitionDenied",
      message:
        "The transition from Greet to Pack was denied: $.customer.rank eq 'gold' does not hold.",
    });
  },
});

/** Greet / greet */
async function greetGreet(flow: Flow, fn: Functions, data: Data): Promise<Json> {
  const greet = await flow.step("Greet/greet", (step) =>
    fn.greet(
      {
        name: data.customer.nmae ?? null,
        first: elementOf(data.customer.name, 0) ?? null,
        deep: everything(data).flatMap((item) => present(item?.skew)),
        none: memberOf(memberOf(data.customer.name, "first"), "letter") ?? null,
      },
      step,
    ),
  );
  return greet;
}

/** Greet / greet-2 */
async function greetGreet2(flow: Flow, fn: Functions, data: Data): Promise<Json> {
  const greet2 = await flow.step("Greet/greet-2", (step) =>
    fn.greet(
      {
        level:
          memberOf(memberOf(data.client === undefined ? data : data.client, "customer"), "level") ??
          null,
      },
      step,
    ),
  );
  return greet2;
}

/** Pack, for each element */
async function packEach(flow: Flow, fn: Functions, element: Json, data: Data): Promise<Json> {
  data = place(data, ["item"], element);
  // Item (operation state)
  const item = await flow.step("Item", (step) =>
    fn.pack(
      {
        sku: data.item!.sku!,
        parts: itemsOf(data.item!.parts).flatMap((item) => present(item?.sku?.code)),
        order: data.nubmer ?? null,
      },
      step,
    ),
  );
  data = assignResult(data, item, "pack");
  return data;
}
