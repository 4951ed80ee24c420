// Iterations that need the run around them 1.0, from serverless-workflow. Change the definition, not this file.
import {
  type Answer,
  type Flow,
  type Json,
  RunEnd,
  type Step,
  assignResult,
  defineWorkflow,
  listIn,
  place,
} from "./runtime.js";

/** The functions that the workflow calls. */
export interface Functions {
  ask(argument: { readonly paper: Json }, step: Step): Answer<Json>;
}

/** The members of the workflow data that the workflow uses. */
export type Data = {
  readonly paper?: Json;
  readonly papers?: Json;
  readonly [member: string]: Json | undefined;
};

/** Iterations that need the run around them */
export const reviews = defineWorkflow({
  id: "reviews",
  version: "fa3e2a180cb84e0e",
  name: "Iterations that need the run around them",
  events: { Answered: { type: "review.answered", source: "desk" } },
  waits: { Answer: { alternatives: [{ all: [["Answered"]] }] } },
  run: async (flow: Flow, fn: Functions, data: Data): Promise<Json> => {
    // Review (foreach state)
    const items = data.papers === undefined ? [] : data.papers;
    await flow.forEach(
      "Review",
      listIn(items, {
        name: "DataError",
        message: "The collection $.papers of foreach state Review is not an array.",
      }),
      (flow, element) => review(flow, fn, element, data),
    );
    // Publish (foreach state)
    const items2 = data.papers === undefined ? [] : data.papers;
    await flow.forEach(
      "Publish",
      listIn(items2, {
        name: "DataError",
        message: "The collection $.papers of foreach state Publish is not an array.",
      }),
      (flow, element) => publish(flow, fn, element, data),
      { width: 20_000 },
    );
    return data;
  },
});

/** Review, for each element */
async function review(flow: Flow, fn: Functions, element: Json, data: Data): Promise<Json> {
  data = place(data, ["paper"], element);
  // Ask (operation state)
  const ask = await flow.step("Ask", (step) => fn.ask({ paper: data.paper ?? null }, step));
  data = assignResult(data, ask, "ask");
  // Answer (event state)
  const answerReceived = await flow.receive("Answer");
  data = assignResult(data, answerReceived.events[0]?.event.data ?? null, "Answered");
  return data;
}

/** Publish, for each element */
async function publish(flow: Flow, fn: Functions, element: Json, data: Data): Promise<Json> {
  data = place(data, ["paper"], element);
  // Print (operation state)
  const print = await flow.step("Print", (step) => fn.ask({ paper: data.paper ?? null }, step));
  data = assignResult(data, print, "ask");
  throw new RunEnd({ value: data });
}
