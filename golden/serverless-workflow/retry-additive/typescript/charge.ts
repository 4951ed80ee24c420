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
  toFinite,
} from "./runtime.js";

/** The functions that the workflow calls. */
export interface Functions {
  charge(argument: { readonly card: Json }, step: Step): Answer<Json>;
}

/** The members of the workflow data that the workflow uses. */
export type Data = { readonly card?: Json; readonly [member: string]: Json | undefined };

/** The members of `attempt` that the workflow uses. */
export type Attempt = {
  readonly error?: { readonly name?: Json; readonly [member: string]: Json | undefined };
  readonly [member: string]: Json | undefined;
};

/** Charge a card */
export const charge = defineWorkflow({
  id: "charge",
  version: "1fd7996ea9ee52c1",
  name: "Charge a card",
  run: async (flow: Flow, fn: Functions, data: Data): Promise<Json> => {
    let attempt!: Attempt;
    // Charge (operation state)
    const start: Json = data;
    let attempts1 = 0;
    while (true) {
      ({ data, attempts1 } = await flow.round("Charge/attempt", { data, attempts1 }));
      chargeWait: {
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
          if (attempts1 < 4 && error.name === "Busy") break chargeWait;
          if (error.name !== "Busy") throw caught;
          throw errorOf(error);
        }
        if (!(attempts1 < 4 && attempt.error?.name === "Busy")) break;
      }
      await flow.sleep("Charge/wait", Number(toFinite(60 + attempts1 * 120)));
      attempts1 += 1;
      data = start as Data;
    }
    return data;
  },
});
