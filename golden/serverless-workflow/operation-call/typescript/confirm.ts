// Confirm an order 1.0, from serverless-workflow. Change the definition, not this file.
import {
  type Answer,
  type Flow,
  type Json,
  type Step,
  assignMember,
  defineWorkflow,
} from "./runtime.js";

/** The functions that the workflow calls. */
export interface Functions {
  sendMail(
    argument: { readonly to: Json; readonly subject: Json; readonly order: Json },
    step: Step,
  ): Answer<Json>;
}

/** The members of the workflow data that the workflow uses. */
export type Data = {
  readonly customer?: { readonly mail?: Json; readonly [member: string]: Json | undefined };
  readonly id?: Json;
  readonly note?: Json;
  readonly [member: string]: Json | undefined;
};

/** Confirm an order */
export const confirm = defineWorkflow({
  id: "confirm",
  version: "2d90e7c961c59739",
  name: "Confirm an order",
  run: async (flow: Flow, fn: Functions, data: Data): Promise<Json> => {
    // Confirm (operation state)
    const confirmAnswer = await flow.step("Confirm", (step) =>
      fn.sendMail(
        {
          to: data.customer?.mail ?? null,
          subject: "Thank you",
          order: { id: data.id ?? null, note: data.note ?? null },
        },
        step,
      ),
    );
    data = assignMember(data, "mail", confirmAnswer);
    return data;
  },
});
