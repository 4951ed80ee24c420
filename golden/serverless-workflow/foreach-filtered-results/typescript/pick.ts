// Results through a filter 1.0, from serverless-workflow. Change the definition, not this file.
import {
  type Answer,
  type Flow,
  type Json,
  type Step,
  assignResult,
  defineWorkflow,
  itemsOf,
  place,
} from "./runtime.js";

/** The functions that the workflow calls. */
export interface Functions {
  check(argument: { readonly id: Json }, step: Step): Answer<Json>;
}

/** The members of the workflow data that the workflow uses. */
export type Data = {
  readonly id?: Json;
  readonly verdict?: Json;
  readonly ids?: Json;
  readonly verdicts?: Json;
  readonly [member: string]: Json | undefined;
};

/** Results through a filter */
export const pick = defineWorkflow({
  id: "pick",
  version: "a41ddfdebe7853ec",
  name: "Results through a filter",
  run: async (flow: Flow, fn: Functions, data: Data): Promise<Json> => {
    // Each (foreach state)
    const eachResults = await flow.forEach(
      "Each",
      itemsOf(data.ids),
      (flow, element) => each(flow, fn, element, data),
      { width: 1 },
    );
    data = place(data, ["verdicts"], eachResults);
    data = data.verdicts! as Data;
    return data;
  },
});

/** Each, for each element */
async function each(flow: Flow, fn: Functions, element: Json, data: Data): Promise<Json> {
  data = place(data, ["id"], element);
  // Check (operation state)
  const check = await flow.step("Check", (step) => fn.check({ id: data.id ?? null }, step));
  data = assignResult(data, check, "check");
  data = (data.verdict === undefined ? data : data.verdict) as Data;
  return data;
}
