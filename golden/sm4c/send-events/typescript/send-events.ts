// send-events 1.0, from sm4c. Change the definition, not this file.
import { type Flow, type Json, defineWorkflow, get, withMember } from "./runtime.js";

/** The members of the workflow data that the workflow uses. */
export type Data = { readonly order?: Json; readonly [member: string]: Json | undefined };

/** send-events */
export const sendEvents = defineWorkflow({
  id: "send-events",
  version: "343fc477c7746dea",
  name: "send-events",
  events: {
    paid: { type: "shop.paid", foldCase: true },
    waived: { type: "shop.waived", source: "/desk", foldCase: true },
    packed: { type: "shop.packed", foldCase: true },
    reminder: { subject: "reminder", foldCase: true },
  },
  run: async (flow: Flow, _fn: object, data: Data): Promise<Json> => {
    // Tell (state)
    await flow.emit("Tell", "waived", data.order ?? null, {
      attributes: { subject: "waived", order: "o1", lang: "en" },
    });
    await flow.emit("Tell/paid", "paid", {}, { attributes: { subject: "paid" } });
    await flow.emit("Tell/reminder", "reminder", [get(data.order ?? null, "id")]);
    data = withMember(data, "sent", { "0": null, "1": null, "2": null });
    return data;
  },
});
