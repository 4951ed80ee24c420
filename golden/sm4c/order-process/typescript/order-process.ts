// order-process 1.0, from sm4c. Change the definition, not this file.
import {
  type Answer,
  type Flow,
  type Json,
  type Step,
  defineWorkflow,
  elementsOf,
  get,
  plus,
  withMember,
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
  readonly check?: Json;
  readonly id?: Json;
  readonly lines?: Json;
  readonly warehouse?: Json;
  readonly parcels?: Json;
  readonly authorization?: Json;
  readonly [member: string]: Json | undefined;
};

/** order-process */
export const orderProcess = defineWorkflow({
  id: "order-process",
  version: "b13b12d4fbc55cf8",
  name: "order-process",
  run: async (flow: Flow, fn: Functions, data: Data): Promise<Json> => {
    // Check (state)
    const check = await flow.step(
      "Check",
      (step) => fn.checkCustomer({ customer: data.customer ?? null }, step),
      { retries: [{ when: (error) => error.name === "CustomerServiceBusy", limit: 2, base: 1 }] },
    );
    data = withMember(data, "check", check);
    if (get(data.check ?? null, "status") === "blocked") {
      // Reject (state)
      await flow.step("Reject", (step) =>
        fn.rejectOrder({ id: data.id ?? null, reason: "customer is blocked" }, step),
      );
      data = { id: data.id ?? null, status: "rejected" } as Data;
      return data;
    }
    // Reserve (state)
    const reserveResults = await flow.fork("Reserve", {
      stock: (flow) => reserveStock(flow, fn, data),
      payment: (flow) => reservePayment(flow, fn, data),
    });
    data = plus(data, {
      warehouse: get(reserveResults.stock, "warehouse"),
      authorization: get(reserveResults.payment, "authorization"),
    }) as Data;
    // Ship (state)
    const id = data.id ?? null;
    const warehouse = data.warehouse ?? null;
    const shipResults = await flow.forEach(
      "Ship",
      elementsOf(data.lines ?? null).map((item) => ({
        id,
        sku: get(item, "sku"),
        quantity: get(item, "quantity"),
        warehouse,
      })),
      (flow, element) => ship(flow, fn, element),
      { width: 1 },
    );
    {
      const value2 = elementsOf(shipResults).map((item) => get(item, "parcel"));
      data = withMember(data, "parcels", value2);
    }
    // Notify (state)
    await flow.step("Notify", (step) =>
      fn.notifyCustomer({ customer: data.customer ?? null, parcels: data.parcels! }, step),
    );
    data = {
      id: data.id ?? null,
      status: "shipped",
      authorization: data.authorization ?? null,
    } as Data;
    return data;
  },
});

/** Reserve / stock */
async function reserveStock(flow: Flow, fn: Functions, data: Data): Promise<Json> {
  const stock = await flow.step("Reserve/stock", (step) =>
    fn.reserveStock({ id: data.id ?? null, lines: data.lines ?? null }, step),
  );
  return stock;
}

/** Reserve / payment */
async function reservePayment(flow: Flow, fn: Functions, data: Data): Promise<Json> {
  const payment = await flow.step("Reserve/payment", (step) =>
    fn.reservePayment({ id: data.id ?? null, customer: data.customer ?? null }, step),
  );
  return payment;
}

/** Ship, for each element */
async function ship(flow: Flow, fn: Functions, element: Json): Promise<Json> {
  const shipLine = await flow.step("shipLine", (step) =>
    fn.shipLine(
      {
        id: get(element, "id"),
        sku: get(element, "sku"),
        quantity: get(element, "quantity"),
        warehouse: get(element, "warehouse"),
      },
      step,
    ),
  );
  return shipLine;
}
