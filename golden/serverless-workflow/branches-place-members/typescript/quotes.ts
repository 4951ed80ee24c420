// Two quotes 1.0, from serverless-workflow. Change the definition, not this file.
import {
  type Answer,
  type Flow,
  type Json,
  type Step,
  assignMember,
  defineWorkflow,
  difference,
  mergeResult,
} from "./runtime.js";

/** The functions that the workflow calls. */
export interface Functions {
  rail(argument: { readonly to: Json }, step: Step): Answer<Json>;
  road(argument: { readonly to: Json }, step: Step): Answer<Json>;
  book(argument: { readonly rail: Json; readonly road: Json }, step: Step): Answer<Json>;
}

/** The members of the workflow data that the workflow uses. */
export type Data = {
  readonly to?: Json;
  readonly rail?: Json;
  readonly road?: Json;
  readonly [member: string]: Json | undefined;
};

/** Two quotes */
export const quotes = defineWorkflow({
  id: "quotes",
  version: "0683a675b37594c8",
  name: "Two quotes",
  run: async (flow: Flow, fn: Functions, data: Data): Promise<Json> => {
    // Ask (parallel state)
    const askResults = await flow.fork("Ask", {
      Rail: (flow) => askRail(flow, fn, data),
      Road: (flow) => askRoad(flow, fn, data),
    });
    data = mergeResult(
      mergeResult(data, difference(askResults.Rail, data), "Rail"),
      difference(askResults.Road, data),
      "Road",
    );
    // Book (operation state)
    const book = await flow.step("Book", (step) =>
      fn.book({ rail: data.rail ?? null, road: data.road ?? null }, step),
    );
    data = assignMember(data, "booked", book);
    return data;
  },
});

/** Ask / Rail */
async function askRail(flow: Flow, fn: Functions, data: Data): Promise<Json> {
  // AskRail (operation state)
  const askRailAnswer = await flow.step("AskRail", (step) =>
    fn.rail({ to: data.to ?? null }, step),
  );
  data = assignMember(data, "rail", askRailAnswer);
  return data;
}

/** Ask / Road */
async function askRoad(flow: Flow, fn: Functions, data: Data): Promise<Json> {
  // AskRoad (operation state)
  const askRoadAnswer = await flow.step("AskRoad", (step) =>
    fn.road({ to: data.to ?? null }, step),
  );
  data = assignMember(data, "road", askRoadAnswer);
  return data;
}
