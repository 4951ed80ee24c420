// retries 1.0, from sm4c. Change the definition, not this file.
import {
  type Answer,
  type Flow,
  type Json,
  type Step,
  defineWorkflow,
  errorOf,
  failure,
  get,
  withMember,
} from "./runtime.js";

/** The functions that the workflow calls. */
export interface Functions {
  pull(argument: Json, step: Step): Answer<Json>;
  push(argument: Json, step: Step): Answer<Json>;
}

/** retries */
export const retries = defineWorkflow({
  id: "retries",
  version: "0b9b33bea3715eca",
  name: "retries",
  run: async (flow: Flow, fn: Functions, data: Json): Promise<Json> => {
    let result!: Json;
    pullMerge: {
      // Pull (state)
      try {
        result = (await flow.step("Pull", (step) => fn.pull({}, step), {
          retries: [
            { when: (error) => error.name === "Busy", limit: 3, base: 2, step: 3, cap: 6 },
            { when: (error) => error.name !== "Busy" && error.name === "Lost", limit: 1 },
          ],
        })) as Json;
      } catch (caught) {
        const error = failure(caught);
        if (error.name === "Busy") throw errorOf(error);
        if (error.name === "Lost") throw errorOf(error);
        if (error.name === "Gone") throw errorOf(error);
        result = null;
        break pullMerge;
      }
    }
    data = withMember(data, "pulled", result);
    // Push (state)
    await flow.attempt(
      "Push",
      async (flow) => {
        await flow.sleep("Push/pause", 1);
        const pushed = await flow.step("Push/pushed", (step) => fn.push({}, step));
        result = { pause: null, pushed };
      },
      { retries: [{ limit: 3, base: 1, factor: 2 }] },
    );
    data = withMember(data, "pushed", get(result, "pushed"));
    return data;
  },
});
