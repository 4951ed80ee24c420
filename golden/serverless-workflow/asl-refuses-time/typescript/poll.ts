// Poll 1.0, from serverless-workflow. Change the definition, not this file.
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
  ask(argument: Json, step: Step): Answer<Json>;
}

/** The members of the workflow data that the workflow uses. */
export type Data = { readonly hosts?: Json; readonly [member: string]: Json | undefined };

/** Poll */
export const poll = defineWorkflow({
  id: "poll",
  version: "83c5e9aa6ea1c2b0",
  name: "Poll",
  start: { window: { from: "2026-01-01T00:00:00Z", until: "2027-01-01T00:00:00Z" } },
  run: async (flow: Flow, fn: Functions, data: Data): Promise<Json> => {
    // Blink (delay state)
    await flow.sleep("Blink", 0.25);
    // Sleep (delay state)
    await flow.sleep("Sleep", 126_144_000);
    // Ask (operation state)
    const dataBefore = data;
    await flow.attempt(
      "Ask",
      async (flow) => {
        data = dataBefore;
        const ask = await flow.step("Ask/ask", (step) => fn.ask(data, step), { timeout: 1.5 });
        data = assignResult(data, ask, "ask");
      },
      { retries: [{ when: (error) => error.name === "Busy", limit: 3, base: 0.1 }] },
    );
    // Each (foreach state)
    const items = data.hosts === undefined ? [] : data.hosts;
    await flow.forEach(
      "Each",
      listIn(items, {
        name: "DataError",
        message: "The collection $.hosts of foreach state Each is not an array.",
      }),
      (flow, element) => each(flow, fn, element, data),
      { width: 2, gap: 10 },
    );
    return data;
  },
});

/** Each, for each element */
async function each(flow: Flow, fn: Functions, element: Json, data: Data): Promise<Json> {
  data = place(data, ["host"], element);
  // Ping (operation state)
  const ping = await flow.step("Ping", (step) => fn.ask(data, step));
  data = assignResult(data, ping, "ask");
  return data;
}
