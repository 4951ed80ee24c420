// A condition over many 1.0, from serverless-workflow. Change the definition, not this file.
import {
  type Flow,
  type Json,
  assign,
  defineWorkflow,
  everything,
  itemsOf,
  present,
  switchCondition,
} from "./runtime.js";

/** The members of the workflow data that the workflow uses. */
export type Data = {
  readonly items?: Json;
  readonly ship?: Json;
  readonly [member: string]: Json | undefined;
};

/** A condition over many */
export const anyof = defineWorkflow({
  id: "anyof",
  version: "6d961acdd7a1aa7e",
  name: "A condition over many",
  run: async (_flow: Flow, _fn: object, data: Data): Promise<Json> => {
    // Stock (switch state)
    if (
      switchCondition(
        itemsOf(data.items).flatMap((item) => present(item?.left)),
        "notequals",
        "0",
      )
    ) {
      // Ship (inject state)
      data = assign(data, { ship: "all" });
      data = data.ship! as Data;
      return data;
    }
    if (
      switchCondition(
        everything(data).flatMap((item) => present(item?.left)),
        "greaterthan",
        "0",
      )
    ) {
      // Part (inject state)
      data = assign(data, { ship: "part" });
      data = data.ship! as Data;
      return data;
    }
    // None (inject state)
    data = assign(data, { ship: "none" });
    data = data.ship! as Data;
    return data;
  },
});
