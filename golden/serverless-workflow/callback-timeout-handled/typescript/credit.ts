// Ask, and wait for the answer 1.0, from serverless-workflow. Change the definition, not this file.
import {
  type Answer,
  type Flow,
  type Json,
  type Step,
  assign,
  assignEvent,
  assignResult,
  attributeOf,
  defineWorkflow,
  errorOf,
  failure,
  firstScalar,
} from "./runtime.js";

/** The functions that the workflow calls. */
export interface Functions {
  askCredit(argument: { readonly customer: Json }, step: Step): Answer<Json>;
}

/** The members of the workflow data that the workflow uses. */
export type Data = { readonly customerId?: Json; readonly [member: string]: Json | undefined };

/** Ask, and wait for the answer */
export const credit = defineWorkflow({
  id: "credit",
  version: "c983f5a44dd95a5f",
  name: "Ask, and wait for the answer",
  events: {
    Checked: {
      type: "credit.checked",
      source: "/credit",
      correlation: (event) => attributeOf(event, "customerId"),
      correlationKey: "customerId",
      correlationAttribute: "customerid",
    },
  },
  waits: { "Check/wait": { alternatives: [{ all: [["Checked"]], within: 900 }] } },
  correlation: (data: Data, run) => firstScalar(data.customerId, run.id),
  run: async (flow: Flow, fn: Functions, data: Data): Promise<Json> => {
    // Check (callback state)
    try {
      await flow.attempt("Check", async (flow) => {
        const askCredit = await flow.step("Check/askCredit", (step) =>
          fn.askCredit({ customer: data.customerId ?? null }, step),
        );
        data = assignResult(data, askCredit, "askCredit");
        const checkReceived = await flow.receive("Check/wait", {
          correlation: { customerId: data.customerId },
        });
        if (checkReceived.alternative === 0) {
          data = assignEvent(data, checkReceived.events[0]!.event, "Checked", "customerId");
          return;
        }
        throw errorOf({ origin: "timeout", name: "Timeout", message: "" });
      });
    } catch (caught) {
      const error = failure(caught);
      if (error.name !== "Timeout") throw caught;
      data = assign(data, { name: error.name });
      // Late (inject state)
      data = assign(data, { late: true });
      return data;
    }
    return data;
  },
});
