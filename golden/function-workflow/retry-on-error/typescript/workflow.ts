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
  charge(argument: Json, step: Step): Answer<Json>;
  tell(argument: Json, step: Step): Answer<Json>;
}

/** workflow */
export const workflow = defineWorkflow({
  id: "workflow",
  version: "cb56a7c5d3cafc44",
  name: "workflow",
  anyInput: true,
  errors: { expression: "SYS.FilterError", timeout: "SYS.Timeout" },
  run: async (flow: Flow, fn: Functions, data: Json): Promise<Json> => {
    let answer!: Json;
    // Charge (operation state)
    let attempts1 = 0;
    let attempts2 = 0;
    while (true) {
      ({ attempts1, attempts2 } = await flow.round("Charge/charge", { attempts1, attempts2 }));
      chargeAgain2: {
        chargeWait: {
          try {
            answer = (await flow.step("Charge/charge", (step) => fn.charge(data, step))) as Json;
          } catch (caught) {
            const error = flow.failure(caught);
            if (attempts1 < 2 && error.name === "Busy") break chargeWait;
            if (error.name === "Busy") throw errorOf(error);
            if (attempts2 < 1 && error.name === "Down") break chargeAgain2;
            if (error.name !== "Down") throw caught;
            throw errorOf(error);
          }
          if (!(attempts1 < 2 && answer === "Busy")) {
            if (answer === "Busy") {
              throw errorOf({
                origin: "fail",
                name: "SYS.Fail",
                message: 'Function charge gave "Busy".',
              });
            }
            if (attempts2 < 1 && answer === "Down") break chargeAgain2;
            if (answer === "Down") {
              throw errorOf({
                origin: "fail",
                name: "SYS.Fail",
                message: 'Function charge gave "Down".',
              });
            }
            break;
          }
        }
        await flow.sleep("Charge/wait", 5);
        attempts1 += 1;
        continue;
      }
      attempts2 += 1;
    }
    const result: Json = answer;
    const tell = await flow.step("Charge/tell", (step) => fn.tell(result, step), {
      retries: [{ limit: 3, base: 1 }],
    });
    // Done (end state)
    return tell;
  },
});
