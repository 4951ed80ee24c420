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
  check(argument: Json, step: Step): Answer<Json>;
  small(argument: Json, step: Step): Answer<Json>;
  large(argument: Json, step: Step): Answer<Json>;
}

/** The members of the workflow data that the workflow uses. */
export type Data = {
  readonly order?: Json;
  readonly total?: Json;
  readonly country?: Json;
  readonly express?: Json;
  readonly gift?: Json;
  readonly [member: string]: Json | undefined;
};

/** workflow */
export const workflow = defineWorkflow({
  id: "workflow",
  version: "749779be3b1409a5",
  name: "workflow",
  anyInput: true,
  errors: { expression: "SYS.FilterError", timeout: "SYS.Timeout" },
  run: async (flow: Flow, fn: Functions, data: Data): Promise<Json> => {
    // Look (switch state)
    data = required(data?.order, {
      name: "SYS.FilterError",
      message: "`$.order` selects nothing.",
    }) as Data;
    if (
      typeof (data?.total ?? null) === "number" &&
      isGreater(data?.total ?? null, 100) &&
      ((data?.country ?? null) === "DE" || (data?.express ?? null) !== false)
    ) {
      data = required(data.total, {
        name: "SYS.FilterError",
        message: "`$.total` selects nothing.",
      }) as Data;
      // Check (operation state)
      data = (await flow.step("Check", (step) => fn.check(data, step))) as Json as Data;
    } else if (!(
      (typeof (data?.total ?? null) === "number" && isGreater(data?.total ?? null, 10)) ||
      (data?.gift ?? null) === true
    )) {
      data = required(data?.total, {
        name: "SYS.FilterError",
        message: "`$.total` selects nothing.",
      }) as Data;
      // Small (operation state)
      data = (await flow.step("Small", (step) => fn.small(data, step))) as Json as Data;
    } else if (typeof (data?.total ?? null) === "number" && isGreater(data?.total ?? null, 50)) {
      data = required(data.total, {
        name: "SYS.FilterError",
        message: "`$.total` selects nothing.",
      }) as Data;
      // Large (operation state)
      data = (await flow.step("Large", (step) => fn.large(data, step))) as Json as Data;
    } else {
      data = required(data.total, {
        name: "SYS.FilterError",
        message: "`$.total` selects nothing.",
      }) as Data;
    }
    // Done (end state)
    return data;
  },
});
