// absent-wait 1.0, from sm4c. Change the definition, not this file.
import {
  type Answer,
  type Flow,
  type Json,
  type Step,
  defineWorkflow,
  withMember,
} from "./runtime.js";

/** The functions that the workflow calls. */
export interface Functions {
  log(argument: { readonly at: Json }, step: Step): Answer<Json>;
}

/** absent-wait */
export const absentWait = defineWorkflow({
  id: "absent-wait",
  version: "3badaa982ab40df8",
  name: "absent-wait",
  run: async (flow: Flow, fn: Functions, data: Json): Promise<Json> => {
    // First (state)
    await flow.start("First", (step) => fn.log({ at: "left" }, step));
    const waited = await flow.step("First/waited", (step) => fn.log({ at: "waited" }, step));
    {
      const value = { left: null, waited, total: null };
      data = withMember(data, "seen", value);
    }
    return data;
  },
});
