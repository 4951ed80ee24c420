// workflow 0.1, from function-workflow. Change the definition, not this file.
import {
  type Answer,
  type Flow,
  type Json,
  type Step,
  defineWorkflow,
  elementOf,
  errorOf,
  everything,
  isGreaterOrEqual,
  memberOf,
  present,
  required,
} from "./runtime.js";
import { beginParcelsNone, shipLeftLeft } from "./workflow.expressions.ts";

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
  readonly id?: Json;
  readonly lines?: Json;
  readonly [member: string]: Json | undefined;
};

/** workflow */
export const workflow = defineWorkflow({
  id: "workflow",
  version: "a89f8a7f2af146b3",
  name: "workflow",
  anyInput: true,
  errors: { expression: "SYS.FilterError", timeout: "SYS.Timeout" },
  run: async (flow: Flow, fn: Functions, data: Data): Promise<Json> => {
    // Check (parallel state)
    const checkResults = await flow.fork("Check", {
      order: () => checkOrder(data),
      customer: (flow) => checkCustomer(flow, fn, data),
    });
    data = [checkResults.order, checkResults.customer] as Json as Data;
    // Good (switch state)
    if ((memberOf(elementOf(data, 1), "status") ?? null) === "blocked") {
      // Reject (operation state)
      data = required(elementOf(data, 0), {
        name: "SYS.FilterError",
        message: "`$[0]` selects nothing.",
      }) as Data;
      data = (await flow.step("Reject/rejectOrder", (step) =>
        fn.rejectOrder({ id: data?.id ?? null, reason: "customer is blocked" }, step),
      )) as Json as Data;
    } else {
      // Reserve (parallel state)
      data = required(elementOf(data, 0), {
        name: "SYS.FilterError",
        message: "`$[0]` selects nothing.",
      }) as Data;
      const reserveResults = await flow.fork("Reserve/branches", {
        order: () => reserveBranchesOrder(data),
        stock: (flow) => reserveBranchesStock(flow, fn, data),
        payment: (flow) => reserveBranchesPayment(flow, fn, data),
      });
      data = [reserveResults.order, reserveResults.stock, reserveResults.payment] as Json as Data;
      // Begin (parallel state)
      const beginResults = await flow.fork("Begin", {
        fixed: () => beginFixed(data),
        left: () => beginLeft(data),
        parcels: () => beginParcels(data),
      });
      data = [beginResults.fixed, beginResults.left, beginResults.parcels] as Json as Data;
      while (true) {
        ({ data } = await flow.round("More", { data }));
        // More (switch state)
        if (
          typeof (memberOf(elementOf(elementOf(data, 1), 0), "sku") ?? null) === "string" &&
          isGreaterOrEqual(memberOf(elementOf(elementOf(data, 1), 0), "sku") ?? null, "")
        ) {
          // Ship (parallel state)
          const shipResults = await flow.fork("Ship", {
            fixed: () => shipFixed(data),
            left: () => shipLeft(data),
            parcels: (flow) => shipParcels(flow, fn, data),
          });
          data = [shipResults.fixed, shipResults.left, shipResults.parcels] as Json as Data;
        } else {
          break;
        }
      }
      // Notify (operation state)
      data = (await flow.step("Notify", (step) =>
        fn.notifyCustomer(
          {
            customer: memberOf(elementOf(elementOf(data, 0), 0), "customer") ?? null,
            parcels: everything(elementOf(data, 2) ?? null).flatMap((item) =>
              present(item?.parcel),
            ),
          },
          step,
        ),
      )) as Json as Data;
    }
    // Done (end state)
    return data;
  },
});

/** Check / order */
async function checkOrder(data: Data): Promise<Json> {
  // Order (operation state)
  return data;
}

