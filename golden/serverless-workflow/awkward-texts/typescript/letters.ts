// Letters 1.0, from serverless-workflow. Change the definition, not this file.
import {
  type Answer,
  type Flow,
  type Json,
  type Step,
  assignResult,
  defineWorkflow,
} from "./runtime.js";

/** The functions that the workflow calls. */
export interface Functions {
  send(
    argument: {
      readonly subject: Json;
      readonly body: Json;
      readonly "": Json;
      readonly table: Json;
      readonly mark: Json;
      readonly quoted: Json;
      readonly who: Json;
    },
    step: Step,
  ): Answer<Json>;
}

/** The members of the workflow data that the workflow uses. */
export type Data = { readonly name?: Json; readonly [member: string]: Json | undefined };

/** Letters */
export const letters = defineWorkflow({
  id: "letters",
  version: "591a83ba9ece8dff",
  name: "Letters",
  run: async (flow: Flow, fn: Functions, data: Data): Promise<Json> => {
    // Send (operation state)
    const send = await flow.step("Send", (step) =>
      fn.send(
        {
          subject: "",
          body: "Dear customer,\nthank you.\n",
          "": "nameless",
          table: [[1, [2]], [{ cell: "" }], []],
          mark: "{% not an expression %}",
          quoted: '"it\'s" `so` \\ \u0024{here} \u2028 \u003c/script>',
          who: [[data.name ?? null]],
        },
        step,
      ),
    );
    data = assignResult(data, send, "send");
    return data;
  },
});
