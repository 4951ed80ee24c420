// inactive 1, from serverless-workflow. Change the definition, not this file.
import { type Flow, type Json, assign, defineWorkflow, listIn, place } from "./runtime.js";

/** The members of the workflow data that the workflow uses. */
export type Data = {
  readonly item?: Json;
  readonly list?: Json;
  readonly [member: string]: Json | undefined;
};

/** inactive */
export const inactive = defineWorkflow({
  id: "inactive",
  version: "4a21aaafa75c28ca",
  name: "inactive",
  run: async (flow: Flow, _fn: object, data: Data): Promise<Json> => {
    // A (foreach state)
    const items = data.list === undefined ? [] : data.list;
    const aResults = await flow.forEach(
      "A",
      listIn(items, {
        name: "DataError",
        message: "The collection $.list of foreach state A is not an array.",
      }),
      (flow, element) => a(flow, element, data),
    );
    data = place(data, ["out"], aResults);
    return data;
  },
});

/** A, for each element */
async function a(flow: Flow, element: Json, data: Data): Promise<Json> {
  data = place(data, ["item"], element);
  if (
    !(await flow.isWithin("window", {
      from: "2025-01-01T00:00:00Z",
      until: "2025-02-01T00:00:00Z",
    }))
  ) {
    return data;
  }
  // I (inject state)
  data = assign(data, {});
  data = (data.item === undefined ? data : data.item) as Data;
  return data;
}
