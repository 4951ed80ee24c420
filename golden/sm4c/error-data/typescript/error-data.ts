// error-data 1.0, from sm4c. Change the definition, not this file.
import {
  type Answer,
  type Flow,
  type Json,
  type Step,
  defineWorkflow,
  errorOf,
  failure,
  get,
  memberOf,
  withMember,
} from "./runtime.js";

/** The functions that the workflow calls. */
export interface Functions {
  charge(argument: Json, step: Step): Answer<Json>;
}

/** error-data */
export const errorData = defineWorkflow({
  id: "error-data",
  version: "ee2fe355556339e8",
  name: "error-data",
  run: async (flow: Flow, fn: Functions, data: Json): Promise<Json> => {
    chargeEnd: {
      // Charge (state)
      try {
        await flow.step("Charge", (step) => fn.charge({}, step), {
          retries: [
            {
              when: (error) => get(memberOf(error.data, "Data") ?? null, "retry") === true,
              limit: 1,
            },
          ],
        });
      } catch (caught) {
        const error = failure(caught);
        if (get(memberOf(error.data, "Data") ?? null, "retry") === true) throw errorOf(error);
        {
          const value2 = {
            Message: error.message,
            ClassName: error.name,
            Data: memberOf(error.data, "Data") ?? null,
          };
          data = withMember(data, "error", value2);
        }
        break chargeEnd;
      }
    }
    return data;
  },
});
