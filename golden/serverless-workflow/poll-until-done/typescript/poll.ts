// Poll a job 1.0, from serverless-workflow. Change the definition, not this file.
import {
  type Answer,
  type Flow,
  type Json,
  type Step,
  assignMember,
  assignResult,
  defineWorkflow,
} from "./runtime.js";

/** The functions that the workflow calls. */
export interface Functions {
  submit(argument: { readonly name: Json }, step: Step): Answer<Json>;
  status(argument: { readonly id: Json }, step: Step): Answer<Json>;
}

/** The members of the workflow data that the workflow uses. */
export type Data = {
  readonly job?: Json;
  readonly state?: Json;
  readonly jobId?: Json;
  readonly [member: string]: Json | undefined;
};

/** Poll a job */
export const poll = defineWorkflow({
  id: "poll",
  version: "390a7d2223978aff",
  name: "Poll a job",
  run: async (flow: Flow, fn: Functions, data: Data): Promise<Json> => {
    // Submit (operation state)
    const submit = await flow.step("Submit", (step) => fn.submit({ name: data.job ?? null }, step));
    data = assignResult(data, submit, "submit");
    do {
      ({ data } = await flow.round("Wait", { data }));
      // Wait (delay state)
      await flow.sleep("Wait", 30);
      // Ask (operation state)
      const ask = await flow.step("Ask", (step) => fn.status({ id: data.jobId ?? null }, step));
      data = assignMember(data, "state", ask);
      // Done? (switch state)
    } while (data.state === "RUNNING");
    // Report (inject state)
    data = (data.state === undefined ? data : data.state) as Data;
    return data;
  },
});
