// Confirm an order 1.0, from serverless-workflow. Change the definition, not this file.
import {
  type Answer,
  type Flow,
  type Json,
  type Step,
  assignEvent,
  assignResult,
  attributeOf,
  defineWorkflow,
  firstScalar,
  schemaViolation,
} from "./runtime.js";

/** The functions that the workflow calls. */
export interface Functions {
  ask(argument: { readonly size: Json }, step: Step): Answer<Json>;
}

/** The input of a run, according to its schema. */
export type Order = {
  readonly customer: string;
  readonly size: 1 | 2;
  readonly [member: string]: Json | undefined;
};

/** The members of the workflow data that the workflow uses. */
export type Data = {
  readonly size: Json;
  readonly customer: Json;
  readonly [member: string]: Json | undefined;
};

/** Confirm an order */
export const confirm = defineWorkflow({
  id: "confirm",
  version: "cf72fb2a9f9ac3b4",
  name: "Confirm an order",
  inputViolation: (input: Json) =>
    schemaViolation(input, [
      {
        type: ["object"],
        properties: { customer: { type: ["string"] }, size: { enum: [1, 2] } },
        required: ["customer", "size"],
      },
    ]),
  events: {
    Confirmed: {
      type: "confirmed",
      source: "/shop",
      correlation: (event) => attributeOf(event, "customer"),
      correlationKey: "customer",
      correlationAttribute: "customer",
    },
  },
  waits: { "Ask/wait": { alternatives: [{ all: [["Confirmed"]], within: 3600 }] } },
  correlation: (data: Data, run) => firstScalar(data.customer, run.id),
  run: async (flow: Flow, fn: Functions, order: Order): Promise<Json> => {
    let data: Data = order;
    // Ask (callback state)
    const ask = await flow.step("Ask", (step) => fn.ask({ size: data.size }, step));
    data = assignResult(data, ask, "ask");
    const askReceived = await flow.receive("Ask/wait", {
      correlation: { customer: data.customer },
    });
    if (askReceived.alternative === 0) {
      data = assignEvent(data, askReceived.events[0]!.event, "Confirmed", "customer");
    }
    return data;
  },
});
