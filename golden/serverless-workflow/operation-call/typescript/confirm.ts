// Confirm an order 1.0, from serverless-workflow. Change the definition, not this file.
import {
  type Answer,
  type Flow,
  type Json,
  type Step,
  assign,
  defineWorkflow,
  place,
} from "./runtime.js";

/** The functions that the workflow calls. */
export interface Functions {
  sendMail(
    argument: { readonly to: Json; readonly subject: Json; readonly order: Json },
    step: Step,
  ): Answer<{ readonly mail?: Json; readonly [member: string]: Json | undefined }>;
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
  version: "06adc2d219ffd641",
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
    data =
      confirmAnswer?.mail !== undefined
        ? assign(data, { mail: confirmAnswer.mail })
        : place(data, ["mail"], confirmAnswer);
    return data;
  },
});
