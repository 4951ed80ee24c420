// __proto__ 1.0, from sm4c. Change the definition, not this file.
import { constructorMerge } from "./__proto__.expressions.ts";
import {
  type Answer,
  type Flow,
  type Json,
  type Step,
  defineWorkflow,
  memberOf,
} from "./runtime.js";

/** The functions that the workflow calls. */
export interface Functions {
  toString(argument: Json, step: Step): Answer<Json>;
  'a`\u0024{b}*/"'(argument: Json, step: Step): Answer<Json>;
}

/** The members of the workflow data that the workflow uses. */
export type Data = {
  readonly data?: Json;
  readonly error?: Json;
  readonly result?: Json;
  readonly [member: string]: Json | undefined;
};

/** __proto__ */
export const proto = defineWorkflow({
  id: "__proto__",
  version: "9222ef190995b253",
  name: "__proto__",
  events: { constructor: { type: 'a"b`\u0024{c}', foldCase: true } },
  run: async (flow: Flow, fn: Functions, data: Data): Promise<Json> => {
    // constructor (state)
    const constructor = await flow.step(
      "constructor",
      (step) => fn.toString({ ["__proto__"]: data.data ?? null, "a b": data.error ?? null }, step),
      { retries: [{ limit: 1 }] },
    );
    const results = await flow.step("constructor/results", (step) =>
      fn['a`\u0024{b}*/"']({}, step),
    );
    const constructorResults = await flow.fork("constructor/changes", {
      constructor: () => constructorChangesConstructor(data),
      "x\n`": () => constructorChangesX(data),
    });
    data = constructorMerge(data, constructor, results, constructorResults) as Data;
    await flow.emit(
      "constructor/Constructor",
      "constructor",
      {},
      { attributes: { subject: "constructor" } },
    );
    // *\/ // `${x} (state)
    return data;
  },
});

/** constructor / constructor */
async function constructorChangesConstructor(data: Data): Promise<Json> {
  return [data.data ?? null, data.result ?? null];
}

/** constructor / x ` */
async function constructorChangesX(data: Data): Promise<Json> {
  return memberOf(data, "__proto__") ?? null;
}
