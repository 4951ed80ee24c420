// Names of regions 1.0, from serverless-workflow. Change the definition, not this file.
import {
  type Answer,
  type Flow,
  type Json,
  type Step,
  assignResult,
  defineWorkflow,
  equals,
} from "./runtime.js";

/** The functions that the workflow calls. */
export interface Functions {
  a(argument: Json, step: Step): Answer<Json>;
  b(argument: Json, step: Step): Answer<Json>;
  c(argument: Json, step: Step): Answer<Json>;
}

/** The members of the workflow data that the workflow uses. */
export type Data = {
  readonly x?: Json;
  readonly again?: Json;
  readonly [member: string]: Json | undefined;
};

/** Names of regions */
export const namesOfRegions = defineWorkflow({
  id: "namesOfRegions",
  version: "7e0220c3a3491c73",
  name: "Names of regions",
  run: async (flow: Flow, fn: Functions, data: Data): Promise<Json> => {
    let aim: string;
    // S (switch state)
    if (equals(data.x, "1")) {
      aim = "A";
    } else {
      aim = "B";
    }
    while (true) {
      ({ aim, data } = await flow.round("B", { aim, data }));
      if (aim === "B") {
        // B (switch state)
        if (equals(data.again, "1")) {
          aim = "A";
        } else {
          break;
        }
      } else if (aim === "A") {
        // A (operation state)
        const a = await flow.step("A", (step) => fn.a(data, step));
        data = assignResult(data, a, "a");
        aim = "B";
      }
    }
    // region (operation state)
    const region = await flow.step("region", (step) => fn.c(data, step));
    data = assignResult(data, region, "c");
    // region 1 (operation state)
    const region1 = await flow.step("region 1", (step) => fn.b(data, step));
    data = assignResult(data, region1, "b");
    return data;
  },
});
