// timer-starts-again 1.0, from sm4c. Change the definition, not this file.
import { type Flow, type Json, defineWorkflow, plus, withMember } from "./runtime.js";

/** The members of the workflow data that the workflow uses. */
export type Data = { readonly reminders?: Json; readonly [member: string]: Json | undefined };

/** timer-starts-again */
export const timerStartsAgain = defineWorkflow({
  id: "timer-starts-again",
  version: "decdb5d4363dc78a",
  name: "timer-starts-again",
  events: {
    paid: { type: "shop.paid", foldCase: true },
    waived: { type: "shop.waived", source: "/desk", foldCase: true },
    packed: { type: "shop.packed", foldCase: true },
    reminder: { subject: "reminder", foldCase: true },
  },
  waits: {
    Wait: {
      alternatives: [
        { all: [["reminder"]], within: 600 },
        { all: [["paid"]], within: 600 },
      ],
      unused: "drop",
    },
  },
  run: async (flow: Flow, _fn: object, data: Data): Promise<Json> => {
    while (true) {
      ({ data } = await flow.round("Wait", { data }));
      // Wait (state)
      const waitReceived = await flow.receive("Wait");
      if (waitReceived.alternative === 0) {
        data = withMember(data, "reminders", plus(data.reminders ?? null, 1));
      } else {
        if (waitReceived.alternative === 1) {
          // Paid (state)
          return data;
        }
        break;
      }
    }
    {
      const value = data.reminders ?? null;
      data = withMember(data, "after", value);
    }
    // Late (state)
    return data;
  },
});
