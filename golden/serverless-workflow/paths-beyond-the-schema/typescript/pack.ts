// Paths that lead nowhere, from serverless-workflow. Change the definition, not this file.
import { type Flow, type Json, type Step, defineWorkflow, errorOf } from "./runtime/index.ts";
import { absorb, comparesNodes, greetGreet2, itemsOf, memberOf, merge, packItem, place, present, satisfies } from "./pack.expressions.js";

/** What the workflow calls. */
export interface Functions {
  greet(argument: Json, step: Step): Promise<Json>;
  pack(argument: Json, step: Step): Promise<Json>;
}

/** The data of the workflow, as far as it is looked at. */
export type Data = {
  readonly chanel?: Json;
  readonly items?: { readonly price?: Json; readonly [member: string]: Json | undefined };
  readonly customer?: {
    readonly nmae?: Json;
    readonly name?: Json;
    readonly rank?: Json;
    readonly [member: string]: Json | undefined;
  };
  readonly client?: Json;
  readonly item?: {
    readonly sku?: Json;
    readonly parts?: Json;
    readonly [member: string]: Json | undefined;
  };
  readonly [member: string]: Json | undefined;
};

/** Greet / greet */
const greetGreet = async (flow: Flow, fn: Functions, data: Data): Promise<Json> => {
  const greet = await flow.step("Greet/greet", (step) => fn.greet(greetGreet2(data), step));
  return greet;
};

/** Greet / greet-2 */
const greetGreet22 = async (flow: Flow, fn: Functions, data: Data): Promise<Json> => {
  const greet = await flow.step("Greet/greet-2", (step) => fn.greet({
    level: memberOf(memberOf(data?.client === undefined ? data : data?.client, "customer"), "level") ?? null,
  }, step));
  return greet;
};

/** Pack, for each element */
const pack2 = async (flow: Flow, fn: Functions, element: Json, data: Data): Promise<Json> => {
  data = place(data, ["item"], element);
  // Item (operation state)
  const pack3 = await flow.step("Item", (step) => fn.pack(packItem(data), step));
  data = absorb(data, pack3, "pack");
  return data;
};

/** Paths that lead nowhere */
export const pack = defineWorkflow({
  id: "pack",
  version: "c92f42d8afc78568",
  name: "Paths that lead nowhere",
  run: async (flow: Flow, fn: Functions, data: Data): Promise<Json> => {
    pack2: {
      // Route (switch state)
      if (!(satisfies(present(data?.chanel), "equals", "web") || data?.items?.price !== undefined)) {
        break pack2;
      }
      // Greet (operation state)
      const results = await flow.fork("Greet", {
        greet: (flow) => greetGreet(flow, fn, data),
        "greet-2": (flow) => greetGreet22(flow, fn, data),
      });
      data = memberOf(results.greet, "greeted") !== undefined
        ? merge(data, { greeted: memberOf(results.greet, "greeted") ?? null })
        : place(data, ["greeted"], results.greet);
      data = memberOf(results["greet-2"], "greetedAgain") !== undefined
        ? merge(data, { greetedAgain: memberOf(results["greet-2"], "greetedAgain") ?? null })
        : place(data, ["greetedAgain"], results["greet-2"]);
      if (data?.customer?.rank !== "gold") {
        throw errorOf({
          origin: "denied",
          name: "TransitionDenied",
          message: "The transition from Greet to Pack was denied: $.customer.rank eq 'gold' does not hold.",
        });
      }
    }
    // Pack (foreach state)
    await flow.forEach("Pack", itemsOf(data?.items).filter((item) => comparesNodes(present(item?.prize), ">", [0])), (flow, element) => pack2(flow, fn, element, data));
    // Done (inject state)
    data = merge(data, { receipt: 7 });
    return data;
  },
});
