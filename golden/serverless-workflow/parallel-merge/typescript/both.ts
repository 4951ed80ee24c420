// Two branches 1.0, from serverless-workflow. Change the definition, not this file.
import {
  type Answer,
  type Flow,
  type Json,
  type Step,
  assign,
  assignResult,
  defineWorkflow,
  difference,
  mergeResult,
} from "./runtime.js";

/** The functions that the workflow calls. */
export interface Functions {
  left(argument: { readonly n: Json }, step: Step): Answer<Json>;
  right(argument: { readonly n: Json }, step: Step): Answer<Json>;
}

/** The members of the workflow data that the workflow uses. */
export type Data = {
  readonly n?: Json;
  readonly text?: Json;
  readonly [member: string]: Json | undefined;
};

/** Two branches */
export const both = defineWorkflow({
  id: "both",
  version: "bc2ae315fa7e1ed7",
  name: "Two branches",
  run: async (flow: Flow, fn: Functions, data: Data): Promise<Json> => {
    // Both (parallel state)
    const bothResults = await flow.fork("Both", {
      L: (flow) => bothL(flow, fn, data),
      R: (flow) => bothR(flow, fn, data),
      T: () => bothT(data),
    });
    data = mergeResult(
      mergeResult(
        mergeResult(data, difference(bothResults.L, data), "L"),
        difference(bothResults.R, data),
        "R",
      ),
      difference(bothResults.T, data),
      "T",
    );
    return data;
  },
});

/** Both / L */
async function bothL(flow: Flow, fn: Functions, data: Data): Promise<Json> {
  // Work (operation state)
  const work = await flow.step("Work", (step) => fn.left({ n: data.n ?? null }, step));
  data = assignResult(data, work, "left");
  return data;
}

/** Both / R */
async function bothR(flow: Flow, fn: Functions, data: Data): Promise<Json> {
  // Pause (delay state)
  await flow.sleep("Pause", 5);
  // Work (operation state)
  const work = await flow.step("Work", (step) => fn.right({ n: data.n ?? null }, step));
  data = assignResult(data, work, "right");
  return data;
}

/** Both / T */
async function bothT(data: Data): Promise<Json> {
  // Text (inject state)
  data = assign(data, { text: "done" });
  data = data.text! as Data;
  return data;
}
