// Charge a card 1.0, from serverless-workflow. Change the definition, not this file.
import {
  type Answer,
  type Flow,
  type Json,
  type Step,
  assignResult,
  defineWorkflow,
  errorData,
  failure,
  place,
} from "./runtime.js";

/** The functions that the workflow calls. */
export interface Functions {
  charge(argument: { readonly card: Json }, step: Step): Answer<Json>;
  apologise(argument: { readonly because: Json }, step: Step): Answer<Json>;
}

/** The members of the workflow data that the workflow uses. */
export type Data = {
  readonly card?: Json;
  readonly error?: { readonly name?: Json; readonly [member: string]: Json | undefined };
  readonly [member: string]: Json | undefined;
};

/** Charge a card */
export const charge = defineWorkflow({
  id: "charge",
  version: "3ca24f7c0f3fc7b1",
  name: "Charge a card",
  run: async (flow: Flow, fn: Functions, data: Data): Promise<Json> => {
    // Charge (operation state)
    try {
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
        {
          retries: [
            { when: (error) => error.name === "Stolen", limit: 0 },
            { limit: 1, base: 60 },
          ],
        },
      );
    } catch (caught) {
      const error = failure(caught);
      if (error.name === "Stolen") throw caught;
      data = place(data, ["error"], errorData(error));
      // Apologise (operation state)
      const apologise = await flow.step("Apologise", (step) =>
        fn.apologise({ because: data.error?.name ?? null }, step),
      );
      data = assignResult(data, apologise, "apologise");
      return data;
    }
    return data;
  },
});
