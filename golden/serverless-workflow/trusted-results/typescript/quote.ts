// Quote 1.0, from serverless-workflow. Change the definition, not this file.
import {
  type Answer,
  type Flow,
  type Json,
  type Step,
  defineWorkflow,
  itemsOf,
  merge,
  mergeResult,
} from "./runtime.js";

/** The functions that the workflow calls. */
export interface Functions {
  price(
    argument: { readonly item: Json },
    step: Step,
  ): Answer<{
    readonly total: number;
    readonly terms: { readonly currency: string; readonly days?: number };
  }>;
  book(
    argument: { readonly total: Json; readonly currency: Json; readonly days: Json },
    step: Step,
  ): Answer<{
    readonly booking: { readonly id: string; readonly lines: readonly { readonly sku: string }[] };
  }>;
  mail(argument: { readonly booking: Json; readonly lines: Json }, step: Step): Answer<Json>;
}

/** The members of the workflow data that the workflow uses. */
export type Data = {
  readonly item?: Json;
  readonly total?: Json;
  readonly terms?: {
    readonly currency?: Json;
    readonly days?: Json;
    readonly [member: string]: Json | undefined;
  };
  readonly booking?: {
    readonly id?: Json;
    readonly lines?: Json;
    readonly [member: string]: Json | undefined;
  };
  readonly [member: string]: Json | undefined;
};

/** Quote */
export const quote = defineWorkflow({
  id: "quote",
  version: "392221ddadaa6b7f",
  name: "Quote",
  run: async (flow: Flow, fn: Functions, data: Data): Promise<Json> => {
    // Quote (operation state)
    const quoteAnswer = await flow.step("Quote", (step) =>
      fn.price({ item: data.item ?? null }, step),
    );
    data = merge(data, quoteAnswer);
    const book = await flow.step("Quote/book", (step) =>
      fn.book(
        { total: data.total!, currency: data.terms!.currency!, days: data.terms!.days ?? null },
        step,
      ),
    );
    data = merge(data, book);
    const mail = await flow.step("Quote/mail", (step) =>
      fn.mail(
        { booking: data.booking!.id!, lines: itemsOf(data.booking!.lines).map((item) => item.sku) },
        step,
      ),
    );
    data = mergeResult(data, mail, "mail");
    return data;
  },
});
