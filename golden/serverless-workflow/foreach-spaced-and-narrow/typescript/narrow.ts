// An iteration that ends as its gap does 1.0, from serverless-workflow. Change the definition, not this file.
import {
  type Answer,
  type Flow,
  type Json,
  type Step,
  assignResult,
  defineWorkflow,
  difference,
  listIn,
  mergeResult,
  place,
} from "./runtime.js";

/** The functions that the workflow calls. */
export interface Functions {
  ping(argument: { readonly host: Json }, step: Step): Answer<Json>;
  note(argument: Json, step: Step): Answer<Json>;
}

/** The members of the workflow data that the workflow uses. */
export type Data = {
  readonly host?: Json;
  readonly hosts?: Json;
  readonly [member: string]: Json | undefined;
};

/** An iteration that ends as its gap does */
export const narrow = defineWorkflow({
  id: "narrow",
  version: "5cde8887b98bd06f",
  name: "An iteration that ends as its gap does",
  run: async (flow: Flow, fn: Functions, data: Data): Promise<Json> => {
    // Both (parallel state)
    const bothResults = await flow.fork("Both", {
      beside: (flow) => bothBeside(flow, fn, data),
      narrow: (flow) => bothNarrow(flow, fn, data),
    });
    data = mergeResult(
      mergeResult(data, difference(bothResults.beside, data), "beside"),
      difference(bothResults.narrow, data),
      "narrow",
    );
    return data;
  },
});

/** Both / beside */
async function bothBeside(flow: Flow, fn: Functions, data: Data): Promise<Json> {
  // Pause (delay state)
  await flow.sleep("Pause", 10);
  // Note (operation state)
  const note = await flow.step("Note", (step) => fn.note(data, step));
  data = assignResult(data, note, "note");
  return data;
}

/** Both / narrow */
async function bothNarrow(flow: Flow, fn: Functions, data: Data): Promise<Json> {
  // Each (foreach state)
  const items = data.hosts === undefined ? [] : data.hosts;
  await flow.forEach(
    "Each",
    listIn(items, {
      name: "DataError",
      message: "The collection $.hosts of foreach state Each is not an array.",
    }),
    (flow, element) => bothNarrowEach(flow, fn, element, data),
    { width: 1, gap: 10 },
  );
  return data;
}

/** Each, for each element */
async function bothNarrowEach(flow: Flow, fn: Functions, element: Json, data: Data): Promise<Json> {
  data = place(data, ["host"], element);
  // Ping (operation state)
  const ping = await flow.step("Ping", (step) => fn.ping({ host: data.host ?? null }, step));
  data = assignResult(data, ping, "ping");
  return data;
}
