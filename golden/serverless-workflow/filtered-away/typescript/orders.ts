// Orders 1.0, from serverless-workflow. Change the definition, not this file.
import {
  type Answer,
  type Flow,
  type Json,
  type Step,
  assignResult,
  defineWorkflow,
  difference,
  listIn,
  place,
} from "./runtime.js";

/** The functions that the workflow calls. */
export interface Functions {
  confirm(argument: { readonly id: Json }, step: Step): Answer<Json>;
}

/** The members of the workflow data that the workflow uses. */
export type Data = {
  readonly orders?: Json;
  readonly order?: { readonly id?: Json; readonly [member: string]: Json | undefined };
  readonly results?: Json;
  readonly [member: string]: Json | undefined;
};

/** The members of `unfiltered` that the workflow uses. */
export type Unfiltered = { readonly results?: Json; readonly [member: string]: Json | undefined };

/** Orders */
export const orders = defineWorkflow({
  id: "orders",
  version: "7d72c9a52411c780",
  name: "Orders",
  events: { Confirmed: { type: "shop.confirmed", source: "/shop" } },
  run: async (flow: Flow, fn: Functions, data: Data): Promise<Json> => {
    // Each (foreach state)
    data = (data.orders === undefined ? data : data.orders) as Data;
    const items = data?.orders === undefined ? [] : data.orders;
    const eachResults = await flow.forEach(
      "Each/iterate",
      listIn(items, {
        name: "DataError",
        message: "The collection $.orders of foreach state Each is not an array.",
      }),
      (flow, element) => eachIterate(flow, fn, element, data),
    );
    data = place(data, ["results"], eachResults);
    const unfiltered = data as Unfiltered;
    data = data.results! as Data;
    await flow.emit(
      "Each/emit",
      "Confirmed",
      data.results === undefined ? unfiltered.results! : data.results,
    );
    return data;
  },
});

/** Each, for each element */
async function eachIterate(flow: Flow, fn: Functions, element: Json, data: Data): Promise<Json> {
  data = place(data, ["order"], element);
  const input: Json = data;
  // Confirm (operation state)
  const confirm = await flow.step("Confirm", (step) =>
    fn.confirm({ id: data.order?.id ?? null }, step),
  );
  data = assignResult(data, confirm, "confirm");
  return difference(data, input);
}
