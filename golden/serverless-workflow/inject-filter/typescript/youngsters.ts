// Keep the young 1.0, from serverless-workflow. Change the definition, not this file.
import {
  type Flow,
  type Json,
  assign,
  comparesNodes,
  defineWorkflow,
  itemsOf,
  present,
} from "./runtime.js";

/** The members of the workflow data that the workflow uses. */
export type Data = { readonly people?: Json; readonly [member: string]: Json | undefined };

/** Keep the young */
export const youngsters = defineWorkflow({
  id: "youngsters",
  version: "04c1bc4cc47acd68",
  name: "Keep the young",
  run: async (_flow: Flow, _fn: object, data: Data): Promise<Json> => {
    // People (inject state)
    data = assign(data, {
      people: [
        { name: "Ida", age: 31 },
        { name: "Per", age: 52 },
        { name: "Eva", age: 17 },
      ],
    });
    data = (
      itemsOf(data.people).filter((item) => comparesNodes(present(item.age), "<", [40])).length > 0
        ? itemsOf(data.people).filter((item) => comparesNodes(present(item.age), "<", [40]))
        : data
    ) as Data;
    return data;
  },
});
