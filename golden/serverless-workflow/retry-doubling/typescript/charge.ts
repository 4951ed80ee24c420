// Charge a card 1.0, from serverless-workflow. Change the definition, not this file.
import {
  type Answer,
  type Flow,
  type Json,
  type Step,
  assignResult,
  defineWorkflow,
} from "./runtime.js";

/** The functions that the workflow calls. */
export interface Functions {
  charge(argument: { readonly card: Json }, step: Step): Answer<Json>;
}

/** The members of the workflow data that the workflow uses. */
export type Data = { readonly card?: Json; readonly [member: string]: Json | undefined };

/** Charge a card */
export const charge = defineWorkflow({
  id: "charge",
  version: "53b406ec74005155",
  name: "Charge a card",
  run: async (flow: Flow, fn: Functions, data: Data): Promise<Json> => {
    // Charge (operation state)
    const dataBefore = data;
    await flow.attempt(
      "Charge",
      async (flow) => {
        data = dataBefore;
        const chargeAnswer = await flow.step("Charge/charge", (step) =>
          fn.charge({ card: data.card ?? null }, step),
        );
        data = assignResult(data, chargeAnswer, "charge");
      },
      { retries: [{ when: (error) => error.name === "Busy", limit: 3, base: 2, factor: 2 }] },
    );
    return data;
  },
});
