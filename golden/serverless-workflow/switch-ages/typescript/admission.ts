// Admission 1.0, from serverless-workflow. Change the definition, not this file.
import {
  type Answer,
  type Flow,
  type Json,
  type Step,
  assign,
  assignResult,
  defineWorkflow,
  isAtLeast,
} from "./runtime.js";

/** The functions that the workflow calls. */
export interface Functions {
  reject(argument: { readonly applicant: Json }, step: Step): Answer<Json>;
}

/** The members of the workflow data that the workflow uses. */
export type Data = {
  readonly applicant?: {
    readonly age?: Json;
    readonly guardian?: Json;
    readonly [member: string]: Json | undefined;
  };
  readonly [member: string]: Json | undefined;
};

/** Admission */
export const admission = defineWorkflow({
  id: "admission",
  version: "a5ca367c827e6ab0",
  name: "Admission",
  run: async (flow: Flow, fn: Functions, data: Data): Promise<Json> => {
    // Check (switch state)
    if (!(isAtLeast(data.applicant?.age, "18") || data.applicant?.guardian !== undefined)) {
      // Reject (operation state)
      const reject = await flow.step("Reject", (step) =>
        fn.reject({ applicant: data.applicant ?? null }, step),
      );
      data = assignResult(data, reject, "reject");
      return data;
    }
    // Admit (inject state)
    data = assign(data, { admitted: true });
    return data;
  },
});
