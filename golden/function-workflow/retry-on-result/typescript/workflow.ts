// workflow 0.1, from function-workflow. Change the definition, not this file.
import {
  type Answer,
  type Flow,
  type Json,
  type Step,
  defineWorkflow,
  equalValues,
  errorOf,
  required,
} from "./runtime.js";

/** The functions that the workflow calls. */
export interface Functions {
  assess(argument: Json, step: Step): Answer<Json>;
  tell(argument: Json, step: Step): Answer<Json>;
  askSomebody(argument: Json, step: Step): Answer<Json>;
  search(argument: Json, step: Step): Answer<Json>;
}

/** The members of the workflow data that the workflow uses. */
export type Data = { readonly case?: Json; readonly [member: string]: Json | undefined };

/** workflow */
export const workflow = defineWorkflow({
  id: "workflow",
  version: "19b156d54df1179d",
  name: "workflow",
  anyInput: true,
  errors: { expression: "SYS.FilterError", timeout: "SYS.Timeout" },
  run: async (flow: Flow, fn: Functions, data: Data): Promise<Json> => {
    let answer!: Json;
    // Assess (operation state)
    data = required(data?.case, {
      name: "SYS.FilterError",
      message: "`$.case` selects nothing.",
    }) as Data;
    let attempts1 = 0;
    let attempts3 = 0;
    let attempts4 = 0;
    done: {
      missing: {
        unclear: {
          while (true) {
            ({ attempts1, attempts4, attempts3 } = await flow.round("Assess/assess", {
              attempts1,
              attempts4,
              attempts3,
            }));
            assessWait: {
              try {
                answer = (await flow.step("Assess/assess", (step) =>
                  fn.assess(data, step),
                )) as Json;
              } catch (caught) {
                const error = flow.failure(caught);
                if (attempts1 < 2 && error.name === "PENDING") break assessWait;
                if (error.name === "PENDING") break unclear;
                if (error.name === "404") break missing;
                if (attempts4 < 1) {
                  await flow.sleep("Assess/wait-2", 1);
                  attempts4 += 1;
                  continue;
                }
                // Failed (end state)
                throw errorOf({ origin: "fail", name: "SYS.Fail", message: "Failed" });
              }
              if (!(attempts1 < 2 && answer === "PENDING")) {
                if (answer === "PENDING") break unclear;
                if (answer === "404" || answer === 404) break missing;
                if (attempts3 < 1 && equalValues(answer, { state: "busy" })) {
                  attempts3 += 1;
                  continue;
                }
                if (equalValues(answer, { state: "busy" })) {
                  throw errorOf({
                    origin: "fail",
                    name: "SYS.Fail",
                    message: 'Function assess gave {"state":"busy"}.',
                  });
                }
                break;
              }
            }
            await flow.sleep("Assess/wait", 5);
            attempts1 += 1;
          }
          const result: Json = answer;
          data = (await flow.step("Assess/tell", (step) => fn.tell(result, step))) as Json as Data;
          break done;
        }
        // Unclear (operation state)
        data = (await flow.step("Unclear", (step) => fn.askSomebody(data, step))) as Json as Data;
        break done;
      }
      // Missing (operation state)
      data = (await flow.step("Missing", (step) => fn.search(data, step))) as Json as Data;
    }
    // Done (end state)
    return data;
  },
});
