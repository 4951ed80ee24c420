// workflow 0.1, from function-workflow. Change the definition, not this file.
import {
  type Answer,
  type Flow,
  type Json,
  type Step,
  defineWorkflow,
  required,
} from "./runtime.js";

/** The functions that the workflow calls. */
export interface Functions {
  slow(
    argument: Json,
    step: Step,
  ): Answer<{ readonly price?: Json; readonly [member: string]: Json | undefined }>;
  quick(argument: Json, step: Step): Answer<Json>;
  choose(argument: Json, step: Step): Answer<Json>;
}

/** The members of the workflow data that the workflow uses. */
export type Data = {
  readonly parcel?: Json;
  readonly weight?: Json;
  readonly size?: Json;
  readonly [member: string]: Json | undefined;
};

/** workflow */
export const workflow = defineWorkflow({
  id: "workflow",
  version: "0fe88d11c1d908b7",
  name: "workflow",
  anyInput: true,
  errors: { expression: "SYS.FilterError", timeout: "SYS.Timeout" },
  run: async (flow: Flow, fn: Functions, data: Data): Promise<Json> => {
    // Quotes (operation state)
    data = required(data?.parcel, {
      name: "SYS.FilterError",
      message: "`$.parcel` selects nothing.",
    }) as Data;
    const quotesResults = await flow.fork("Quotes/actions", {
      slow: (flow) => quotesActionsSlow(flow, fn, data),
      quick: (flow) => quotesActionsQuick(flow, fn, data),
      "quick-2": (flow) => quotesActionsQuick2(flow, fn, data),
    });
    data = { quotes: [quotesResults.slow, quotesResults.quick, quotesResults["quick-2"]] } as Data;
    // One (operation state)
    const one = await flow.step("One", (step) => fn.choose(data, step));
    data = [one] as Json as Data;
    // Done (end state)
    return data;
  },
});

/** Quotes / slow */
async function quotesActionsSlow(flow: Flow, fn: Functions, data: Data): Promise<Json> {
  const slow = await flow.step("Quotes/slow", (step) => fn.slow(data, step));
  const result = required(slow?.price, {
    name: "SYS.FilterError",
    message: "`$.price` selects nothing.",
  });
  return result;
}

/** Quotes / quick */
async function quotesActionsQuick(flow: Flow, fn: Functions, data: Data): Promise<Json> {
  const quick = await flow.step("Quotes/quick", (step) =>
    fn.quick(
      required(data?.weight, { name: "SYS.FilterError", message: "`$.weight` selects nothing." }),
      step,
    ),
  );
  return quick;
}

/** Quotes / quick-2 */
async function quotesActionsQuick2(flow: Flow, fn: Functions, data: Data): Promise<Json> {
  const quick2 = await flow.step("Quotes/quick-2", (step) =>
    fn.quick(
      required(data?.size, { name: "SYS.FilterError", message: "`$.size` selects nothing." }),
      step,
    ),
  );
  const result = { bySize: quick2 };
  return result;
}
