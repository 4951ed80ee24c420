// hello 1.0, from sm4c. Change the definition, not this file.
import { type Flow, type Json, defineWorkflow, plus, withMember } from "./runtime.js";

/** The members of the workflow data that the workflow uses. */
export type Data = { readonly result?: Json; readonly [member: string]: Json | undefined };

/** Inject Hello World */
export const hello = defineWorkflow({
  id: "hello",
  version: "0f70b0b19cf160a7",
  name: "hello",
  run: async (_flow: Flow, _fn: object, data: Data): Promise<Json> => {
    // Hello State (state)
    data = withMember(data, "result", plus(data.result ?? null, "Hello World!"));
    return data;
  },
});
