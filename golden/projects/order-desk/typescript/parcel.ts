// Send a parcel 1.4, from serverless-workflow. Change the definition, not this file.
import {
  type Answer,
  type Flow,
  type Json,
  type Step,
  assignMember,
  defineWorkflow,
} from "./runtime.js";

/** The functions that the workflow calls. */
export interface Functions {
  pack(argument: { readonly articles: Json }, step: Step): Answer<Json>;
  handOver(argument: { readonly parcel: Json }, step: Step): Answer<Json>;
}

/** The members of the workflow data that the workflow uses. */
export type Data = {
  readonly lines?: Json;
  readonly parcel?: { readonly number?: Json; readonly [member: string]: Json | undefined };
  readonly [member: string]: Json | undefined;
};

/** Send a parcel */
export const parcel = defineWorkflow({
  id: "parcel",
  version: "d4438dc1bf8a6c1f",
  name: "Send a parcel",
  run: async (flow: Flow, fn: Functions, data: Data): Promise<Json> => {
    // Pack (operation state)
    const pack = await flow.step("Pack", (step) => fn.pack({ articles: data.lines ?? null }, step));
    data = assignMember(data, "parcel", pack);
    // Dry (delay state)
    await flow.sleep("Dry", 600);
    // Hand over (operation state)
    const handOver = await flow.step("Hand over", (step) =>
      fn.handOver({ parcel: data.parcel?.number ?? null }, step),
    );
    data = assignMember(data, "tracking", handOver);
    return data;
  },
});
