// Parcels of a depot, "${ScalesArn}" 1.0, from serverless-workflow. Change the definition, not this file.
import { customs } from "./customs.ts";
import {
  type Answer,
  type Flow,
  type Json,
  type Step,
  assign,
  assignResult,
  defineWorkflow,
} from "./runtime.js";

/** The functions that the workflow calls. */
export interface Functions {
  weigh(argument: { readonly parcel: Json; readonly unit: Json }, step: Step): Answer<Json>;
  label(argument: { readonly parcel: Json }, step: Step): Answer<Json>;
  load(argument: { readonly parcel: Json }, step: Step): Answer<Json>;
  queue(argument: { readonly parcel: Json }, step: Step): Answer<Json>;
  archive(argument: { readonly Bucket: Json; readonly Key: Json }, step: Step): Answer<Json>;
  tell(argument: { readonly parcel: Json }, step: Step): Answer<Json>;
}

/** The members of the workflow data that the workflow uses. */
export type Data = {
  readonly parcel?: Json;
  readonly label?: Json;
  readonly [member: string]: Json | undefined;
};

/** Parcels of a depot, "${ScalesArn}" */
export const parcelDepot = defineWorkflow({
  id: "parcel-depot",
  version: "cb34078d4cb89c76",
  name: 'Parcels of a depot, "\u0024{ScalesArn}"',
  events: { Loaded: { type: "parcel.loaded", source: "/depot" } },
  run: async (flow: Flow, fn: Functions, data: Data): Promise<Json> => {
    // Weigh (operation state)
    const weigh = await flow.step("Weigh", (step) =>
      fn.weigh({ parcel: data.parcel ?? null, unit: "\u0024{ScalesArn}" }, step),
    );
    data = assignResult(data, weigh, "weight");
    const label = await flow.step("Weigh/label", (step) =>
      fn.label({ parcel: data.parcel ?? null }, step),
    );
    data = assignResult(data, label, "label");
    // Customs (subflow state)
    const customsResult = await flow.invoke("Customs", customs, data, { terminates: true });
    data = assign(data, customsResult);
    // Load (operation state)
    const load = await flow.step("Load", (step) => fn.load({ parcel: data.parcel ?? null }, step));
    data = assignResult(data, load, "load");
    const queue = await flow.step("Load/queue", (step) =>
      fn.queue({ parcel: data.parcel ?? null }, step),
    );
    data = assignResult(data, queue, "queue");
    const archive = await flow.step("Load/archive", (step) =>
      fn.archive({ Bucket: "parcels", Key: data.parcel ?? null }, step),
    );
    data = assignResult(data, archive, "archive");
    const tell = await flow.step("Load/tell", (step) =>
      fn.tell({ parcel: data.parcel ?? null }, step),
    );
    data = assignResult(data, tell, "tell");
    await flow.emit("Load/emit", "Loaded", data.label ?? null);
    return data;
  },
});
