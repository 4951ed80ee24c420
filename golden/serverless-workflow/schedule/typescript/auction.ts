// Open for six hours, from serverless-workflow. Change the definition, not this file.
import { type Flow, type Json, defineWorkflow } from "./runtime/index.ts";
import { merge } from "./auction.expressions.js";

/** What the workflow calls. */
export interface Functions {
}

/** Open for six hours */
export const auction = defineWorkflow({
  id: "auction",
  version: "28c9e7d011c8a60e",
  name: "Open for six hours",
  start: { window: { from: "2026-03-20T09:00:00Z", until: "2026-03-20T15:00:00Z" } },
  run: async (flow: Flow, fn: Functions, data: Json): Promise<Json> => {
    // Open (inject state)
    data = merge(data, { taken: true });
    return data;
  },
});
