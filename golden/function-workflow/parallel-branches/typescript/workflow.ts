// workflow 0.1, from function-workflow. Change the definition, not this file.
import {
  type Answer,
  type Flow,
  type Json,
  type Step,
  defineWorkflow,
  isGreater,
  required,
} from "./runtime.js";

/** The functions that the workflow calls. */
export interface Functions {
  order(argument: Json, step: Step): Answer<Json>;
  take(argument: Json, step: Step): Answer<Json>;
  one(argument: Json, step: Step): Answer<Json>;
}

/** The members of the workflow data that the workflow uses. */
export type Data = {
  readonly order?: Json;
  readonly quantity?: Json;
  readonly id?: Json;
  readonly [member: string]: Json | undefined;
};

/** workflow */
export const workflow = defineWorkflow({
  id: "workflow",
  version: "e57890b704db470b",
  name: "workflow",
  anyInput: true,
  errors: { expression: "SYS.FilterError", timeout: "SYS.Timeout" },
  run: async (flow: Flow, fn: Functions, data: Data): Promise<Json> => {
    // Both (parallel state)
    data = required(data?.order, {
      name: "SYS.FilterError",
      message: "`$.order` selects nothing.",
    }) as Data;
    const bothResults = await flow.fork("Both/branches", {
      stock: (flow) => bothBranchesStock(flow, fn, data),
      copy: () => bothBranchesCopy(data),
      inner: (flow) => bothBranchesInner(flow, fn, data),
    });
    data = { results: [bothResults.stock, bothResults.copy, bothResults.inner] } as Data;
    // Done (end state)
    return data;
  },
});

/** Both / stock */
async function bothBranchesStock(flow: Flow, fn: Functions, data: Data): Promise<Json> {
  // Look (switch state)
  if (typeof (data?.quantity ?? null) === "number" && isGreater(data?.quantity ?? null, 10)) {
    // Large (operation state)
    data = (await flow.step("Large", (step) => fn.order(data, step))) as Json as Data;
    // Wait (delay state)
    await flow.sleep("Wait", 5);
    return data;
  }
  if ((data?.quantity ?? null) === 0) return data;
  // Small (operation state)
  data = (await flow.step("Small", (step) => fn.take(data, step))) as Json as Data;
  return data;
}

/** Both / copy */
async function bothBranchesCopy(data: Data): Promise<Json> {
  // Copy (operation state)
  data = required(data?.id, {
    name: "SYS.FilterError",
    message: "`$.id` selects nothing.",
  }) as Data;
  return data;
}

/** Both / inner */
async function bothBranchesInner(flow: Flow, fn: Functions, data: Data): Promise<Json> {
  // Again (parallel state)
  const againResults = await flow.fork("Again", {
    one: (flow) => bothInnerAgainOne(flow, fn, data),
  });
  data = { inner: [againResults.one] } as Data;
  return data;
}

/** Again / one */
async function bothInnerAgainOne(flow: Flow, fn: Functions, data: Data): Promise<Json> {
  // Look (operation state)
  data = (await flow.step("Look", (step) => fn.one(data, step))) as Json as Data;
  return data;
}
