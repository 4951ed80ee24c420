// errors-taken 1.0, from sm4c. Change the definition, not this file.
import { chargeError3 } from "./errors-taken.expressions.ts";
import {
  type Answer,
  type Flow,
  type Json,
  type Step,
  defineWorkflow,
  failure,
  memberOf,
  plus,
  startsWith,
  withMember,
} from "./runtime.js";

/** The functions that the workflow calls. */
export interface Functions {
  charge(argument: { readonly order: Json }, step: Step): Answer<Json>;
  tell(argument: { readonly order: Json; readonly problems: Json }, step: Step): Answer<Json>;
}

/** The members of the workflow data that the workflow uses. */
export type Data = {
  readonly id?: Json;
  readonly problems?: Json;
  readonly [member: string]: Json | undefined;
};

/** errors-taken */
export const errorsTaken = defineWorkflow({
  id: "errors-taken",
  version: "46a659bfaaf07a02",
  name: "errors-taken",
  run: async (flow: Flow, fn: Functions, data: Data): Promise<Json> => {
    let result2!: Json;
    let result!: Json;
    chargeMerge: {
      // Charge (state)
      try {
        await flow.attempt("Charge", async (flow) => {
          chargeTell: {
            try {
              result2 = (await flow.step("Charge/receipt", (step) =>
                fn.charge({ order: data.id ?? null }, step),
              )) as Json;
            } catch (caught) {
              const error = failure(caught);
              if (error.name === "Declined") {
                {
                  const value2 = [error.message];
                  data = withMember(data, "problems", plus(data.problems ?? null, value2));
                }
                result2 = null;
                break chargeTell;
              }
              if (!startsWith(error.message, "late")) throw caught;
              data = withMember(data, "late", error.name);
              result2 = null;
              break chargeTell;
            }
          }
          const tell = await flow.step("Charge/tell", (step) =>
            fn.tell({ order: data.id ?? null, problems: data.problems ?? null }, step),
          );
          result = { receipt: result2, "1": tell };
        });
      } catch (caught) {
        const error = failure(caught);
        data = chargeError3(data, error) as Data;
        result = null;
        break chargeMerge;
      }
    }
    data = withMember(data, "result", result);
    sumEnd: {
      // Sum (state)
      try {
        await flow.attempt("Sum", async (flow) => {
          plus(data.id ?? null, 1);
        });
      } catch (caught) {
        const error = failure(caught);
        if ((memberOf(error.data, "Data") ?? null) !== null) throw caught;
        data = withMember(data, "sum", false);
        break sumEnd;
      }
    }
    return data;
  },
});
