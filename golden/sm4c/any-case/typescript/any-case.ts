// any-case 1.0, from sm4c. Change the definition, not this file.
import {
  type Flow,
  type Json,
  defineWorkflow,
  errorOf,
  isGreater,
  plus,
  withMember,
} from "./runtime.js";

/** The members of the workflow data that the workflow uses. */
export type Data = { readonly a?: Json; readonly [member: string]: Json | undefined };

/** any-case */
export const anyCase = defineWorkflow({
  id: "any-case",
  version: "32b3907524bf94c8",
  name: "any-case",
  events: { Paid: { type: "shop.paid", foldCase: true } },
  run: async (flow: Flow, _fn: object, data: Data): Promise<Json> => {
    // First (state)
    {
      const value = plus(data.a ?? null, 1);
      data = withMember(data, "a", value);
    }
    if (isGreater(data.a!, 1)) {
      // Second (state)
      const secondResults = await flow.forEach(
        "Second",
        [data.a!],
        (_flow, element) => second(element),
        { width: 1 },
      );
      data = withMember(data, "all", secondResults);
      return data;
    }
    throw errorOf({
      origin: "noMatch",
      name: "SM4C.NoTransition",
      message: "No condition of a transition of state First holds.",
    });
  },
});

/** Second, for each element */
async function second(element: Json): Promise<Json> {
  return element;
}
