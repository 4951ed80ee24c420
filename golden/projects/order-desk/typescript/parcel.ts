// Send a parcel 1.4, from serverless-workflow. Change the definition, not this file.
import {
  type Answer,
  type Flow,
  type Json,
  type Step,
  assign,
  defineWorkflow,
  place,
} from "./runtime.js";

/** The functions that the workflow calls. */
export interface Functions {
  pack(
    argument: { readonly articles: Json },
    step: Step,
  ): Answer<{ readonly parcel?: Json; readonly [member: string]: Json | undefined }>;
  handOver(
    argument: { readonly parcel: Json },
    step: Step,
  ): Answer<{ readonly tracking?: Json; readonly [member: string]: Json | undefined }>;
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
  version: "675df8d7e30af491",
  name: "Send a parcel",
  run: async (flow: Flow, fn: Functions, data: Data): Promise<Json> => {
    // Pack (operation state)
    const pack = await flow.step("Pack", (step) => fn.pack({ articles: data.lines ?? null }, step));
    data =
      pack?.parcel !== undefined
        ? assign(data, { parcel: pack.parcel })
        : place(data, ["parcel"], pack);
    // Dry (delay state)
    await flow.sleep("Dry", 600);
    // Hand over (operation state)
    const handOver = await flow.step("Hand over", (step) =>
      fn.handOver({ parcel: data.parcel?.number ?? null }, step),
    );
    data =
      handOver?.tracking !== undefined
        ? assign(data, { tracking: handOver.tracking })
        : place(data, ["tracking"], handOver);
    return data;
  },
});
