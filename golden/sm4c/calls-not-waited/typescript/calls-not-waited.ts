// calls-not-waited 1.0, from sm4c. Change the definition, not this file.
import {
  type Answer,
  type Flow,
  type Json,
  type Step,
  defineWorkflow,
  failure,
  withMember,
} from "./runtime.js";

/** The functions that the workflow calls. */
export interface Functions {
  quote(argument: Json, step: Step): Answer<Json>;
  log(argument: { readonly quote: Json }, step: Step): Answer<Json>;
}

/** The members of the workflow data that the workflow uses. */
export type Data = { readonly quote?: Json; readonly [member: string]: Json | undefined };

/** calls-not-waited */
export const callsNotWaited = defineWorkflow({
  id: "calls-not-waited",
  version: "27e39110e90fc67e",
  name: "calls-not-waited",
  run: async (flow: Flow, fn: Functions, data: Data): Promise<Json> => {
    let result!: Json;
    quoteMerge: {
      // Quote (state)
      try {
        result = (await flow.step("Quote", (step) => fn.quote({}, step), { timeout: 30 })) as Json;
      } catch (caught) {
        const error = failure(caught);
        if (error.origin === "timeout") {
          result = null;
          break quoteMerge;
        }
        data = withMember(data, "failed", error.name);
        result = null;
        break quoteMerge;
      }
    }
    data = withMember(data, "quote", result);
    await flow.start("Quote/log", (step) => fn.log({ quote: data.quote ?? null }, step));
    data = withMember(data, "logged", null);
    return data;
  },
});
