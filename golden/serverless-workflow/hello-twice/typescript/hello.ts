// The newer value wins 1.0, from serverless-workflow. Change the definition, not this file.
import { type Flow, type Json, assign, defineWorkflow } from "./runtime.js";

/** The newer value wins */
export const hello = defineWorkflow({
  id: "hello",
  version: "3080e05a54ae439a",
  name: "The newer value wins",
  run: async (_flow: Flow, _fn: object, data: Json): Promise<Json> => {
    // Hello (inject state)
    data = assign(data, { greeting: "Hello", parts: { a: 1, b: [1, 2] } });
    // World (inject state)
    data = assign(data, { greeting: "World", parts: { b: [3] } });
    return data;
  },
});
