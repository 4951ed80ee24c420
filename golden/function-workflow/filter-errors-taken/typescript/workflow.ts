// workflow 0.1, from function-workflow. Change the definition, not this file.
import {
  type Answer as Answer2,
  type Flow,
  type Json,
  type Step,
  defineWorkflow,
  required,
} from "./runtime.js";

/** The functions that the workflow calls. */
export interface Functions {
  ask(
    argument: Json,
    step: Step,
  ): Answer2<{ readonly answer?: Json; readonly [member: string]: Json | undefined }>;
  keep(argument: Json, step: Step): Answer2<Json>;
  askSomebody(argument: Json, step: Step): Answer2<Json>;
}

/** The members of `result` that the workflow uses. */
export type Result = { readonly text?: Json; readonly [member: string]: Json | undefined };

/** The members of `answer` that the workflow uses. */
export type Answer = { readonly kept?: Json; readonly [member: string]: Json | undefined };

/** workflow */
export const workflow = defineWorkflow({
  id: "workflow",
  version: "6362f3a1e1547cb5",
  name: "workflow",
  anyInput: true,
  errors: { expression: "SYS.FilterError", timeout: "SYS.Timeout" },
  run: async (flow: Flow, fn: Functions, data: Json): Promise<Json> => {
    let filtered!: Json;
    let answer!: Answer;
    done: {
      unclear: {
        // Ask (operation state)
        try {
          filtered = (await flow.attempt(
            "Ask",
            async (flow) => {
              const ask = await flow.step("Ask/ask", (step) => fn.ask(data, step));
              return required(ask?.answer, {
                name: "SYS.FilterError",
                message: "`$.answer` selects nothing.",
              });
            },
            { retries: [{ when: (error) => error.name === "SYS.FilterError", limit: 2, base: 2 }] },
          )) as Json;
        } catch (caught) {
          const error = flow.failure(caught);
          if (error.name !== "SYS.FilterError") throw caught;
          break unclear;
        }
        const result = filtered as Result;
        try {
          answer = (await flow.step("Ask/keep-2", (step) =>
            fn.keep(
              required(result?.text, {
                name: "SYS.FilterError",
                message: "`$.text` selects nothing.",
              }),
              step,
            ),
          )) as Json as Answer;
        } catch (caught) {
          const error = flow.failure(caught);
          if (error.name !== "SYS.FilterError") throw caught;
          break unclear;
        }
        data = required(answer?.kept, {
          name: "SYS.FilterError",
          message: "`$.kept` selects nothing.",
        });
        break done;
      }
      // Unclear (operation state)
      data = (await flow.step("Unclear", (step) => fn.askSomebody(data, step))) as Json;
    }
    // Done (end state)
    return data;
  },
});
