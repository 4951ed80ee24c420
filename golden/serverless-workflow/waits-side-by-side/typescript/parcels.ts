// Parcels 1.0, from serverless-workflow. Change the definition, not this file.
import {
  type Answer,
  type Flow,
  type Json,
  type Step,
  assignResult,
  defineWorkflow,
  difference,
  errorData,
  failure,
  listIn,
  mergeResult,
  place,
} from "./runtime.js";

/** The functions that the workflow calls. */
export interface Functions {
  check(argument: Json, step: Step): Answer<Json>;
}

/** The members of the workflow data that the workflow uses. */
export type Data = { readonly parcels?: Json; readonly [member: string]: Json | undefined };

/** Parcels */
export const parcels = defineWorkflow({
  id: "parcels",
  version: "9f4413df671d754c",
  name: "Parcels",
  events: { Weighed: { type: "parcel.weighed", source: "/scales" } },
  waits: {
    Weigh: { alternatives: [{ all: [["Weighed"]] }] },
    Again: { alternatives: [{ all: [["Weighed"]] }] },
    WeighOne: { alternatives: [{ all: [["Weighed"]] }] },
  },
  run: async (flow: Flow, fn: Functions, data: Data): Promise<Json> => {
    // Both (parallel state)
    try {
      await flow.attempt("Both", async (flow) => {
        const bothResults = await flow.fork("Both/branches", {
          scales: (flow) => bothBranchesScales(flow, data),
          desk: (flow) => bothBranchesDesk(flow, fn, data),
        });
        data = mergeResult(
          mergeResult(data, difference(bothResults.scales, data), "scales"),
          difference(bothResults.desk, data),
          "desk",
        );
      });
    } catch (caught) {
      const error = failure(caught);
      if (error.name !== "Refused") throw caught;
      data = place(data, ["error"], errorData(error));
      // Again (event state)
      const againReceived = await flow.receive("Again");
      data = assignResult(data, againReceived.events[0]?.event.data ?? null, "Weighed");
      return data;
    }
    // Each (foreach state)
    const items = data.parcels === undefined ? [] : data.parcels;
    const eachResults = await flow.forEach(
      "Each",
      listIn(items, {
        name: "DataError",
        message: "The collection $.parcels of foreach state Each is not an array.",
      }),
      (flow, element) => each(flow, element, data),
    );
    data = place(data, ["weighed"], eachResults);
    return data;
  },
});

/** Each, for each element */
async function each(flow: Flow, element: Json, data: Data): Promise<Json> {
  data = place(data, ["parcel"], element);
  const input: Json = data;
  // WeighOne (event state)
  const weighOneReceived = await flow.receive("WeighOne");
  data = assignResult(data, weighOneReceived.events[0]?.event.data ?? null, "Weighed");
  return difference(data, input);
}

/** Both / scales */
async function bothBranchesScales(flow: Flow, data: Data): Promise<Json> {
  // Weigh (event state)
  const weighReceived = await flow.receive("Weigh");
  data = assignResult(data, weighReceived.events[0]?.event.data ?? null, "Weighed");
  return data;
}

/** Both / desk */
async function bothBranchesDesk(flow: Flow, fn: Functions, data: Data): Promise<Json> {
  // Check (operation state)
  const check = await flow.step("Check", (step) => fn.check(data, step));
  data = assignResult(data, check, "check");
  return data;
}
