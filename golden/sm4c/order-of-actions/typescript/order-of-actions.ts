// order-of-actions 1.0, from sm4c. Change the definition, not this file.
import {
  type Answer,
  type Flow,
  type Json,
  type Step,
  defineWorkflow,
  plus,
  withMember,
} from "./runtime.js";

/** The functions that the workflow calls. */
export interface Functions {
  note(argument: Json, step: Step): Answer<Json>;
}

/** The members of the workflow data that the workflow uses. */
export type Data = { readonly path?: Json; readonly [member: string]: Json | undefined };

/** order-of-actions */
export const orderOfActions = defineWorkflow({
  id: "order-of-actions",
  version: "412bf5be6a3181df",
  name: "order-of-actions",
  run: async (flow: Flow, fn: Functions, data: Data): Promise<Json> => {
    // First (state)
    await flow.step("First", (step) => fn.note({ at: "enter" }, step));
    await flow.step("First/note", (step) => fn.note({ at: "transition" }, step));
    data = withMember(data, "path", plus(data.path ?? null, "t"));
    await flow.step("First/note-2", (step) => fn.note({ at: "exit", seen: data.path! }, step));
    data = withMember(data, "path", plus(data.path!, "x"));
    // Last (state)
    data = withMember(data, "path", plus(data.path!, "!"));
    return data;
  },
});
