// Order desk 2.1, from serverless-workflow. Change the definition, not this file.
import { parcel } from "./parcel.ts";
import {
  type Answer,
  type Flow,
  type Json,
  type Step,
  assign,
  assignMember,
  defineWorkflow,
  equals,
  errorData,
  failure,
  isAbove,
  listIn,
  place,
  raise,
  typeOf,
} from "./runtime.js";

/** The functions that the workflow calls. */
export interface Functions {
  reserve(argument: { readonly article: Json; readonly count: Json }, step: Step): Answer<Json>;
  chargeCard(argument: { readonly card: Json; readonly amount: Json }, step: Step): Answer<Json>;
  approve(argument: { readonly order: Json; readonly total: Json }, step: Step): Answer<Json>;
  sendMail(argument: { readonly template: Json; readonly order: Json }, step: Step): Answer<Json>;
}

/** The members of the workflow data that the workflow uses. */
export type Data = {
  readonly line?: {
    readonly article?: Json;
    readonly count?: Json;
    readonly [member: string]: Json | undefined;
  };
  readonly reservation?: Json;
  readonly lines?: Json;
  readonly total?: Json;
  readonly id?: Json;
  readonly approval?: { readonly granted?: Json; readonly [member: string]: Json | undefined };
  readonly card?: Json;
  readonly [member: string]: Json | undefined;
};

/** Reserves what was ordered, charges the card and has the parcel sent; a human decides where the amount is large. */
export const orders = defineWorkflow({
  id: "orders",
  version: "17608cffa427afa2",
  name: "Order desk",
  run: async (flow: Flow, fn: Functions, data: Data): Promise<Json> => {
    toApologise: {
      // Reserve (foreach state)
      try {
        await flow.attempt("Reserve", async (flow) => {
          const items = data.lines === undefined ? [] : data.lines;
          const reserveResults = await flow.forEach(
            "Reserve/iterate",
            listIn(items, {
              name: "DataError",
              message: "The collection $.lines of foreach state Reserve is not an array.",
            }),
            (flow, element) => reserveIterate(flow, fn, element, data),
            { width: 4 },
          );
          data = place(data, ["reserved"], reserveResults);
        });
      } catch (caught) {
        const error = failure(caught);
        if (error.name !== "OutOfStock") throw caught;
        data = place(data, ["shortage"], errorData(error));
        break toApologise;
      }
      // Large? (switch state)
      if (isAbove(data.total, "1000")) {
        // Ask (operation state)
        const ask = await flow.step("Ask", (step) =>
          fn.approve({ order: data.id ?? null, total: data.total! }, step),
        );
        data = assignMember(data, "approval", ask);
        // Approved? (switch state)
        if (!equals(data.approval?.granted, "true")) break toApologise;
      }
      // Charge (operation state)
      try {
        const dataBefore = data;
        await flow.attempt(
          "Charge",
          async (flow) => {
            data = dataBefore;
            const chargeCard = await flow.step("Charge/chargeCard", (step) =>
              fn.chargeCard({ card: data.card ?? null, amount: data.total ?? null }, step),
            );
            data = assignMember(data, "payment", chargeCard);
          },
          { retries: [{ when: (error) => error.name === "Busy", limit: 3, base: 10, step: 5 }] },
        );
      } catch (caught) {
        const error = failure(caught);
        if (error.name !== "Declined") throw caught;
        data = place(data, ["error"], errorData(error));
        break toApologise;
      }
      // Ship (subflow state)
      const shipResult = await flow.invoke(
        "Ship",
        parcel,
        typeOf(data) === "object"
          ? data
          : raise({ name: "InvalidInput", message: "The input of a run has to be an object." }),
        { terminates: true },
      );
      data = assign(data, shipResult);
      return data;
    }
    // Apologise (operation state)
    const apologise = await flow.step("Apologise", (step) =>
      fn.sendMail({ template: "sorry", order: data.id ?? null }, step),
    );
    data = assignMember(data, "mail", apologise);
    return data;
  },
});

/** Reserve, for each element */
async function reserveIterate(flow: Flow, fn: Functions, element: Json, data: Data): Promise<Json> {
  data = place(data, ["line"], element);
  // Reserve one (operation state)
  const reserveOne = await flow.step("Reserve one", (step) =>
    fn.reserve({ article: data.line?.article ?? null, count: data.line?.count ?? null }, step),
  );
  data = assignMember(data, "reservation", reserveOne);
  data = (data.reservation === undefined ? data : data.reservation) as Data;
  return data;
}
