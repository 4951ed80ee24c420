// Conditions with patterns 1.0, from serverless-workflow. Change the definition, not this file.
import { type Flow, type Json, assign, defineWorkflow, matches, notMatches } from "./runtime.js";

/** The members of the workflow data that the workflow uses. */
export type Data = { readonly label?: Json; readonly [member: string]: Json | undefined };

/** Conditions with patterns */
export const labels = defineWorkflow({
  id: "labels",
  version: "00b2c1471e00b0bc",
  name: "Conditions with patterns",
  run: async (_flow: Flow, _fn: object, data: Data): Promise<Json> => {
    // Kind (switch state)
    if (matches(data.label, "^\\d{3}$")) {
      // Digits (inject state)
      data = assign(data, { kind: "digits" });
    } else if (matches(data.label, "^.$")) {
      // Character (inject state)
      data = assign(data, { kind: "character" });
    } else if (matches(data.label, "^\\w+\\s$")) {
      // Word (inject state)
      data = assign(data, { kind: "word" });
    } else if (matches(data.label, "^[nN][oO]\\b.+[^.]$")) {
      // Refusal (inject state)
      data = assign(data, { kind: "refusal" });
    } else if (notMatches(data.label, "^(?=.*\\.)\\S*x")) {
      // Other (inject state)
      data = assign(data, { kind: "other" });
    } else {
      // Unknown (inject state)
      data = assign(data, { kind: "unknown" });
    }
    // Name (switch state)
    if (matches(data.label, "^\\p{Lu}")) {
      // Proper (inject state)
      data = assign(data, { name: true });
      return data;
    }
    // Plain (inject state)
    data = assign(data, { name: false });
    return data;
  },
});
