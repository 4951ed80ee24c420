// Keep the young 1.0, from serverless-workflow. Change the definition, not this file.
import {
  type Flow,
  type Json,
  comparesNodes,
  defineWorkflow,
  itemsOf,
  merge,
  present,
} from "./runtime.js";

/** The members of the workflow data that the workflow uses. */
export type Data = { readonly people?: Json; readonly [member: string]: Json | undefined };

/** Keep the young */
export const youngsters = defineWorkflow({
  id: "youngsters",
  version: "2e9017a5e527f3fa",
  name: "Keep the young",
  run: async (_flow: Flow, _fn: object, data: Data): Promise<Json> => {
    // People (inject state)
    data = merge(data, {
      people: [
        { name: "Ida", age: 31 },
        { name: "Per", age: 52 },
        { name: "Eva", age: 17 },
      ],
    });
    data = (
      itemsOf(data.people).filter((item) => comparesNodes(present(item?.age), "<", [40])).length > 0
        ? itemsOf(data.people).filter((item) => comparesNodes(present(item?.age), "<", [40]))
        : data
    ) as Data;
    return data;
  },
});
