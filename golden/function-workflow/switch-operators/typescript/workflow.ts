// workflow 0.1, from function-workflow. Change the definition, not this file.
import {
  type Answer,
  type Flow,
  type Json,
  type Step,
  defineWorkflow,
  isGreater,
  isGreaterOrEqual,
  isLess,
  isLessOrEqual,
} from "./runtime.js";

/** The functions that the workflow calls. */
export interface Functions {
  five(argument: Json, step: Step): Answer<Json>;
  yes(argument: Json, step: Step): Answer<Json>;
  negative(argument: Json, step: Step): Answer<Json>;
  many(argument: Json, step: Step): Answer<Json>;
  some(argument: Json, step: Step): Answer<Json>;
  few(argument: Json, step: Step): Answer<Json>;
  red(argument: Json, step: Step): Answer<Json>;
  beforeB(argument: Json, step: Step): Answer<Json>;
  fromY(argument: Json, step: Step): Answer<Json>;
  afterX(argument: Json, step: Step): Answer<Json>;
  upToC(argument: Json, step: Step): Answer<Json>;
  other(argument: Json, step: Step): Answer<Json>;
}

/** The members of the workflow data that the workflow uses. */
export type Data = { readonly a?: Json; readonly [member: string]: Json | undefined };

/** workflow */
export const workflow = defineWorkflow({
  id: "workflow",
  version: "132f78f7dabd948f",
  name: "workflow",
  anyInput: true,
  errors: { expression: "SYS.FilterError", timeout: "SYS.Timeout" },
  run: async (flow: Flow, fn: Functions, data: Data): Promise<Json> => {
    let data2!: Data;
    // Look (switch state)
    if ((data?.a ?? null) === 5) {
      // Five (operation state)
      data2 = (await flow.step("Five", (step) => fn.five(data, step))) as Json as Data;
    } else if ((data?.a ?? null) === true) {
      // Yes (operation state)
      data2 = (await flow.step("Yes", (step) => fn.yes(data, step))) as Json as Data;
    } else if (typeof (data?.a ?? null) === "number" && isLess(data?.a ?? null, 0)) {
      // Negative (operation state)
      data2 = (await flow.step("Negative", (step) => fn.negative(data, step))) as Json as Data;
    } else if (typeof (data?.a ?? null) === "number" && isGreaterOrEqual(data?.a ?? null, 100)) {
      // Many (operation state)
      data2 = (await flow.step("Many", (step) => fn.many(data, step))) as Json as Data;
    } else if (typeof (data?.a ?? null) === "number" && isGreater(data?.a ?? null, 10)) {
      // Some (operation state)
      data2 = (await flow.step("Some", (step) => fn.some(data, step))) as Json as Data;
    } else if (typeof (data?.a ?? null) === "number" && isLessOrEqual(data?.a ?? null, 1)) {
      // Few (operation state)
      data2 = (await flow.step("Few", (step) => fn.few(data, step))) as Json as Data;
    } else if ((data?.a ?? null) === "red") {
      // Red (operation state)
      data2 = (await flow.step("Red", (step) => fn.red(data, step))) as Json as Data;
    } else if (typeof (data?.a ?? null) === "string" && isLess(data?.a ?? null, "b")) {
      // BeforeB (operation state)
      data2 = (await flow.step("BeforeB", (step) => fn.beforeB(data, step))) as Json as Data;
    } else if (typeof (data?.a ?? null) === "string" && isGreaterOrEqual(data?.a ?? null, "y")) {
      // FromY (operation state)
      data2 = (await flow.step("FromY", (step) => fn.fromY(data, step))) as Json as Data;
    } else if (typeof (data?.a ?? null) === "string" && isGreater(data?.a ?? null, "x")) {
      // AfterX (operation state)
      data2 = (await flow.step("AfterX", (step) => fn.afterX(data, step))) as Json as Data;
    } else if (typeof (data?.a ?? null) === "string" && isLessOrEqual(data?.a ?? null, "c")) {
      // UpToC (operation state)
      data2 = (await flow.step("UpToC", (step) => fn.upToC(data, step))) as Json as Data;
    } else {
      // Other (operation state)
      data2 = (await flow.step("Other", (step) => fn.other(data, step))) as Json as Data;
    }
    // End (end state)
    return data2;
  },
});
