// Iterations that start one after the oth… 1.0, from serverless-workflow. Change the definition, not this file.
import {
  type Answer,
  type Flow,
  type Json,
  type Step,
  assignResult,
  defineWorkflow,
  listIn,
  place,
} from "./runtime.js";

/** The functions that the workflow calls. */
export interface Functions {
  ping(argument: { readonly host: Json }, step: Step): Answer<Json>;
}

/** The members of the workflow data that the workflow uses. */
export type Data = {
  readonly host?: Json;
  readonly hosts?: Json;
  readonly [member: string]: Json | undefined;
};

/** Iterations that start one after the other */
export const spaced = defineWorkflow({
  id: "spaced",
  version: "ab54a5548f4c3994",
  name: "Iterations that start one after the other",
  run: async (flow: Flow, fn: Functions, data: Data): Promise<Json> => {
    // Each (foreach state)
    const items = data.hosts === undefined ? [] : data.hosts;
    await flow.forEach(
      "Each",
      listIn(items, {
        name: "DataError",
        message: "The collection $.hosts of foreach state Each is not an array.",
      }),
      (flow, element) => each(flow, fn, element, data),
      { gap: 10 },
    );
    return data;
  },
});

/** Each, for each element */
async function each(flow: Flow, fn: Functions, element: Json, data: Data): Promise<Json> {
  data = place(data, ["host"], element);
  // Ping (operation state)
  const ping = await flow.step("Ping", (step) => fn.ping({ host: data.host ?? null }, step));
  data = assignResult(data, ping, "ping");
  return data;
}
