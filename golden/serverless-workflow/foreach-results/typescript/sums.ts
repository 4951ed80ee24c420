// Solve each expression 1.0, from serverless-workflow. Change the definition, not this file.
import {
  type Answer,
  type Flow,
  type Json,
  type Step,
  assignResult,
  defineWorkflow,
  difference,
  listIn,
  place,
} from "./runtime.js";

/** The functions that the workflow calls. */
export interface Functions {
  solve(argument: { readonly expression: Json }, step: Step): Answer<Json>;
}

/** The members of the workflow data that the workflow uses. */
export type Data = {
  readonly expression?: Json;
  readonly expressions?: Json;
  readonly [member: string]: Json | undefined;
};

/** Solve each expression */
export const sums = defineWorkflow({
  id: "sums",
  version: "b516b7693e44052a",
  name: "Solve each expression",
  run: async (flow: Flow, fn: Functions, data: Data): Promise<Json> => {
    // Solve (foreach state)
    const items = data.expressions === undefined ? [] : data.expressions;
    const solveResults = await flow.forEach(
      "Solve",
      listIn(items, {
        name: "DataError",
        message: "The collection $.expressions of foreach state Solve is not an array.",
      }),
      (flow, element) => solve(flow, fn, element, data),
    );
    data = place(data, ["out", "results"], solveResults);
    return data;
  },
});

/** Solve, for each element */
async function solve(flow: Flow, fn: Functions, element: Json, data: Data): Promise<Json> {
  data = place(data, ["expression"], element);
  const input: Json = data;
  // One (operation state)
  const one = await flow.step("One", (step) =>
    fn.solve({ expression: data.expression ?? null }, step),
  );
  data = assignResult(data, one, "solve");
  return difference(data, input);
}
