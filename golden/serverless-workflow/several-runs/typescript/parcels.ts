// Parcels 1.0, from serverless-workflow. Change the definition, not this file.
import {
  type Answer,
  type Flow,
  type Json,
  type Step,
  assignEvent,
  assignResult,
  attributeOf,
  defineWorkflow,
  firstScalar,
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
  version: "544bd69fd375186b",
  name: "Parcels",
  events: {
    Weighed: { type: "parcel.weighed", source: "/scales" },
    Signed: {
      type: "parcel.signed",
      source: "/couriers",
      correlation: (event) => attributeOf(event, "parcel"),
      correlationKey: "parcel",
      correlationAttribute: "parcel",
    },
  },
  waits: {
    Weigh: { alternatives: [{ all: [["Weighed"]] }] },
    Sign: { alternatives: [{ all: [["Signed"]] }] },
  },
  correlation: (data: Data, run) => firstScalar(data.parcel, run.id),
  run: async (flow: Flow, fn: Functions, data: Data): Promise<Json> => {
    // Pack (operation state)
    const pack = await flow.step("Pack", (step) => fn.pack({ parcel: data.parcel ?? null }, step));
    data = assignResult(data, pack, "pack");
    // Weigh (event state)
    const weighReceived = await flow.receive("Weigh");
    data = assignResult(data, weighReceived.events[0]?.event.data ?? null, "Weighed");
    // Sign (event state)
    const signReceived = await flow.receive("Sign", { correlation: { parcel: data.parcel } });
    data = assignEvent(data, signReceived.events[0]!.event, "Signed", "parcel");
    return data;
  },
});
