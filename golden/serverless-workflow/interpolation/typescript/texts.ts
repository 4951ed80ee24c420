// Paths inside text 1.0, from serverless-workflow. Change the definition, not this file.
import {
  type Answer,
  type Flow,
  type Json,
  type Step,
  assignResult,
  defineWorkflow,
  text,
} from "./runtime.js";

/** The functions that the workflow calls. */
export interface Functions {
  say(
    argument: { readonly text: Json; readonly price: Json; readonly plain: Json },
    step: Step,
  ): Answer<Json>;
}

/** The members of the workflow data that the workflow uses. */
export type Data = {
  readonly sum?: Json;
  readonly name?: Json;
  readonly [member: string]: Json | undefined;
};

/** Paths inside text */
export const texts = defineWorkflow({
  id: "texts",
  version: "4425aa1425cec31e",
  name: "Paths inside text",
  run: async (flow: Flow, fn: Functions, data: Data): Promise<Json> => {
    // Say (operation state)
    const say = await flow.step("Say", (step) =>
      fn.say(
        {
          text: `Dear ${text(data.name ?? null)}, you owe ${text(data.sum ?? null)} kr`,
          price: `$.5`,
          plain: "$name",
        },
        step,
      ),
    );
    data = assignResult(data, say, "say");
    return data;
  },
});
