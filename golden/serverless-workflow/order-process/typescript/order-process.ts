// From an order to its parcels 1.0, from serverless-workflow. Change the definition, not this file.
import {
  type Answer,
  type Flow,
  type Json,
  type Step,
  assign,
  assignMember,
  defineWorkflow,
  difference,
  listIn,
  mergeResult,
  place,
} from "./runtime.js";

/** The functions that the workflow calls. */
export interface Functions {
  checkCustomer(argument: { readonly customer: Json }, step: Step): Answer<Json>;
  rejectOrder(argument: { readonly id: Json; readonly reason: Json }, step: Step): Answer<Json>;
  reserveStock(argument: { readonly id: Json; readonly lines: Json }, step: Step): Answer<Json>;
  reservePayment(
    argument: { readonly id: Json; readonly customer: Json },
    step: Step,
  ): Answer<Json>;
  shipLine(
    argument: {
      readonly id: Json;
      readonly sku: Json;
      readonly quantity: Json;
      readonly warehouse: Json;
    },
    step: Step,
  ): Answer<Json>;
  notifyCustomer(
    argument: { readonly customer: Json; readonly parcels: Json },
    step: Step,
  ): Answer<Json>;
}

/** The members of the workflow data that the workflow uses. */
export type Data = {
  readonly customer?: Json;
  readonly checked?: { readonly status?: Json; readonly [member: string]: Json | undefined };
  readonly id?: Json;
  readonly lines?: Json;
  readonly line?: {
    readonly sku?: Json;
    readonly quantity?: Json;
    readonly [member: string]: Json | undefined;
  };
  readonly stock?: { readonly warehouse?: Json; readonly [member: string]: Json | undefined };
  readonly shipped?: { readonly parcel?: Json; readonly [member: string]: Json | undefined };
  readonly parcels?: Json;
  readonly payment?: Json;
  readonly rejection?: Json;
  readonly [member: string]: Json | undefined;
};

/** From an order to its parcels */
export const orderProcess = defineWorkflow({
  id: "order-process",
  version: "6652eae946a08427",
  name: "From an order to its parcels",
  run: async (flow: Flow, fn: Functions, data: Data): Promise<Json> => {
    // Check (operation state)
    const dataBefore = data;
    await flow.attempt(
      "Check",
      async (flow) => {
        data = dataBefore;
        const checkCustomer = await flow.step("Check/checkCustomer", (step) =>
          fn.checkCustomer({ customer: data.customer ?? null }, step),
        );
        data = assignMember(data, "checked", checkCustomer);
      },
      { retries: [{ when: (error) => error.name === "CustomerServiceBusy", limit: 2, base: 1 }] },
    );
    // Decide (switch state)
    if (data.checked?.status === "blocked") {
      // Reject (operation state)
      const reject = await flow.step("Reject", (step) =>
        fn.rejectOrder({ id: data.id ?? null, reason: "customer is blocked" }, step),
      );
      data = assignMember(data, "rejection", reject);
      // Rejected (inject state)
      data = (data.rejection === undefined ? data : data.rejection) as Data;
      data = assign(data, { status: "rejected" });
      return data;
    }
    // Reserve (parallel state)
    const reserveResults = await flow.fork("Reserve", {
      Stock: (flow) => reserveStock(flow, fn, data),
      Payment: (flow) => reservePayment(flow, fn, data),
    });
    data = mergeResult(
      mergeResult(data, difference(reserveResults.Stock, data), "Stock"),
      difference(reserveResults.Payment, data),
      "Payment",
    );
    // Ship (foreach state)
    const items = data.lines === undefined ? [] : data.lines;
    const shipResults = await flow.forEach(
      "Ship",
      listIn(items, {
        name: "DataError",
        message: "The collection $.lines of foreach state Ship is not an array.",
      }),
      (flow, element) => ship(flow, fn, element, data),
      { width: 1 },
    );
    data = place(data, ["parcels"], shipResults);
    // Notify (operation state)
    const notify = await flow.step("Notify", (step) =>
      fn.notifyCustomer({ customer: data.customer ?? null, parcels: data.parcels! }, step),
    );
    data = assignMember(data, "letter", notify);
    // Shipped (inject state)
    data = (data.payment === undefined ? data : data.payment) as Data;
    data = assign(data, { status: "shipped" });
    return data;
  },
});

/** Reserve / Stock */
async function reserveStock(flow: Flow, fn: Functions, data: Data): Promise<Json> {
  // ReserveStock (operation state)
  const reserveStockAnswer = await flow.step("ReserveStock", (step) =>
    fn.reserveStock({ id: data.id ?? null, lines: data.lines ?? null }, step),
  );
  data = assignMember(data, "stock", reserveStockAnswer);
  return data;
}

/** Reserve / Payment */
async function reservePayment(flow: Flow, fn: Functions, data: Data): Promise<Json> {
  // ReservePayment (operation state)
  const reservePaymentAnswer = await flow.step("ReservePayment", (step) =>
    fn.reservePayment({ id: data.id ?? null, customer: data.customer ?? null }, step),
  );
  data = assignMember(data, "payment", reservePaymentAnswer);
  return data;
}

/** Ship, for each element */
async function ship(flow: Flow, fn: Functions, element: Json, data: Data): Promise<Json> {
  data = place(data, ["line"], element);
  // ShipLine (operation state)
  const shipLine = await flow.step("ShipLine", (step) =>
    fn.shipLine(
      {
        id: data.id ?? null,
        sku: data.line?.sku ?? null,
        quantity: data.line?.quantity ?? null,
        warehouse: data.stock?.warehouse ?? null,
      },
      step,
    ),
  );
  data = assignMember(data, "shipped", shipLine);
  data = (data.shipped?.parcel === undefined ? data : data.shipped.parcel) as Data;
  return data;
}
