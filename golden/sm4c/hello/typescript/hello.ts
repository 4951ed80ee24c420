// hello 1.0, from sm4c. Change the definition, not this file.
import { type Flow, type Json, defineWorkflow, get, plus, withMember } from "./runtime.js";

/** Inject Hello World */
export const hello = defineWorkflow({
  id: "hello",
  version: "0f70b0b19cf160a7",
  name: "hello",
  run: async (_flow: Flow, _fn: object, data: Json): Promise<Json> => {
    // Hello State (state)
    data = withMember(data, "result", plus(get(data, "result"), "Hello World!"));
    return data;
  },
});
