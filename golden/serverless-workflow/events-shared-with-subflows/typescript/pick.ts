// Pick 1.0, from serverless-workflow. Change the definition, not this file.
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
  put(argument: { readonly why: Json }, step: Step): Answer<Json>;
}

/** The members of the workflow data that the workflow uses. */
export type Data = { readonly Stopped?: Json; readonly [member: string]: Json | undefined };

/** Pick */
export const pick = defineWorkflow({
  id: "pick",
  version: "268a085e9bf9bad9",
  name: "Pick",
  start: { on: [{ all: [["Stopped"]] }] },
  events: { Stopped: { type: "shop.stopped", source: "/shop" } },
  waits: { "Await stop": { alternatives: [{ all: [["Stopped"]] }] } },
  run: async (flow: Flow, fn: Functions, data: Data): Promise<Json> => {
    // Await stop (event state)
    const awaitStopReceived = await flow.receive("Await stop");
    data = assignResult(data, awaitStopReceived.events[0]?.event.data ?? null, "Stopped");
    const put = await flow.step("Await stop/put", (step) =>
      fn.put({ why: data.Stopped ?? null }, step),
    );
    data = assignResult(data, put, "put");
    return data;
  },
});
