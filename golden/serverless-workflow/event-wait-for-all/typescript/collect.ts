// Wait for all of several 1.0, from serverless-workflow. Change the definition, not this file.
import {
  type Answer,
  type Flow,
  type Json,
  type Step,
  assign,
  assignResult,
  defineWorkflow,
} from "./runtime.js";

/** The functions that the workflow calls. */
export interface Functions {
  fa(argument: { readonly a: Json; readonly b: Json }, step: Step): Answer<Json>;
  fb(argument: { readonly a: Json; readonly b: Json }, step: Step): Answer<Json>;
}

/** The members of the workflow data that the workflow uses. */
export type Data = {
  readonly a?: Json;
  readonly b?: Json;
  readonly [member: string]: Json | undefined;
};

/** Wait for all of several */
export const collect = defineWorkflow({
  id: "collect",
  version: "e2312ac6bb196a35",
  name: "Wait for all of several",
  events: { A: { type: "t.a", source: "/s" }, B: { type: "t.b", source: "/s" } },
  waits: { Collect: { alternatives: [{ all: [["A"], ["B"]] }] } },
  run: async (flow: Flow, fn: Functions, data: Data): Promise<Json> => {
    // Begin (inject state)
    data = assign(data, { began: true });
    // Collect (event state)
    const collectReceived = await flow.receive("Collect");
    for (const each of collectReceived.events) {
      data = assignResult(data, each.event.data ?? null, each.name);
    }
    const fa = await flow.step("Collect/fa", (step) =>
      fn.fa({ a: data.a ?? null, b: data.b ?? null }, step),
    );
    data = assignResult(data, fa, "fa");
    const fb = await flow.step("Collect/fb", (step) =>
      fn.fb({ a: data.a ?? null, b: data.b ?? null }, step),
    );
    data = assignResult(data, fb, "fb");
    return data;
  },
});
