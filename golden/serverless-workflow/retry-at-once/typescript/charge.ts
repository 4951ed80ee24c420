// Charge a card 1.0, from serverless-workflow. Change the definition, not this file.
import {
  type Answer,
  type Flow,
  type Json,
  type Step,
  assignResult,
  defineWorkflow,
  errorOf,
  failure,
  omit,
} from "./runtime.js";

/** The functions that the workflow calls. */
export interface Functions {
  charge(argument: { readonly card: Json }, step: Step): Answer<Json>;
}

/** The members of the workflow data that the workflow uses. */
export type Data = { readonly card?: Json; readonly [member: string]: Json | undefined };

/** The members of `attempt` that the workflow uses. */
export type Attempt = { readonly error?: Json; readonly [member: string]: Json | undefined };

/** Charge a card */
export const charge = defineWorkflow({
  id: "charge",
  version: "4e0fe666c080c1df",
  name: "Charge a card",
  run: async (flow: Flow, fn: Functions, data: Data): Promise<Json> => {
    let attempt!: Attempt;
    // Charge (operation state)
    const start: Json = data;
    let attempts1 = 0;
    while (true) {
      ({ data, attempts1 } = await flow.round("Charge/attempt", { data, attempts1 }));
      chargeAgain: {
        try {
          await flow.attempt("Charge/attempt", async (flow) => {
            attempt = omit(data, ["error", "exception"]) as Attempt;
            const chargeAnswer = await flow.step("Charge/charge", (step) =>
              fn.charge({ card: data.card ?? null }, step),
            );
            attempt = assignResult(attempt, chargeAnswer, "charge");
            data = assignResult(data, chargeAnswer, "charge");
          });
        } catch (caught) {
          const error = failure(caught);
          if (attempts1 < 2) break chargeAgain;
          throw errorOf(error);
        }
        if (!(attempts1 < 2 && (attempt.error ?? null) !== null)) break;
      }
      attempts1 += 1;
      data = start as Data;
    }
    return data;
  },
});
