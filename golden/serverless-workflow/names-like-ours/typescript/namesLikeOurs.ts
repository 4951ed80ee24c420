// Names like ours 1.0, from serverless-workflow. Change the definition, not this file.
import {
  type Answer,
  type Flow,
  type Json,
  type Step,
  assign,
  assignResult,
  defineWorkflow,
  errorData,
  failure,
  place,
} from "./runtime.js";

/** The functions that the workflow calls. */
export interface Functions {
  f(argument: Json, step: Step): Answer<Json>;
  g(argument: Json, step: Step): Answer<Json>;
  expressions(argument: Json, step: Step): Answer<Json>;
}

/** Names like ours */
export const namesLikeOurs = defineWorkflow({
  id: "namesLikeOurs",
  version: "726d48d66000204d",
  name: "Names like ours",
  run: async (flow: Flow, fn: Functions, data: Json): Promise<Json> => {
    // A (operation state)
    try {
      const dataBefore = data;
      await flow.attempt(
        "A",
        async (flow) => {
          data = dataBefore;
          const f = await flow.step("A/f", (step) => fn.f(data, step));
          data = assignResult(data, f, "f");
        },
        { retries: [{ when: (error) => error.name === "Busy", limit: 3, base: 1, step: 1 }] },
      );
    } catch (caught) {
      const error = failure(caught);
      if (!(error.name === "Gone" && error.message !== "Forbidden")) throw caught;
      data = place(data, ["error"], errorData(error));
      // A/errors (inject state)
      data = assign(data, { handled: true });
      // A/again 1 (inject state)
      data = assign(data, { again: 1 });
      // A/wait 1 (inject state)
      data = assign(data, { waited: 1 });
      // A/done (inject state)
      data = assign(data, { done: 1 });
      return data;
    }
    // A/failed (operation state)
    const failed = await flow.step("A/failed", (step) => fn.g(data, step));
    data = assignResult(data, failed, "g");
    // A/try (operation state)
    const tryAnswer = await flow.step("A/try", (step) => fn.expressions(data, step));
    data = assignResult(data, tryAnswer, "expressions");
    return data;
  },
});
