// input-filter 1.0, from sm4c. Change the definition, not this file.
import { firstMerge } from "./input-filter.expressions.ts";
import {
  type Flow,
  type Json,
  defineWorkflow,
  errorOf,
  get,
  isGreater,
  plus,
  withMember,
} from "./runtime.js";

/** The members of the workflow data that the workflow uses. */
export type Data = {
  readonly order?: { readonly total?: Json; readonly [member: string]: Json | undefined };
  readonly more?: Json;
  readonly [member: string]: Json | undefined;
};

/** input-filter */
export const inputFilter = defineWorkflow({
  id: "input-filter",
  version: "ebe738ac05ec8590",
  name: "input-filter",
  run: async (_flow: Flow, _fn: object, data: Data): Promise<Json> => {
    // First (state)
    const view = data.order ?? null;
    data = firstMerge(data, view) as Data;
    if (get(view, "total") === null) {
      if (isGreater(get(view, "price"), 1)) {
        // Live (state)
        {
          const value = plus(data.order!.total ?? null, 1);
          data = withMember(data, "more", value);
        }
        if (data.more === 7) {
          // Done (state)
          return data;
        }
        throw errorOf({
          origin: "noMatch",
          name: "SM4C.NoTransition",
          message: "No condition of a transition of state Live holds.",
        });
      }
    }
    // Wrong (state)
    return data;
  },
});
