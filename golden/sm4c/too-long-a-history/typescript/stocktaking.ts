// stocktaking 1.0, from sm4c. Change the definition, not this file.
import { type Answer, type Flow, type Json, type Step, defineWorkflow } from "./runtime.js";
import { countValue } from "./stocktaking.expressions.ts";

/** The functions that the workflow calls. */
export interface Functions {
  count(argument: { readonly shelf: Json }, step: Step): Answer<Json>;
}

/** stocktaking */
export const stocktaking = defineWorkflow({
  id: "stocktaking",
  version: "c1c266d49a5d9bef",
  name: "stocktaking",
  run: async (flow: Flow, fn: Functions, data: Json): Promise<Json> => {
    // Count (state)
    await flow.forEach(
      "Count",
      countValue() as readonly Json[],
      (flow, element) => count(flow, fn, element),
      { width: 1 },
    );
    // Done (state)
    return data;
  },
});

/** Count, for each element */
async function count(flow: Flow, fn: Functions, element: Json): Promise<Json> {
  await flow.step("count", (step) => fn.count({ shelf: element }, step));
  return null;
}
