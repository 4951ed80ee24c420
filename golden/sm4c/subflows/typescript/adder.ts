// adder 1.0, from sm4c. Change the definition, not this file.
import { type Flow, type Json, defineWorkflow, plus, toFinite, withMember } from "./runtime.js";

/** The members of the workflow data that the workflow uses. */
export type Data = {
  readonly b?: Json;
  readonly a?: Json;
  readonly [member: string]: Json | undefined;
};

/** adder */
export const adder = defineWorkflow({
  id: "adder",
  version: "21123f7658a61eb4",
  name: "adder",
  run: async (_flow: Flow, _fn: object, data: Data): Promise<Json> => {
    // Add (state)
    {
      const value = toFinite(plus(data.a ?? null, data.b ?? null));
      data = withMember(data, "sum", value);
    }
    return data;
  },
});
