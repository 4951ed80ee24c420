// Apply 1.0, from serverless-workflow. Change the definition, not this file.
import {
  type Answer,
  type Flow,
  type Json,
  type Step,
  assign,
  assignResult,
  defineWorkflow,
  isBelow,
} from "./runtime.js";

/** The functions that the workflow calls. */
export interface Functions {
  reject(argument: Json, step: Step): Answer<Json>;
}

/** The members of the workflow data that the workflow uses. */
export type Data = {
  readonly applicant?: Json;
  readonly age?: Json;
  readonly [member: string]: Json | undefined;
};

/** Apply */
export const workflow = defineWorkflow({
  id: "workflow",
  version: "c791b67890fa5450",
  name: "Apply",
  events: { Applied: { type: "loans.applied", source: "/loans" } },
  run: async (flow: Flow, fn: Functions, data: Data): Promise<Json> => {
    // Check (switch state)
    data = (data.applicant === undefined ? data : data.applicant) as Data;
    if (isBelow(data?.age, 18)) {
      // Reject (operation state)
      const reject = await flow.step("Reject", (step) => fn.reject(data, step));
      data = assignResult(data, reject, "reject");
      return data;
    }
    // Accept (inject state)
    data = assign(data, { accepted: true });
    return data;
  },
});
