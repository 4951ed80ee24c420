// Charge a card 1.0, from serverless-workflow. Change the definition, not this file.
import {
  type Answer,
  type Flow,
  type Json,
  type Step,
  assignResult,
  defineWorkflow,
  errorData,
  errorOf,
  failure,
  omit,
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

/** The members of `attempt` that the workflow uses. */
export type Attempt = { readonly error?: Json; readonly [member: string]: Json | undefined };

/** Charge a card */
export const charge = defineWorkflow({
  id: "charge",
  version: "469448bb86499402",
  name: "Charge a card",
  run: async (flow: Flow, fn: Functions, data: Data): Promise<Json> => {
    let attempts2!: number;
    let error!: Json;
    let attempt!: Attempt;
    // Charge (operation state)
    try {
      await flow.attempt("Charge", async (flow) => {
        const start: Json = data;
        attempts2 = 0;
        chargeRaise: {
          while (true) {
            ({ data, attempts2 } = await flow.round("Charge/attempt", { data, attempts2 }));
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
                const error2 = failure(caught);
                if (error2.name === "Stolen") {
                  error = error2;
                  break chargeRaise;
                }
                if (attempts2 < 1) break chargeWait;
                error = error2;
                break chargeRaise;
              }
              if (!(attempts2 < 1 && (attempt.error ?? null) !== null)) break;
            }
            await flow.sleep("Charge/wait", 60);
            attempts2 += 1;
            data = start as Data;
          }
          return;
        }
        throw errorOf(error);
      });
    } catch (caught) {
      const error2 = failure(caught);
      if (error2.name === "Stolen") throw caught;
      data = place(data, ["error"], errorData(error2));
      // Apologise (operation state)
      const apologise = await flow.step("Apologise", (step) =>
        fn.apologise({ because: data.error!.name! }, step),
      );
      data = assignResult(data, apologise, "apologise");
      return data;
    }
    return data;
  },
});
