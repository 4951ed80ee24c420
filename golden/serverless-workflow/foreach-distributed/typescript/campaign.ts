// Many iterations at once 1.0, from serverless-workflow. Change the definition, not this file.
import {
  type Answer,
  type Flow,
  type Json,
  type Step,
  assignResult,
  defineWorkflow,
  errorData,
  failure,
  listIn,
  place,
} from "./runtime.js";

/** The functions that the workflow calls. */
export interface Functions {
  render(argument: { readonly customer: Json; readonly text: Json }, step: Step): Answer<Json>;
  mail(argument: { readonly to: Json; readonly text: Json }, step: Step): Answer<Json>;
  report(argument: { readonly problem: Json }, step: Step): Answer<Json>;
}

/** The members of the workflow data that the workflow uses. */
export type Data = {
  readonly customer?: {
    readonly id?: Json;
    readonly mail?: Json;
    readonly [member: string]: Json | undefined;
  };
  readonly text?: Json;
  readonly customers?: Json;
  readonly problem?: Json;
  readonly [member: string]: Json | undefined;
};

/** Many iterations at once */
export const campaign = defineWorkflow({
  id: "campaign",
  version: "41491e342096f030",
  name: "Many iterations at once",
  run: async (flow: Flow, fn: Functions, data: Data): Promise<Json> => {
    // Render (foreach state)
    const items = data.customers === undefined ? [] : data.customers;
    await flow.forEach(
      "Render",
      listIn(items, {
        name: "DataError",
        message: "The collection $.customers of foreach state Render is not an array.",
      }),
      (flow, element) => render(flow, fn, element, data),
    );
    // Send (foreach state)
    try {
      await flow.attempt("Send", async (flow) => {
        const items2 = data.customers === undefined ? [] : data.customers;
        await flow.forEach(
          "Send/iterate",
          listIn(items2, {
            name: "DataError",
            message: "The collection $.customers of foreach state Send is not an array.",
          }),
          (flow, element) => sendIterate(flow, fn, element, data),
          { width: 200 },
        );
      });
    } catch (caught) {
      const error = failure(caught);
      if (error.name !== "Blocked") throw caught;
      data = place(data, ["problem"], errorData(error));
      // Report (operation state)
      const report = await flow.step("Report", (step) =>
        fn.report({ problem: data.problem! }, step),
      );
      data = assignResult(data, report, "report");
      return data;
    }
    return data;
  },
});

/** Render, for each element */
async function render(flow: Flow, fn: Functions, element: Json, data: Data): Promise<Json> {
  data = place(data, ["customer"], element);
  // Page (operation state)
  const page = await flow.step("Page", (step) =>
    fn.render({ customer: data.customer?.id ?? null, text: data.text ?? null }, step),
  );
  data = assignResult(data, page, "render");
  return data;
}

/** Send, for each element */
async function sendIterate(flow: Flow, fn: Functions, element: Json, data: Data): Promise<Json> {
  data = place(data, ["customer"], element);
  // Mail (operation state)
  const mail = await flow.step("Mail", (step) =>
    fn.mail({ to: data.customer?.mail ?? null, text: data.text ?? null }, step),
  );
  data = assignResult(data, mail, "mail");
  return data;
}
