// subflows 1.0, from sm4c. Change the definition, not this file.
import { adder } from "./adder.ts";
import { type Flow, type Json, defineWorkflow, failure, withMember } from "./runtime.js";

/** The members of the workflow data that the workflow uses. */
export type Data = {
  readonly b?: Json;
  readonly a?: Json;
  readonly [member: string]: Json | undefined;
};

/** subflows */
export const subflows = defineWorkflow({
  id: "subflows",
  version: "e1f04826f2eaa3d4",
  name: "subflows",
  run: async (flow: Flow, _fn: object, data: Data): Promise<Json> => {
    let result3!: Json;
    // Start (state)
    const startResult = await flow.invoke("Start", adder, data);
    const startResult2 = await flow.invoke("Start/some", adder, { a: data.b ?? null, b: 10 });
    startApart: {
      try {
        result3 = await flow.invoke(
          "Start/elsewhere",
          "audit",
          { of: data.a ?? null },
          { timeout: 5 },
        );
      } catch (caught) {
        const error = failure(caught);
        if (error.origin !== "timeout") throw caught;
        result3 = null;
        break startApart;
      }
    }
    await flow.launch("Start/apart", adder, data);
    {
      const value = { whole: startResult, some: startResult2, elsewhere: result3, apart: null };
      data = withMember(data, "sums", value);
    }
    return data;
  },
});
