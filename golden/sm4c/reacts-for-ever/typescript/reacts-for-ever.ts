// reacts-for-ever 1.0, from sm4c. Change the definition, not this file.
import { type Flow, type Json, defineWorkflow } from "./runtime.js";

/** reacts-for-ever */
export const reactsForEver = defineWorkflow({
  id: "reacts-for-ever",
  version: "12ad093ec51d3526",
  name: "reacts-for-ever",
  events: {
    pressed: { type: "lamp.pressed", foldCase: true },
    lit: { type: "lamp.lit", foldCase: true },
  },
  waits: {
    Off: { alternatives: [{ all: [["pressed"]] }], unused: "drop" },
    On: { alternatives: [{ all: [["pressed"]] }], unused: "drop" },
  },
  run: async (flow: Flow, _fn: object, data: Json): Promise<Json> => {
    while (true) {
      await flow.round("Off", {});
      // Off (state)
      await flow.receive("Off");
      await flow.emit("Off/lit", "lit", true, { attributes: { subject: "lit" } });
      // On (state)
      await flow.receive("On");
      await flow.emit("On/lit", "lit", false, { attributes: { subject: "lit" } });
    }
  },
});
