// workflow 0.1, from yawl. Change the definition, not this file.
import {
  type Flow,
  type Json,
  type Step,
  defineWorkflow,
  errorOf,
  get,
  plus,
  toText,
  typeOf,
} from "./runtime/index.ts";

/** What the workflow calls. */
export interface Functions {
  fetch(argument: { readonly url: Json }, step: Step): Promise<Json>;
  order(argument: Json, step: Step): Promise<Json>;
  report(argument: { readonly problem: Json }, step: Step): Promise<Json>;
  sell(argument: Json, step: Step): Promise<Json>;
}

/** workflow */
export const workflow = defineWorkflow({
  id: "workflow",
  version: "2651e7a94d3cdd1f",
  name: "workflow",
  anyInput: true,
  errors: { expression: "STEP_INVALID_TEMPLATE_EXPRESSION", timeout: "STEP_TIMEOUT" },
  run: async (flow: Flow, fn: Functions, state: Json): Promise<Json> => {
    state = typeOf(state) === "object" ? state : { input: state };
    // fetch (httpCall step)
    try {
      await flow.attempt("fetch", async (flow) => {
        const httpCall = await flow.step(
          "fetch/httpCall",
          (step) => fn.fetch({ url: `https://stock.example/${toText(get(state, "item"))}` }, step),
          { timeout: 900 },
        );
        state = plus(state, { stock: get(httpCall, "count") });
      });
    } catch (caught) {
      const error = flow.failure(caught);
      if (error.name === "HTTP_CALL_404" || error.name === "HTTP_CALL_410") {
        state = plus(state, { stock: 0, why: error.name });
        // order (functionCall step)
        const order = await flow.step("order", (step) => fn.order(state, step), { timeout: 900 });
        return { ordered: get(order, "id") };
      }
      if (!(!(error.name === "HTTP_CALL_403") && error.name !== "STEP_INTERNAL")) throw caught;
      state = plus(state, { problem: `${toText(error.name)}: ${toText(error.message)}` });
      // report (functionCall step)
      try {
        await flow.step("report", (step) => fn.report({ problem: get(state, "problem") }, step), {
          timeout: 900,
        });
      } catch (caught) {
        const error2 = flow.failure(caught);
        if (error2.name === "STEP_INTERNAL") throw errorOf(error2);
        state = plus(state, { failed: { error: error2.name, message: error2.message } });
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