/** Check / customer */
async function checkCustomer(flow: Flow, fn: Functions, data: Data): Promise<Json> {
  let answer!: Json;
  // Customer (operation state)
  let attempts1 = 0;
  while (true) {
    ({ attempts1 } = await flow.round("Customer/checkCustomer", { attempts1 }));
    checkCustomerCustomerWait: {
      try {
        answer = (await flow.step("Customer/checkCustomer", (step) =>
          fn.checkCustomer({ customer: data?.customer ?? null }, step),
        )) as Json;
      } catch (caught) {
        const error = flow.failure(caught);
        if (attempts1 < 2 && error.name === "CustomerServiceBusy") break checkCustomerCustomerWait;
        if (error.name !== "CustomerServiceBusy") throw caught;
        throw errorOf(error);
      }
      if (!(attempts1 < 2 && answer === "CustomerServiceBusy")) {
        if (answer === "CustomerServiceBusy") {
          throw errorOf({
            origin: "fail",
            name: "SYS.Fail",
            message: 'Function checkCustomer gave "CustomerServiceBusy".',
          });
        }
        break;
      }
    }
    await flow.sleep("Customer/wait", 1);
    attempts1 += 1;
  }
  data = answer as Data;
  return data;
}

/** Reserve / order */
async function reserveBranchesOrder(data: Data): Promise<Json> {
  // Order (operation state)
  return data;
}

/** Reserve / stock */
async function reserveBranchesStock(flow: Flow, fn: Functions, data: Data): Promise<Json> {
  // Stock (operation state)
  data = (await flow.step("Stock", (step) =>
    fn.reserveStock({ id: data?.id ?? null, lines: data?.lines ?? null }, step),
  )) as Json as Data;
  return data;
}

/** Reserve / payment */
async function reserveBranchesPayment(flow: Flow, fn: Functions, data: Data): Promise<Json> {
  // Payment (operation state)
  data = (await flow.step("Payment", (step) =>
    fn.reservePayment({ id: data?.id ?? null, customer: data?.customer ?? null }, step),
  )) as Json as Data;
  return data;
}

/** Begin / fixed */
async function beginFixed(data: Data): Promise<Json> {
  // Fixed (operation state)
  return data;
}

/** Begin / left */
async function beginLeft(data: Data): Promise<Json> {
  // Left (operation state)
  data = required(memberOf(elementOf(data, 0), "lines"), {
    name: "SYS.FilterError",
    message: "`$[0].lines` selects nothing.",
  }) as Data;
  return data;
}

/** Begin / parcels */
async function beginParcels(data: Data): Promise<Json> {
  // None (operation state)
  data = beginParcelsNone(data) as Data;
  return data;
}

/** Ship / fixed */
async function shipFixed(data: Data): Promise<Json> {
  // Fixed (operation state)
  data = required(elementOf(data, 0), {
    name: "SYS.FilterError",
    message: "`$[0]` selects nothing.",
  }) as Data;
  return data;
}

/** Ship / left */
async function shipLeft(data: Data): Promise<Json> {
  // Left (operation state)
  data = shipLeftLeft(data) as Data;
  return data;
}

/** Ship / parcels */
async function shipParcels(flow: Flow, fn: Functions, data: Data): Promise<Json> {
  // Parcels (parallel state)
  const parcelsResults = await flow.fork("Parcels", {
    before: () => shipParcelsParcelsBefore(data),
    now: (flow) => shipParcelsParcelsNow(flow, fn, data),
  });
  data = [parcelsResults.before, parcelsResults.now] as Json as Data;
  return data;
}

/** Parcels / before */
async function shipParcelsParcelsBefore(data: Data): Promise<Json> {
  // Before (operation state)
  data = required(elementOf(data, 2), {
    name: "SYS.FilterError",
    message: "`$[2]` selects nothing.",
  }) as Data;
  return data;
}

/** Parcels / now */
async function shipParcelsParcelsNow(flow: Flow, fn: Functions, data: Data): Promise<Json> {
  // Line (operation state)
  data = (await flow.step("Line", (step) =>
    fn.shipLine(
      {
        id: memberOf(elementOf(elementOf(data, 0), 0), "id") ?? null,
        sku: memberOf(elementOf(elementOf(data, 1), 0), "sku") ?? null,
        quantity: memberOf(elementOf(elementOf(data, 1), 0), "quantity") ?? null,
        warehouse: memberOf(elementOf(elementOf(data, 0), 1), "warehouse") ?? null,
      },
      step,
    ),
  )) as Json as Data;
  return data;
}
