// ways-in-order 1.0, from sm4c. Change the definition, not this file.
import { type Flow, type Json, defineWorkflow, errorOf, isGreater } from "./runtime.js";
import { count, countMerge } from "./ways-in-order.expressions.ts";

/** The members of the workflow data that the workflow uses. */
export type Data = {
  readonly left?: Json;
  readonly kind?: Json;
  readonly [member: string]: Json | undefined;
};

/** ways-in-order */
export const waysInOrder = defineWorkflow({
  id: "ways-in-order",
  version: "c84b1f3ea5c2ca73",
  name: "ways-in-order",
  run: async (flow: Flow, _fn: object, data: Data): Promise<Json> => {
    while (true) {
      ({ data } = await flow.round("Count", { data }));
      // Count (state)
      if (isGreater(data.left ?? null, 0)) {
        data = countMerge(data) as Data;
      } else {
        if ((data.kind ?? null) === true) break;
        if ((data.kind ?? null) === "a") {
          // A (state)
          return data;
        }
        if (count(data) === true) break;
        throw errorOf({
          origin: "noMatch",
          name: "SM4C.NoTransition",
          message: "No condition of a transition of state Count holds.",
        });
      }
    }
    // Kind (state)
    return data;
  },
});
