// workflow 0.1, from yawl. Change the definition, not this file.
import {
  type Answer,
  type Flow,
  type Json,
  type Step,
  defineWorkflow,
  errorOf,
  get,
  mergeOutput,
  toText,
  typeOf,
} from "./runtime.js";

/** The functions that the workflow calls. */
export interface Functions {
  fetch(argument: { readonly url: Json }, step: Step): Answer<Json>;
  sell(argument: Json, step: Step): Answer<Json>;
  order(argument: Json, step: Step): Answer<Json>;
  report(argument: { readonly problem: Json }, step: Step): Answer<Json>;
}

/** The members of the workflow data that the workflow uses. */
export type State = {
  readonly item?: Json;
  readonly problem?: Json;
  readonly [member: string]: Json | undefined;
};

/** workflow */
export const workflow = defineWorkflow({
  id: "workflow",
  version: "2f91a35e997935c9",
  name: "workflow",
  anyInput: true,
  errors: { expression: "STEP_INVALID_TEMPLATE_EXPRESSION", timeout: "STEP_TIMEOUT" },
  run: async (flow: Flow, fn: Functions, state: State): Promise<Json> => {
    state = (typeOf(state) === "object" ? state : { input: state }) as State;
    // fetch (httpCall step)
    try {
      await flow.attempt("fetch", async (flow) => {
        const httpCall = await flow.step(
          "fetch/httpCall",
          (step) => fn.fetch({ url: `https://stock.example/${toText(state.item ?? null)}` }, step),
          { timeout: 900 },
        );
        state = mergeOutput(state, { stock: get(httpCall, "count") });
      });
    } catch (caught) {
      const error = flow.failure(caught);
      if (error.name === "HTTP_CALL_404" || error.name === "HTTP_CALL_410") {
        state = mergeOutput(state, { stock: 0, why: error.name });
        // order (functionCall step)
        const order = await flow.step("order", (step) => fn.order(state, step), { timeout: 900 });
        return { ordered: get(order, "id") };
      }
      if (!(error.name !== "HTTP_CALL_403" && error.name !== "STEP_INTERNAL")) throw caught;
      state = mergeOutput(state, { problem: `${toText(error.name)}: ${toText(error.message)}` });
      // report (functionCall step)
      try {
        await flow.step("report", (step) => fn.report({ problem: state.problem! }, step), {
          timeout: 900,
        });
      } catch (caught) {
        const error2 = flow.failure(caught);
        if (error2.name === "STEP_INTERNAL") throw errorOf(error2);
        state = mergeOutput(state, { failed: { error: error2.name, message: error2.message } });
        // given-up (noOp step)
        return state;
      }
      return { reported: true };
    }
    // sell (functionCall step)
    await flow.step("sell", (step) => fn.sell(state, step), { timeout: 900 });
    return { sold: true };
  },
});
