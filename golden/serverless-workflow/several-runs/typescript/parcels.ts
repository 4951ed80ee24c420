// Parcels 1.0, from serverless-workflow. Change the definition, not this file.
import {
  type Answer,
  type Flow,
  type Json,
  type Step,
  attributeOf,
  defineWorkflow,
  mergeEvent,
  mergeResult,
} from "./runtime.js";

/** The functions that the workflow calls. */
export interface Functions {
  pack(argument: { readonly parcel: Json }, step: Step): Answer<Json>;
}

/** The members of the workflow data that the workflow uses. */
export type Data = { readonly parcel?: Json; readonly [member: string]: Json | undefined };

/** Parcels */
export const parcels = defineWorkflow({
  id: "parcels",
  version: "58c227d1265acf38",
  name: "Parcels",
  events: {
    Weighed: { type: "parcel.weighed", source: "/scales" },
    Signed: {
      type: "parcel.signed",
      source: "/couriers",
      correlation: (event) => attributeOf(event, "parcel"),
      correlationAttribute: "parcel",
    },
  },
  correlation: (data: Data, run) => (data.parcel === undefined ? run.id : data.parcel),
  run: async (flow: Flow, fn: Functions, data: Data): Promise<Json> => {
    // Pack (operation state)
    const pack = await flow.step("Pack", (step) => fn.pack({ parcel: data.parcel ?? null }, step));
    data = mergeResult(data, pack, "pack");
    // Weigh (event state)
    const weighReceived = await flow.receive("Weigh", { alternatives: [{ all: [["Weighed"]] }] });
    data = mergeResult(data, weighReceived.events[0]?.event.data ?? null, "Weighed");
    // Sign (event state)
    const signReceived = await flow.receive("Sign", { alternatives: [{ all: [["Signed"]] }] });
    data = mergeEvent(data, signReceived.events[0]!.event, "Signed", "parcel");
    return data;
  },
});
