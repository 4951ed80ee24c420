// What the run and its subflows receive 1.0, from serverless-workflow. Change the definition, not this file.
import { pick } from "./pick.ts";
import {
  type Answer,
  type Flow,
  type Json,
  type Step,
  assign,
  assignResult,
  defineWorkflow,
  difference,
  mergeResult,
} from "./runtime.js";

/** The functions that the workflow calls. */
export interface Functions {
  note(argument: { readonly order: Json }, step: Step): Answer<Json>;
}

/** The members of the workflow data that the workflow uses. */
export type Data = { readonly Halted?: Json; readonly [member: string]: Json | undefined };

/** What the run and its subflows receive */
export const order = defineWorkflow({
  id: "order",
  version: "862645252af9d01b",
  name: "What the run and its subflows receive",
  events: { Halted: { type: "shop.stopped", source: "/shop" } },
  waits: { "Await halt": { alternatives: [{ all: [["Halted"]] }] } },
  run: async (flow: Flow, fn: Functions, data: Data): Promise<Json> => {
    // Side by side (parallel state)
    const sideBySideResults = await flow.fork("Side by side", {
      below: (flow) => sideBySideBelow(flow, data),
      here: (flow) => sideBySideHere(flow, fn, data),
    });
    data = mergeResult(
      mergeResult(data, difference(sideBySideResults.below, data), "below"),
      difference(sideBySideResults.here, data),
      "here",
    );
    // Pick again (subflow state)
    const pickAgainResult = await flow.invoke("Pick again", pick, data, { terminates: true });
    data = assign(data, pickAgainResult);
    return data;
  },
});

/** Side by side / below */
async function sideBySideBelow(flow: Flow, data: Data): Promise<Json> {
  // Pick (subflow state)
  const pickResult = await flow.invoke("Pick", pick, data, { terminates: true });
  data = assign(data, pickResult);
  return data;
}

/** Side by side / here */
async function sideBySideHere(flow: Flow, fn: Functions, data: Data): Promise<Json> {
  // Await halt (event state)
  const awaitHaltReceived = await flow.receive("Await halt");
  data = assignResult(data, awaitHaltReceived.events[0]?.event.data ?? null, "Halted");
  const note = await flow.step("Await halt/note", (step) =>
    fn.note({ order: data.Halted ?? null }, step),
  );
  data = assignResult(data, note, "note");
  return data;
}
