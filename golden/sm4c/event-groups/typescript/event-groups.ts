// event-groups 1.0, from sm4c. Change the definition, not this file.
import {
  type Flow,
  type Json,
  defineWorkflow,
  get,
  isGreaterOrEqual,
  withMember,
} from "./runtime.js";

/** The members of the workflow data that the workflow uses. */
export type Data = { readonly boxes?: Json; readonly [member: string]: Json | undefined };

/** event-groups */
export const eventGroups = defineWorkflow({
  id: "event-groups",
  version: "52a4fb8351f379ca",
  name: "event-groups",
  events: {
    paid: { type: "shop.paid", foldCase: true },
    waived: { type: "shop.waived", source: "/desk", foldCase: true },
    packed: { type: "shop.packed", foldCase: true },
    reminder: { subject: "reminder", foldCase: true },
  },
  waits: {
    Collect: {
      alternatives: [
        {
          all: [
            ["paid", "waived"],
            [
              {
                event: "packed",
                when: (event, data) =>
                  isGreaterOrEqual(get(event.data ?? null, "boxes"), data.boxes ?? null),
              },
            ],
          ],
        },
      ],
      unused: "drop",
    },
    Again: { alternatives: [{ all: [["paid"], ["paid", "packed"]] }], unused: "drop" },
  },
  run: async (flow: Flow, _fn: object, data: Data): Promise<Json> => {
    // Collect (state)
    const collectReceived = await flow.receive("Collect", { variables: { boxes: data.boxes } });
    {
      const value2 = collectReceived.groups[0]?.event.data ?? null;
      data = withMember(data, "payment", value2);
    }
    {
      const value22 = get(collectReceived.groups[1]?.event.data ?? null, "boxes");
      data = withMember(data, "packed", value22);
    }
    // Again (state)
    const againReceived = await flow.receive("Again");
    {
      const value23 = againReceived.groups[0]?.event.data ?? null;
      data = withMember(data, "first", value23);
    }
    {
      const value24 = againReceived.groups[1]?.event.data ?? null;
      data = withMember(data, "second", value24);
    }
    // Done (state)
    return data;
  },
});
