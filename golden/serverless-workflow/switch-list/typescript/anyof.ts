// A condition over many, from serverless-workflow. Change the definition, not this file.
import { type Flow, type Json, defineWorkflow } from "./runtime/index.ts";
import { merge, stock, stock2 } from "./anyof.expressions.js";

/** What the workflow calls. */
export interface Functions {
}

/** The data of the workflow, as far as it is looked at. */
export type Data = {
  readonly ship?: Json;
  readonly items?: Json;
  readonly [member: string]: Json | undefined;
};

/** A condition over many */
export const anyof = defineWorkflow({
  id: "anyof",
  version: "95af94c803bc539a",
  name: "A condition over many",
  run: async (flow: Flow, fn: Functions, data: Data): Promise<Json> => {
    // Stock (switch state)
    if (stock(data) === true) {
      // Ship (inject state)
      data = merge(data, { ship: "all" });
      data = (data?.ship === undefined ? data : data?.ship) as Data;
      return data;
    }
    if (stock2(data) === true) {
      // Part (inject state)
      data = merge(data, { ship: "part" });
      data = (data?.ship === undefined ? data : data?.ship) as Data;
      return data;
    }
    // None (inject state)
    data = merge(data, { ship: "none" });
    data = (data?.ship === undefined ? data : data?.ship) as Data;
    return data;
  },
});
