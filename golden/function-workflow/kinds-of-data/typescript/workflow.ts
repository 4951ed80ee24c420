// workflow 0.1, from function-workflow. Change the definition, not this file.
import {
  type Answer,
  type Flow,
  type Json,
  type Step,
  defineWorkflow,
  errorOf,
  isGreater,
  itemsOf,
} from "./runtime.js";

/** The functions that the workflow calls. */
export interface Functions {
  ask(argument: Json, step: Step): Answer<Json>;
  read(argument: Json, step: Step): Answer<Json>;
  open(argument: Json, step: Step): Answer<Json>;
  weigh(argument: Json, step: Step): Answer<Json>;
}

/** The members of the workflow data that the workflow uses. */
export type Data = any;

/** workflow */
export const workflow = defineWorkflow({
  id: "workflow",
  version: "73039d5cc3fbfe92",
  name: "workflow",
  anyInput: true,
  errors: { expression: "SYS.FilterError", timeout: "SYS.Timeout" },
  run: async (flow: Flow, fn: Functions, data: Data): Promise<Json> => {
    which: {
      // Ask (operation state)
      try {
        data = (await flow.step("Ask", (step) => fn.ask(data, step), {
          timeout: 5,
        })) as Json as Data;
      } catch (caught) {
        const error = flow.failure(caught);
        if (!(error.origin === "timeout" || error.name === "SYS.Timeout")) throw caught;
        break which;
      }
    }
    done: {
      while (true) {
        ({ data } = await flow.round("Which", { data }));
        // Which (switch state)
        if (
          (typeof (data as unknown) === "string" &&
            isGreater(data, "") &&
            (data?.kind ?? null) !== "box") ||
          (typeof (data as unknown) === "number" &&
            isGreater(data, 9) &&
            (data?.kind ?? null) !== "box")
        ) {
          break;
        }
        if ((data?.kind ?? null) === "box") {
          // Box (parallel state)
          data = itemsOf(data.parts) as Json as Data;
          const boxResults = await flow.fork("Box/branches", {
            open: (flow) => boxBranchesOpen(flow, fn, data),
            weigh: (flow) => boxBranchesWeigh(flow, fn, data),
          });
          data = { kind: [boxResults.open, boxResults.weigh] } as Data;
        } else {
          break done;
        }
      }
      // Text (operation state)
      data = (await flow.step("Text", (step) => fn.read(data, step))) as Json as Data;
    }
    // Done (end state)
    return data;
  },
});

/** Box / open */
async function boxBranchesOpen(flow: Flow, fn: Functions, data: Data): Promise<Json> {
  // Open (operation state)
  data = (await flow.step("Open", (step) => fn.open(data, step))) as Json as Data;
  return data;
}

/** Box / weigh */
async function boxBranchesWeigh(flow: Flow, fn: Functions, data: Data): Promise<Json> {
  let answer!: Json;
  // Weigh (operation state)
  let attempts1 = 0;
  while (true) {
    ({ attempts1 } = await flow.round("Weigh/weigh", { attempts1 }));
    try {
      answer = (await flow.step("Weigh/weigh", (step) => fn.weigh(data, step))) as Json;
    } catch (caught) {
      const error = flow.failure(caught);
      if (error.name !== "SYS.Fail") throw caught;
      // Weighed (end state)
      throw errorOf({ origin: "fail", name: "SYS.Fail", message: "Weighed" });
    }
    if (attempts1 < 1 && (answer === 0 || answer === "0")) {
      await flow.sleep("Weigh/wait", 1);
      attempts1 += 1;
    } else {
      if (answer === 0 || answer === "0") {
        throw errorOf({ origin: "fail", name: "SYS.Fail", message: "Function weigh gave 0." });
      }
      break;
    }
  }
  data = answer as Data;
  return data;
}
