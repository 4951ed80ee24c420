// Events on the way and at the end 1.0, from serverless-workflow. Change the definition, not this file.
import {
  type Answer,
  type Flow,
  type Json,
  type Step,
  assign,
  assignResult,
  attributeOf,
  defineWorkflow,
  firstScalar,
} from "./runtime.js";

/** The functions that the workflow calls. */
export interface Functions {
  pack(argument: { readonly id: Json }, step: Step): Answer<Json>;
}

/** The members of the workflow data that the workflow uses. */
export type Data = {
  readonly orderId?: Json;
  readonly parcel?: { readonly id?: Json; readonly [member: string]: Json | undefined };
  readonly carrier?: Json;
  readonly [member: string]: Json | undefined;
};

/** Events on the way and at the end */
export const ship = defineWorkflow({
  id: "ship",
  version: "041733ef5aee679c",
  name: "Events on the way and at the end",
  events: {
    Packed: { type: "shop.packed", source: "/shop" },
    Shipped: {
      type: "shop.shipped",
      source: "/shop",
      correlation: (event) => attributeOf(event, "orderId"),
      correlationKey: "orderId",
      correlationAttribute: "orderid",
    },
  },
  correlation: (data: Data, run) => firstScalar(data.orderId, run.id),
  run: async (flow: Flow, fn: Functions, data: Data): Promise<Json> => {
    // Pack (operation state)
    const pack = await flow.step("Pack", (step) => fn.pack({ id: data.orderId ?? null }, step));
    data = assignResult(data, pack, "pack");
    await flow.emit("Pack/emit", "Packed", data.parcel ?? null);
    // Ship (inject state)
    data = assign(data, { carrier: "mail" });
    await flow.emit(
      "Ship/emit",
      "Shipped",
      { parcel: data.parcel?.id ?? null, by: data.carrier!, note: "plain text" },
      { correlation: data.orderId },
    );
    return data;
  },
});
