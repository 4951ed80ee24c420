// Greet who arrives 1.0, from serverless-workflow. Change the definition, not this file.
import { awaitEvent } from "./arrivals.expressions.ts";
import {
  type Answer,
  type Flow,
  type Json,
  type Step,
  assignMember,
  defineWorkflow,
} from "./runtime.js";

/** The functions that the workflow calls. */
export interface Functions {
  greet(argument: { readonly greeting: Json; readonly who: Json }, step: Step): Answer<Json>;
}

/** The members of the workflow data that the workflow uses. */
export type Data = {
  readonly greetings?: Json;
  readonly spanish?: Json;
  readonly visitor?: { readonly name?: Json; readonly [member: string]: Json | undefined };
  readonly said?: Json;
  readonly [member: string]: Json | undefined;
};

/** Greet who arrives */
export const arrivals = defineWorkflow({
  id: "arrivals",
  version: "6f76aaf4371b44ea",
  name: "Greet who arrives",
  start: { on: [{ all: [["Arrives"]] }] },
  events: { Arrives: { type: "arrival", source: "/door" } },
  waits: { "Await/wait": { alternatives: [{ all: [["Arrives"]] }] } },
  run: async (flow: Flow, fn: Functions, data: Data): Promise<Json> => {
    // Await (event state)
    data = (data.greetings === undefined ? data : data.greetings) as Data;
    const awaitReceived = await flow.receive("Await/wait");
    data = awaitEvent(data, awaitReceived) as Data;
    const greet = await flow.step("Await/greet", (step) =>
      fn.greet({ greeting: data.spanish ?? null, who: data.visitor?.name ?? null }, step),
    );
    data = assignMember(data, "said", greet);
    data = (data.said === undefined ? data : data.said) as Data;
    return data;
  },
});
