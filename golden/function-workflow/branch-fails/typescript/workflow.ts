// workflow 0.1, from function-workflow. Change the definition, not this file.
import {
  type Answer,
  type Flow,
  type Json,
  type Step,
  defineWorkflow,
  errorOf,
} from "./runtime.js";

/** The functions that the workflow calls. */
export interface Functions {
  quick(argument: Json, step: Step): Answer<Json>;
  slow(argument: Json, step: Step): Answer<Json>;
}

/** workflow */
export const workflow = defineWorkflow({
  id: "workflow",
  version: "e350159221c8c57a",
  name: "workflow",
  anyInput: true,
  errors: { expression: "SYS.FilterError", timeout: "SYS.Timeout" },
  run: async (flow: Flow, fn: Functions, data: Json): Promise<Json> => {
    // Both (parallel state)
    const bothResults = await flow.fork("Both", {
      quick: (flow) => bothQuick(flow, fn, data),
      slow: (flow) => bothSlow(flow, fn, data),
    });
    data = [bothResults.quick, bothResults.slow];
    // Done (end state)
    return data;
  },
});

/** Both / quick */
async function bothQuick(flow: Flow, fn: Functions, data: Json): Promise<Json> {
  let answer!: Json;
  // Quick (operation state)
  let attempts1 = 0;
  while (true) {
    ({ attempts1 } = await flow.round("Quick/quick", { attempts1 }));
    bothQuickQuickWait: {
      try {
        answer = (await flow.step("Quick/quick", (step) => fn.quick(data, step))) as Json;
      } catch (caught) {
        const error = flow.failure(caught);
        if (attempts1 < 1 && error.name === "Busy") break bothQuickQuickWait;
        if (error.name !== "Busy") throw caught;
        throw errorOf(error);
      }
      if (!(attempts1 < 1 && answer === "Busy")) {
        if (answer === "Busy") {
          throw errorOf({
            origin: "fail",
            name: "SYS.Fail",
            message: 'Function quick gave "Busy".',
          });
        }
        break;
      }
    }
    await flow.sleep("Quick/wait", 1);
    attempts1 += 1;
  }
  data = answer;
  return data;
}

/** Both / slow */
async function bothSlow(flow: Flow, fn: Functions, data: Json): Promise<Json> {
  // Slow (operation state)
  data = (await flow.step("Slow", (step) => fn.slow(data, step))) as Json;
  return data;
}
