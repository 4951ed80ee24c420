// The same in JSON 1.0, from serverless-workflow. Change the definition, not this file.
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
  greet(argument: { readonly name: Json }, step: Step): Answer<Json>;
}

/** The members of the workflow data that the workflow uses. */
export type Data = {
  readonly name?: Json;
  readonly greeting?: Json;
  readonly [member: string]: Json | undefined;
};

/** The same in JSON */
export const inJson = defineWorkflow({
  id: "in-json",
  version: "b53cffe9d88def75",
  name: "The same in JSON",
  run: async (flow: Flow, fn: Functions, data: Data): Promise<Json> => {
    // Greet (operation state)
    const greet = await flow.step("Greet", (step) => fn.greet({ name: data.name ?? null }, step));
    data = assignMember(data, "greeting", greet);
    data = (data.greeting === undefined ? data : data.greeting) as Data;
    return data;
  },
});
