// workflow 0.1, from function-workflow. Change the definition, not this file.
import {
  type Answer,
  type Flow,
  type Json,
  type Step,
  defineWorkflow,
  errorOf,
  required,
} from "./runtime.js";

/** The functions that the workflow calls. */
export interface Functions {
  reserve(argument: Json, step: Step): Answer<Json>;
  charge(argument: Json, step: Step): Answer<Json>;
  apologize(argument: Json, step: Step): Answer<Json>;
  search(argument: Json, step: Step): Answer<Json>;
  release(argument: Json, step: Step): Answer<Json>;
}

/** The members of the workflow data that the workflow uses. */
export type Data = { readonly order?: Json; readonly [member: string]: Json | undefined };

/** The members of `results` that the workflow uses. */
export type Results = {
  readonly reserve?: Json;
  readonly charge?: Json;
  readonly [member: string]: Json | undefined;
};

/** workflow */
export const workflow = defineWorkflow({
  id: "workflow",
  version: "d13c53b3480786cc",
  name: "workflow",
  anyInput: true,
  errors: { expression: "SYS.FilterError", timeout: "SYS.Timeout" },
  run: async (flow: Flow, fn: Functions, data: Data): Promise<Json> => {
    let results!: Results;
    // Both (operation state)
    data = required(data?.order, {
      name: "SYS.FilterError",
      message: "`$.order` selects nothing.",
    }) as Data;
    done: {
      try {
        results = await flow.fork("Both/actions", {
          reserve: (flow) => bothActionsReserve(flow, fn, data),
          charge: (flow) => bothActionsCharge(flow, fn, data),
        });
      } catch (caught) {
        const error = flow.failure(caught);
        if (error.name === "next-state Sorry") {
          // Sorry (operation state)
          data = (await flow.step("Sorry", (step) => fn.apologize(data, step))) as Json as Data;
          break done;
        }
        if (error.name === "next-state Search") {
          // Search (operation state)
          data = (await flow.step("Search", (step) => fn.search(data, step))) as Json as Data;
          break done;
        }
        if (error.name !== "next-state Release") throw caught;
        // Release (operation state)
        data = (await flow.step("Release", (step) => fn.release(data, step))) as Json as Data;
        break done;
      }
      data = [results.reserve ?? null, results.charge ?? null] as Json as Data;
    }
    // Done (end state)
    return data;
  },
});

/** Both / reserve */
async function bothActionsReserve(flow: Flow, fn: Functions, data: Data): Promise<Json> {
  let answer!: Json;
  let attempts2 = 0;
  bothLeave2: {
    bothLeave: {
      while (true) {
        ({ attempts2 } = await flow.round("Both/reserve", { attempts2 }));
        bothWait: {
          try {
            answer = (await flow.step("Both/reserve", (step) => fn.reserve(data, step))) as Json;
          } catch (caught) {
            const error = flow.failure(caught);
            if (error.name === "OutOfStock") break bothLeave;
            if (attempts2 < 1 && error.name === "NONE") break bothWait;
            if (error.name !== "NONE") throw caught;
            break bothLeave2;
          }
          if (answer === "OutOfStock") break bothLeave;
          if (!(attempts2 < 1 && answer === "NONE")) {
            if (answer === "NONE") break bothLeave2;
            break;
          }
        }
        await flow.sleep("Both/wait", 1);
        attempts2 += 1;
      }
      const result: Json = answer;
      return result;
    }
    throw errorOf({
      origin: "fail",
      name: "next-state Sorry",
      message: "The run goes on with another state.",
    });
  }
  throw errorOf({
    origin: "fail",
    name: "next-state Search",
    message: "The run goes on with another state.",
  });
}

/** Both / charge */
async function bothActionsCharge(flow: Flow, fn: Functions, data: Data): Promise<Json> {
  let result!: Json;
  try {
    result = (await flow.step("Both/charge", (step) => fn.charge(data, step))) as Json;
  } catch (caught) {
    flow.failure(caught);
    throw errorOf({
      origin: "fail",
      name: "next-state Release",
      message: "The run goes on with another state.",
    });
  }
  return result;
}
