// Two of three 1.0, from serverless-workflow. Change the definition, not this file.
import {
  type Answer,
  type Flow,
  type Json,
  type Step,
  assignResult,
  defineWorkflow,
  difference,
  mergeResult,
} from "./runtime.js";

/** The functions that the workflow calls. */
export interface Functions {
  vote(argument: { readonly by: Json }, step: Step): Answer<Json>;
}

/** Two of three */
export const quorum = defineWorkflow({
  id: "quorum",
  version: "748d932620c5a1b9",
  name: "Two of three",
  run: async (flow: Flow, fn: Functions, data: Json): Promise<Json> => {
    // Vote (parallel state)
    const voteResults = await flow.fork(
      "Vote",
      {
        A: (flow) => voteA(flow, fn, data),
        B: (flow) => voteB(flow, fn, data),
        C: (flow) => voteC(flow, fn, data),
      },
      { join: 2, spare: true },
    );
    data = mergeResult(
      mergeResult(
        mergeResult(
          data,
          voteResults.A === undefined ? null : difference(voteResults.A, data),
          "A",
        ),
        voteResults.B === undefined ? null : difference(voteResults.B, data),
        "B",
      ),
      voteResults.C === undefined ? null : difference(voteResults.C, data),
      "C",
    );
    return data;
  },
});

/** Vote / A */
async function voteA(flow: Flow, fn: Functions, data: Json): Promise<Json> {
  // V (operation state)
  const v = await flow.step("V", (step) => fn.vote({ by: "a" }, step));
  data = assignResult(data, v, "vote");
  return data;
}

/** Vote / B */
async function voteB(flow: Flow, fn: Functions, data: Json): Promise<Json> {
  // V (operation state)
  const v = await flow.step("V", (step) => fn.vote({ by: "b" }, step));
  data = assignResult(data, v, "vote");
  return data;
}

/** Vote / C */
async function voteC(flow: Flow, fn: Functions, data: Json): Promise<Json> {
  // V (operation state)
  const v = await flow.step("V", (step) => fn.vote({ by: "c" }, step));
  data = assignResult(data, v, "vote");
  return data;
}
