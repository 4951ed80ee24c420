// workflow 0.1, from function-workflow. Change the definition, not this file.
import {
  type Answer,
  type Flow,
  type Json,
  type Step,
  defineWorkflow,
  errorOf,
  memberOf,
  required,
} from "./runtime.js";

/** The functions that the workflow calls. */
export interface Functions {
  result(argument: Json, step: Step): Answer<Json>;
  Result(argument: Json, step: Step): Answer<Json>;
  ["__proto__"](argument: Json, step: Step): Answer<Json>;
  toString(argument: Json, step: Step): Answer<Json>;
  "a */ b"(argument: Json, step: Step): Answer<Json>;
  f(argument: Json, step: Step): Answer<Json>;
  "f-2"(argument: Json, step: Step): Answer<Json>;
  "`\u0024{x}`"(argument: Json, step: Step): Answer<Json>;
}

/** The members of the workflow data that the workflow uses. */
export type Data = { readonly n?: Json; readonly [member: string]: Json | undefined };

/** workflow */
export const workflow = defineWorkflow({
  id: "workflow",
  version: "d72af04ea7e08ed0",
  name: "workflow",
  anyInput: true,
  errors: { expression: "SYS.FilterError", timeout: "SYS.Timeout" },
  run: async (flow: Flow, fn: Functions, data: Data): Promise<Json> => {
    // data (switch state)
    if ((data?.n ?? null) === 1) {
      // DATA (operation state)
      const dataAnswer = await flow.step("DATA", (step) => fn.result(data, step));
      data = (await flow.step("DATA/Result", (step) =>
        fn.Result(dataAnswer, step),
      )) as Json as Data;
    } else {
      if ((data?.n ?? null) === 2) {
        // __proto__ (operation state)
        const proto = await flow.step("__proto__", (step) => fn["__proto__"](data, step));
        data = { ["__proto__"]: proto } as Data;
        // end (end state)
        data = required(memberOf(data, "__proto__"), {
          name: "SYS.FilterError",
          message: "`$.__proto__` selects nothing.",
        }) as Data;
        return data;
      }
      if ((data?.n ?? null) === 3) {
        // constructor (parallel state)
        const constructorResults = await flow.fork("constructor", {
          ["__proto__"]: (flow: Flow) => constructorProto(flow, fn, data),
          "*/": (flow) => constructor(flow, fn, data),
        });
        data = [constructorResults["__proto__"], constructorResults["*/"]] as Json as Data;
      } else if ((data?.n ?? null) === 4) {
        // data/choose (operation state)
        const dataChooseResults = await flow.fork("data/choose", {
          f: (flow) => dataChooseF(flow, fn, data),
          "f-2": (flow) => dataChooseF2(flow, fn, data),
          "f-2-2": (flow) => dataChooseF22(flow, fn, data),
        });
        data = [
          dataChooseResults.f,
          dataChooseResults["f-2"],
          dataChooseResults["f-2-2"],
        ] as Json as Data;
      } else {
        // *\/ `${x}` \ " (operation state)
        await flow.step('*/ `\u0024{x}` \\ " \u2028', (step) => fn["`\u0024{x}`"](data, step));
        // END (end state)
        throw errorOf({ origin: "fail", name: "SYS.Fail", message: "END" });
      }
    }
    // End (end state)
    return data;
  },
});

/** constructor / __proto__ */
async function constructorProto(flow: Flow, fn: Functions, data: Data): Promise<Json> {
  // data (operation state)
  data = (await flow.step("data", (step) => fn.toString(data, step))) as Json as Data;
  return data;
}

/** constructor / *\/ */
async function constructor(flow: Flow, fn: Functions, data: Data): Promise<Json> {
  // data (operation state)
  data = (await flow.step("data", (step) => fn["a */ b"](data, step))) as Json as Data;
  return data;
}

/** data/choose / f */
async function dataChooseF(flow: Flow, fn: Functions, data: Data): Promise<Json> {
  const f = await flow.step("data/choose/f", (step) => fn.f(data, step));
  return f;
}

/** data/choose / f-2 */
async function dataChooseF2(flow: Flow, fn: Functions, data: Data): Promise<Json> {
  const f2 = await flow.step("data/choose/f-2", (step) => fn.f(data, step));
  return f2;
}

/** data/choose / f-2-2 */
async function dataChooseF22(flow: Flow, fn: Functions, data: Data): Promise<Json> {
  const f22 = await flow.step("data/choose/f-2-2", (step) => fn["f-2"](data, step));
  return f22;
}
