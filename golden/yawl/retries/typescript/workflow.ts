// workflow 0.1, from yawl. Change the definition, not this file.
import {
  type Answer,
  type Flow,
  type Json,
  type Step,
  defineWorkflow,
  get,
  mergeOutput,
  typeOf,
} from "./runtime.js";

/** The functions that the workflow calls. */
export interface Functions {
  charge(argument: Json, step: Step): Answer<Json>;
  tell(argument: Json, step: Step): Answer<Json>;
  archive(argument: Json, step: Step): Answer<Json>;
}

/** workflow */
export const workflow = defineWorkflow({
  id: "workflow",
  version: "a7e1829b81cfbe21",
  name: "workflow",
  anyInput: true,
  errors: { expression: "STEP_INVALID_TEMPLATE_EXPRESSION", timeout: "STEP_TIMEOUT" },
  run: async (flow: Flow, fn: Functions, state: Json): Promise<Json> => {
    state = typeOf(state) === "object" ? state : { input: state };
    // charge (functionCall step)
    const charge = await flow.step("charge", (step) => fn.charge(state, step), {
      timeout: 900,
      retries: [
        {
          when: (error) => error.name === "HTTP_CALL_503" || error.name === "STEP_QUOTA_EXCEEDED",
          limit: 3,
          base: 2,
          factor: 2,
          cap: 5,
        },
      ],
    });
    state = mergeOutput(state, { receipt: get(charge, "id") });
    // tell (functionCall step)
    await flow.step("tell", (step) => fn.tell(state, step), {
      timeout: 900,
      retries: [
        {
          when: (error) =>
            error.name !== "STEP_PERMISSION_DENIED" && error.name !== "STEP_INTERNAL",
          limit: 2,
          base: 1,
        },
      ],
    });
    state = mergeOutput(state, { told: true });
    // archive (functionCall step)
    await flow.step("archive", (step) => fn.archive(state, step), {
      timeout: 900,
      retries: [{ when: (error) => error.name !== "STEP_INTERNAL", limit: 1, base: 1 }],
    });
    return { archived: true };
  },
});
