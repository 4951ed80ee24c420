// infinite-numbers 1.0, from sm4c. Change the definition, not this file.
import { multiply } from "./infinite-numbers.expressions.ts";
import {
  type Answer,
  type Flow,
  type Json,
  type Step,
  defineWorkflow,
  memberOf,
  minus,
  plus,
  times,
  toFinite,
  withMember,
} from "./runtime.js";

/** The functions that the workflow calls. */
export interface Functions {
  store(argument: { readonly big: Json; readonly product: Json }, step: Step): Answer<Json>;
}

/** The members of the workflow data that the workflow uses. */
export type Data = {
  readonly n?: Json;
  readonly nan?: Json;
  readonly [member: string]: Json | undefined;
};

/** infinite-numbers */
export const infiniteNumbers = defineWorkflow({
  id: "infinite-numbers",
  version: "fc7689846f194eb6",
  name: "infinite-numbers",
  events: { counted: { type: "org.example.counted", foldCase: true } },
  run: async (flow: Flow, fn: Functions, data: Data): Promise<Json> => {
    // Multiply (state)
    data = multiply(data) as Data;
    if (
      minus(memberOf(data, "big") ?? null, memberOf(data, "big") ?? null) === 0 &&
      (data.nan ?? null) === null
    ) {
      // Send (state)
      const send = await flow.step("Send", (step) =>
        fn.store(
          { big: memberOf(data, "big") ?? null, product: toFinite(times(data.n ?? null, 10)) },
          step,
        ),
      );
      await flow.emit(
        "Send/sent",
        "counted",
        { sum: toFinite(plus(memberOf(data, "big") ?? null, memberOf(data, "big") ?? null)) },
        { attributes: { subject: "counted" } },
      );
      {
        const value2 = { stored: send, sent: null };
        data = withMember(data, "done", value2);
      }
      return data;
    }
    // Kept (state)
    data = withMember(data, "kept", true);
    return data;
  },
});
