// A branch fails 1.0, from serverless-workflow. Change the definition, not this file.
import {
  type Answer,
  type Flow,
  type Json,
  type Step,
  assignResult,
  defineWorkflow,
  difference,
  errorData,
  failure,
  mergeResult,
  place,
} from "./runtime.js";

/** The functions that the workflow calls. */
export interface Functions {
  ok(argument: Json, step: Step): Answer<Json>;
  bad(argument: Json, step: Step): Answer<Json>;
  tell(argument: { readonly why: Json }, step: Step): Answer<Json>;
}

/** The members of the workflow data that the workflow uses. */
export type Data = {
  readonly error?: { readonly message?: Json; readonly [member: string]: Json | undefined };
  readonly [member: string]: Json | undefined;
};

/** A branch fails */
export const fragile = defineWorkflow({
  id: "fragile",
  version: "77249f7151e80641",
  name: "A branch fails",
  run: async (flow: Flow, fn: Functions, data: Data): Promise<Json> => {
    // Both (parallel state)
    try {
      await flow.attempt("Both", async (flow) => {
        const bothResults = await flow.fork("Both/branches", {
          Good: (flow) => bothBranchesGood(flow, fn, data),
          Bad: (flow) => bothBranchesBad(flow, fn, data),
        });
        data = mergeResult(
          mergeResult(data, difference(bothResults.Good, data), "Good"),
          difference(bothResults.Bad, data),
          "Bad",
        );
      });
    } catch (caught) {
      const error = failure(caught);
      data = place(data, ["error"], errorData(error));
      // Tell (operation state)
      const tell = await flow.step("Tell", (step) => fn.tell({ why: data.error!.message! }, step));
      data = assignResult(data, tell, "tell");
      return data;
    }
    return data;
  },
});

/** Both / Good */
async function bothBranchesGood(flow: Flow, fn: Functions, data: Data): Promise<Json> {
  // Ok (operation state)
  const ok = await flow.step("Ok", (step) => fn.ok(data, step));
  data = assignResult(data, ok, "ok");
  return data;
}

/** Both / Bad */
async function bothBranchesBad(flow: Flow, fn: Functions, data: Data): Promise<Json> {
  // Fails (operation state)
  const fails = await flow.step("Fails", (step) => fn.bad(data, step));
  data = assignResult(data, fails, "bad");
  return data;
}
