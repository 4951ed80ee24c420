// workflow 0.1, from function-workflow. Change the definition, not this file.
import {
  type Answer,
  type Flow,
  type Json,
  type Step,
  defineWorkflow,
  itemsOf,
  present,
} from "./runtime.js";
import { orderTell } from "./workflow.expressions.ts";

/** The functions that the workflow calls. */
export interface Functions {
  charge(
    argument: {
      readonly id: Json;
      readonly currency: Json;
      readonly prices: Json;
      readonly note: Json;
      readonly left: Json;
    },
    step: Step,
  ): Answer<{ readonly receipt?: Json; readonly [member: string]: Json | undefined }>;
  tell(argument: Json, step: Step): Answer<Json>;
}

/** The members of the workflow data that the workflow uses. */
export type Data = {
  readonly order?: {
    readonly id?: Json;
    readonly lines?: Json;
    readonly [member: string]: Json | undefined;
  };
  readonly nothing?: Json;
  readonly [member: string]: Json | undefined;
};

/** workflow */
export const workflow = defineWorkflow({
  id: "workflow",
  version: "4001c0e0d29f85cf",
  name: "workflow",
  anyInput: true,
  errors: { expression: "SYS.FilterError", timeout: "SYS.Timeout" },
  run: async (flow: Flow, fn: Functions, data: Data): Promise<Json> => {
    // Order (operation state)
    const order = await flow.step("Order", (step) =>
      fn.charge(
        {
          id: data?.order?.id ?? null,
          currency: "EUR",
          prices: itemsOf(data?.order?.lines).flatMap((item) => present(item?.price)),
          note: "for $.order.id",
          left: data?.nothing ?? null,
        },
        step,
      ),
    );
    const tell = await flow.step("Order/tell", (step) => fn.tell(orderTell(order), step));
    // Done (end state)
    return tell;
  },
});
