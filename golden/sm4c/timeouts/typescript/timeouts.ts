// timeouts 1.0, from sm4c. Change the definition, not this file.
import {
  type Answer,
  type Flow,
  type Json,
  type Step,
  defineWorkflow,
  errorOf,
  failure,
  withMember,
} from "./runtime.js";

/** The functions that the workflow calls. */
export interface Functions {
  quote(argument: Json, step: Step): Answer<Json>;
}

/** timeouts */
export const timeouts = defineWorkflow({
  id: "timeouts",
  version: "7562f35f55de0535",
  name: "timeouts",
  run: async (flow: Flow, fn: Functions, data: Json): Promise<Json> => {
    let result!: Json;
    quoteMerge: {
      // Quote (state)
      try {
        result = (await flow.step("Quote", (step) => fn.quote({}, step), {
          timeout: 30,
          retries: [
            { when: (error) => error.origin !== "timeout" && error.name === "Busy", limit: 1 },
          ],
        })) as Json;
      } catch (caught) {
        const error = failure(caught);
        if (error.origin === "timeout") {
          result = null;
          break quoteMerge;
        }
        if (error.name === "Busy") throw errorOf(error);
        data = withMember(data, "failed", error.name);
        result = null;
        break quoteMerge;
      }
    }
    data = withMember(data, "quote", result);
    return data;
  },
});
