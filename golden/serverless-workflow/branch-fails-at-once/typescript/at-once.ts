// A branch that fails before the next one… 1, from serverless-workflow. Change the definition, not this file.
import {
  type Answer,
  type Flow,
  type Json,
  type Step,
  assign,
  assignResult,
  defineWorkflow,
  difference,
  listIn,
  mergeResult,
  place,
} from "./runtime.js";

/** The functions that the workflow calls. */
export interface Functions {
  check(argument: Json, step: Step): Answer<Json>;
}

/** The members of the workflow data that the workflow uses. */
export type Data = { readonly list?: Json; readonly [member: string]: Json | undefined };

/** A branch that fails before the next one begins */
export const atOnce = defineWorkflow({
  id: "at-once",
  version: "8a7f762abb3633d9",
  name: "A branch that fails before the next one begins",
  events: { Checked: { type: "checked", source: "/s" } },
  run: async (flow: Flow, fn: Functions, data: Data): Promise<Json> => {
    // Both (parallel state)
    const bothResults = await flow.fork("Both", {
      first: (flow) => bothFirst(flow, data),
      second: (flow) => bothSecond(flow, fn, data),
    });
    data = mergeResult(
      mergeResult(data, difference(bothResults.first, data), "first"),
      difference(bothResults.second, data),
      "second",
    );
    return data;
  },
});

/** Both / first */
async function bothFirst(flow: Flow, data: Data): Promise<Json> {
  // Each (foreach state)
  const items = data.list === undefined ? [] : data.list;
  await flow.forEach(
    "Each",
    listIn(items, {
      name: "DataError",
      message: "The collection $.list of foreach state Each is not an array.",
    }),
    (_flow, element) => bothFirstEach(element, data),
  );
  return data;
}

/** Both / second */
async function bothSecond(flow: Flow, fn: Functions, data: Data): Promise<Json> {
  // Tell (inject state)
  data = assign(data, { told: true });
  await flow.emit("Tell/emit", "Checked", {});
  // Check (operation state)
  const check = await flow.step("Check", (step) => fn.check(data, step));
  data = assignResult(data, check, "check");
  return data;
}

/** Each, for each element */
async function bothFirstEach(element: Json, data: Data): Promise<Json> {
  data = place(data, ["item"], element);
  // Mark (inject state)
  data = assign(data, { marked: true });
  return data;
}
