// The data of the event is the input 1.0, from serverless-workflow. Change the definition, not this file.
import {
  type Answer,
  type Flow,
  type Json,
  type Step,
  assignResult,
  defineWorkflow,
} from "./runtime.js";

/** The functions that the workflow calls. */
export interface Functions {
  greet(argument: { readonly name: Json }, step: Step): Answer<Json>;
}

/** The members of the workflow data that the workflow uses. */
export type Data = {
  readonly guest?: { readonly name?: Json; readonly [member: string]: Json | undefined };
  readonly [member: string]: Json | undefined;
};

/** The data of the event is the input */
export const greeting = defineWorkflow({
  id: "greeting",
  version: "ab34ac9a428cd2ad",
  name: "The data of the event is the input",
  start: { on: [{ all: [["Asked"]] }] },
  events: { Asked: { type: "greeting.asked", source: "/door" } },
  waits: { Greet: { alternatives: [{ all: [["Asked"]] }] } },
  run: async (flow: Flow, fn: Functions, data: Data): Promise<Json> => {
    // Greet (event state)
    const greetReceived = await flow.receive("Greet");
    data = assignResult(data, greetReceived.events[0]?.event.data ?? null, "Asked");
    const greet = await flow.step("Greet/greet", (step) =>
      fn.greet({ name: data.guest?.name ?? null }, step),
    );
    data = assignResult(data, greet, "greet");
    return data;
  },
});
