// foreach-elements 1.0, from sm4c. Change the definition, not this file.
import { shipValue } from "./foreach-elements.expressions.ts";
import {
  type Answer,
  type Flow,
  type Json,
  type Step,
  defineWorkflow,
  elementsOf,
  get,
  keys,
  listIn,
  withMember,
} from "./runtime.js";

/** The functions that the workflow calls. */
export interface Functions {
  ship(argument: { readonly sku: Json; readonly all: Json }, step: Step): Answer<Json>;
}

/** The members of the workflow data that the workflow uses. */
export type Data = { readonly lines?: Json; readonly [member: string]: Json | undefined };

/** foreach-elements */
export const foreachElements = defineWorkflow({
  id: "foreach-elements",
  version: "884dbf8c17aabb27",
  name: "foreach-elements",
  run: async (flow: Flow, fn: Functions, data: Data): Promise<Json> => {
    // Ship (state)
    const shipResults = await flow.forEach(
      "Ship",
      shipValue(data) as readonly Json[],
      (flow, element) => ship(flow, fn, element),
      { width: 1 },
    );
    data = withMember(data, "parcels", shipResults);
    // Twice (state)
    const items = data.lines ?? null;
    const twiceResults = await flow.forEach(
      "Twice",
      listIn(items, {
        name: "SM4C.NotAnArray",
        message: "The input of a foreach action has to give an array.",
      }),
      (flow, element) => twice(flow, element),
      { width: 2 },
    );
    {
      const value2 = elementsOf(twiceResults).map((item) => get(item, "sku"));
      data = withMember(data, "skus", value2);
    }
    return data;
  },
});

/** Ship, for each element */
async function ship(flow: Flow, fn: Functions, element: Json): Promise<Json> {
  const shipAnswer = await flow.step("ship", (step) =>
    fn.ship({ sku: get(element, "sku"), all: keys(element) }, step),
  );
  return shipAnswer;
}

/** Twice, for each element */
async function twice(flow: Flow, element: Json): Promise<Json> {
  await flow.sleep("pause", 1);
  const result = get(element, "sku");
  return { pause: null, sku: result };
}
