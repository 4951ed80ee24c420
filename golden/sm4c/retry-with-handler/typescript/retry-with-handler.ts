// retry-with-handler 1.0, from sm4c. Change the definition, not this file.
import {
  type Answer,
  type Flow,
  type Json,
  type Step,
  defineWorkflow,
  errorOf,
  failure,
  plus,
  withMember,
} from "./runtime.js";

/** The functions that the workflow calls. */
export interface Functions {
  label(argument: { readonly tries: Json }, step: Step): Answer<Json>;
}

/** The members of the workflow data that the workflow uses. */
export type Data = { readonly tries?: Json; readonly [member: string]: Json | undefined };

/** The members of `error` that the workflow uses. */
export type Error2 = { readonly message?: Json; readonly [member: string]: Json | undefined };

/** retry-with-handler */
export const retryWithHandler = defineWorkflow({
  id: "retry-with-handler",
  version: "29d1fbd12c17c818",
  name: "retry-with-handler",
  run: async (flow: Flow, fn: Functions, data: Data): Promise<Json> => {
    let result!: Json;
    let error!: Error2;
    // Label (state)
    let attempts = 0;
    labelMerge: {
      while (true) {
        ({ data, attempts } = await flow.round("Label/label", { data, attempts }));
        try {
          result = (await flow.step(
            "Label/label",
            (step) => fn.label({ tries: data.tries ?? null }, step),
            { timeout: 60 },
          )) as Json;
        } catch (caught) {
          const error2 = failure(caught);
          if (error2.origin === "timeout") {
            result = null;
            break labelMerge;
          }
          if (error2.name === "Busy") {
            data = withMember(data, "tries", plus(data.tries ?? null, 1));
            if (attempts < 2) {
              await flow.sleep("Label/wait", 5 + attempts * 1);
              attempts += 1;
              continue;
            }
            throw errorOf(error2);
          }
          error = error2 as Json as Error2;
          break;
        }
        break labelMerge;
      }
      {
        const value2 = error.message === undefined ? "" : error.message;
        data = withMember(data, "problem", value2);
      }
      result = null;
    }
    data = withMember(data, "label", result);
    return data;
  },
});
