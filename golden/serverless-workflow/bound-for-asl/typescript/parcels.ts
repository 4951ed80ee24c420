// Parcels 1.0, from serverless-workflow. Change the definition, not this file.
import {
  type Answer,
  type Flow,
  type Json,
  type Step,
  assignResult,
  defineWorkflow,
  errorData,
  failure,
  place,
} from "./runtime.js";

/** The functions that the workflow calls. */
export interface Functions {
  charge(argument: { readonly amount: Json }, step: Step): Answer<Json>;
  label(argument: { readonly parcel: Json }, step: Step): Answer<Json>;
  pack(argument: { readonly items: Json }, step: Step): Answer<Json>;
  queue(argument: { readonly parcel: Json }, step: Step): Answer<Json>;
  store(argument: { readonly TableName: Json; readonly Key: Json }, step: Step): Answer<Json>;
  tell(argument: { readonly id: Json }, step: Step): Answer<Json>;
}

/** The members of the workflow data that the workflow uses. */
export type Data = {
  readonly amount?: Json;
  readonly id?: Json;
  readonly items?: Json;
  readonly packed?: Json;
  readonly label?: Json;
  readonly [member: string]: Json | undefined;
};

/** Parcels */
export const parcels = defineWorkflow({
  id: "parcels",
  version: "f98abe543ba0afdf",
  name: "Parcels",
  events: { Packed: { type: "parcel.packed", source: "/parcels" } },
  run: async (flow: Flow, fn: Functions, data: Data): Promise<Json> => {
    // Prepare (operation state)
    try {
      await flow.attempt("Prepare", async (flow) => {
        const charged = await flow.step("Prepare/charged", (step) =>
          fn.charge({ amount: data.amount ?? null }, step),
        );
        data = assignResult(data, charged, "charged");
        const label = await flow.step("Prepare/label", (step) =>
          fn.label({ parcel: data.id ?? null }, step),
        );
        data = assignResult(data, label, "label");
        const packed = await flow.step("Prepare/packed", (step) =>
          fn.pack({ items: data.items ?? null }, step),
        );
        data = assignResult(data, packed, "packed");
      });
    } catch (caught) {
      const error = failure(caught);
      if (error.name !== "Declined") throw caught;
      data = place(data, ["error"], errorData(error));
      // Refused (operation state)
      const refused = await flow.step("Refused", (step) => fn.tell({ id: data.id ?? null }, step));
      data = assignResult(data, refused, "tell");
      return data;
    }
    // Hand over (operation state)
    const handOver = await flow.step("Hand over", (step) =>
      fn.queue({ parcel: data.packed ?? null }, step),
    );
    data = assignResult(data, handOver, "queued");
    const stored = await flow.step("Hand over/stored", (step) =>
      fn.store({ TableName: "parcels", Key: data.id ?? null }, step),
    );
    data = assignResult(data, stored, "stored");
    await flow.emit("Hand over/emit", "Packed", data.label ?? null);
    return data;
  },
});
