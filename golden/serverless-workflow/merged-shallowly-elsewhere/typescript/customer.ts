// Where somebody lives 1.0, from serverless-workflow. Change the definition, not this file.
import {
  type Answer,
  type Flow,
  type Json,
  type Step,
  assignMember,
  defineWorkflow,
} from "./runtime.js";

/** The functions that the workflow calls. */
export interface Functions {
  look(argument: { readonly customer: Json }, step: Step): Answer<Json>;
}

/** The members of the workflow data that the workflow uses. */
export type Data = {
  readonly customer?: Json;
  readonly found?: Json;
  readonly [member: string]: Json | undefined;
};

/** Where somebody lives */
export const customer = defineWorkflow({
  id: "customer",
  version: "6488dec705b541e7",
  name: "Where somebody lives",
  run: async (flow: Flow, fn: Functions, data: Data): Promise<Json> => {
    // Look (operation state)
    const look = await flow.step("Look", (step) =>
      fn.look({ customer: data.customer ?? null }, step),
    );
    data = assignMember(data, "found", look);
    data = (data.found === undefined ? data : data.found) as Data;
    return data;
  },
});
