// The newer value wins, from serverless-workflow. Change the definition, not this file.
import { type Flow, type Json, defineWorkflow } from "./runtime/index.ts";
import { merge } from "./hello.expressions.js";

/** What the workflow calls. */
export interface Functions {
}

/** The newer value wins */
export const hello = defineWorkflow({
  id: "hello",
  version: "d910cd88541a0813",
  name: "The newer value wins",
  run: async (flow: Flow, fn: Functions, data: Json): Promise<Json> => {
    // Hello (inject state)
    data = merge(data, { greeting: "Hello", parts: { a: 1, b: [1, 2] } });
    // World (inject state)
    data = merge(data, { greeting: "World", parts: { b: [3] } });
    return data;
  },
});
