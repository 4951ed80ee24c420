// A guarded transition 1.0, from serverless-workflow. Change the definition, not this file.
import {
  type Answer,
  type Flow,
  type Json,
  type Step,
  assignResult,
  compareInCondition,
  defineWorkflow,
  errorData,
  errorOf,
  everything,
  failure,
  place,
  present,
} from "./runtime.js";

/** The functions that the workflow calls. */
export interface Functions {
  low(argument: Json, step: Step): Answer<Json>;
  high(argument: Json, step: Step): Answer<Json>;
}

/** A guarded transition */
export const guarded = defineWorkflow({
  id: "guarded",
  version: "67b8badf18e0c431",
  name: "A guarded transition",
  run: async (flow: Flow, fn: Functions, data: Json): Promise<Json> => {
    toHighRisk: {
      // LowRisk (operation state)
      try {
        await flow.attempt("LowRisk", async (flow) => {
          const low = await flow.step("LowRisk/low", (step) => fn.low(data, step));
          data = assignResult(data, low, "low");
        });
      } catch (caught) {
        const error = failure(caught);
        data = place(data, ["error"], errorData(error));
        break toHighRisk;
      }
      if (
        !compareInCondition(
          everything(data).flatMap((item) => present(item?.user?.title)),
          "==",
          ["MANAGER"],
        )
      ) {
        throw errorOf({
          origin: "denied",
          name: "TransitionDenied",
          message:
            "The transition from LowRisk to HighRisk was denied: #jsonPath(stateOutputData, '$..user.title') eq 'MANAGER' does not hold.",
        });
      }
    }
    // HighRisk (operation state)
    const highRisk = await flow.step("HighRisk", (step) => fn.high(data, step));
    data = assignResult(data, highRisk, "high");
    return data;
  },
});
