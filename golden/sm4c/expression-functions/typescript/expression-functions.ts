// expression-functions 1.0, from sm4c. Change the definition, not this file.
import {
  type Flow,
  type Json,
  add,
  defineWorkflow,
  either,
  elementsOf,
  get,
  isGreater,
  plus,
  times,
  toFinite,
  withMember,
} from "./runtime.js";

/** The members of the workflow data that the workflow uses. */
export type Data = {
  readonly lines?: Json;
  readonly total?: Json;
  readonly kept?: Json;
  readonly [member: string]: Json | undefined;
};

/** expression-functions */
export const expressionFunctions = defineWorkflow({
  id: "expression-functions",
  version: "63eb0493883b9509",
  name: "expression-functions",
  run: async (_flow: Flow, _fn: object, data: Data): Promise<Json> => {
    // Sum (state)
    {
      const value = toFinite(
        either(
          add(
            elementsOf(data.lines ?? null).map((item) => {
              const countValue = get(item, "count");
              return times(get(item, "price"), countValue);
            }),
          ),
          0,
        ),
      );
      data = withMember(data, "total", value);
    }
    if (isGreater(data.total ?? null, 100)) {
      {
        const value2 = toFinite(
          either(
            add(
              elementsOf(data.lines ?? null).map((item) => {
                const countValue = get(item, "count");
                return times(get(item, "price"), countValue);
              }),
            ),
            0,
          ),
        );
        const value22 = [value2];
        data = withMember(data, "kept", plus(data.kept ?? null, value22));
      }
    }
    // Done (state)
    return data;
  },
});
