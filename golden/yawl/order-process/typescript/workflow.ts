// workflow 0.1, from yawl. Change the definition, not this file.
import {
  type Answer,
  type Flow,
  type Json,
  type Step,
  defineWorkflow,
  elementsOf,
  errorOf,
  get,
  isTrue,
  mergeOutput,
  raise,
  toText,
  typeOf,
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
  shipLine(argument: Json, step: Step): Answer<Json>;
  notifyCustomer(
    argument: { readonly customer: Json; readonly parcels: Json },
    step: Step,
  ): Answer<Json>;
}

/** The members of the workflow data that the workflow uses. */
export type State = {
  readonly problem?: Json;
  readonly status?: Json;
  readonly id?: Json;
  readonly lines?: Json;
  readonly customer?: Json;
  readonly warehouse?: Json;
  readonly parcels?: Json;
  readonly authorization?: Json;
  readonly [member: string]: Json | undefined;
};

/** The members of `round` that the workflow uses. */
export type Round = {
  readonly answered?: Json;
  readonly customer?: Json;
  readonly problem?: Json;
  readonly [member: string]: Json | undefined;
};

/** The members of `looped` that the workflow uses. */
export type Looped = {
  readonly problem?: Json;
  readonly status?: Json;
  readonly [member: string]: Json | undefined;
};

/** workflow */
export const workflow = defineWorkflow({
  id: "workflow",
  version: "a5e62cc115c54714",
  name: "workflow",
  anyInput: true,
  errors: { expression: "STEP_INVALID_TEMPLATE_EXPRESSION", timeout: "STEP_TIMEOUT" },
  run: async (flow: Flow, fn: Functions, state: State): Promise<Json> => {
    let output!: Json;
    state = (typeOf(state) === "object" ? state : { input: state }) as State;
    // check (while step)
    let round: Round = state as Round;
    let counter = 0;
    let looped: Looped = {} as Looped;
    while (true) {
      ({ counter, round, looped } = await flow.round("check/test", { counter, round, looped }));
      if (counter < 3 && !isTrue(round.answered ?? null)) {
        round = {
          customer: round.customer ?? null,
          problem: round.problem ?? null,
          answered: false,
        } as Round;
        // again (switch step)
        if ((round.problem ?? null) !== null) {
          // rest (wait step)
          await flow.sleep("rest", 1);
        }
        // checkCustomer (functionCall step)
        try {
          await flow.attempt("checkCustomer", async (flow) => {
            const functionCall = await flow.step(
              "checkCustomer/functionCall",
              (step) => fn.checkCustomer({ customer: round.customer ?? null }, step),
              { timeout: 900 },
            );
            round = mergeOutput(round, {
              answered: true,
              problem: null,
              status: get(functionCall, "status"),
            });
            output = { answered: true, problem: null, status: get(functionCall, "status") };
          });
        } catch (caught) {
          const error = flow.failure(caught);
          if (error.name === "STEP_INTERNAL") throw errorOf(error);
          round = mergeOutput(round, {
            answered: error.name !== "CustomerServiceBusy",
            problem: error.name,
          });
          // tried (noOp step)
          looped = round as Looped;
          counter += 1;
          continue;
        }
        looped = output as Looped;
        counter += 1;
      } else {
        break;
      }
    }
    state = mergeOutput(state, { problem: looped.problem ?? null, status: looped.status ?? null });
    // checked (switch step)
    if ((state.problem ?? null) !== null) {
      // failed (fail step)
      throw errorOf({ origin: "fail", name: "STEP_FAIL", message: toText(state.problem ?? null) });
    }
    if ((state.status ?? null) === "blocked") {
      // rejectOrder (functionCall step)
      await flow.step(
        "rejectOrder",
        (step) => fn.rejectOrder({ id: state.id ?? null, reason: "customer is blocked" }, step),
        { timeout: 900 },
      );
      state = mergeOutput(state, {});
      // rejected (noOp step)
      return { id: state.id ?? null, status: "rejected" };
    }
    // reserve (parallel step)
    const reserveResults = await flow.fork("reserve", {
      stock: (flow) => reserveStock(flow, fn, state),
      payment: (flow) => reservePayment(flow, fn, state),
    });
    state = mergeOutput(state, {
      warehouse: get(reserveResults.stock, "warehouse"),
      authorization: get(reserveResults.payment, "authorization"),
    });
    // ship (foreach step)
    const shipResults = await flow.forEach(
      "ship",
      elementsOf(
        elementsOf(state.lines ?? null).map((item) => ({
          id: state.id ?? null,
          sku: get(item, "sku"),
          quantity: get(item, "quantity"),
          warehouse: state.warehouse ?? null,
        })),
      ).map((item) => 
        typeOf(item) === "object"
          ? item
          : raise({
              name: "STEP_INVALID_ARGUMENT",
              message: "The input of foreach step ship is not an array of objects.",
            }),
      ),
      (flow, element) => ship(flow, fn, element),
      { width: 1 },
    );
    state = mergeOutput(state, {
      parcels: elementsOf(shipResults).map((item) => get(item, "parcel")),
    });
    // notifyCustomer (functionCall step)
    await flow.step(
      "notifyCustomer",
      (step) =>
        fn.notifyCustomer({ customer: state.customer ?? null, parcels: state.parcels! }, step),
      { timeout: 900 },
    );
    state = mergeOutput(state, {});
    // shipped (noOp step)
    return { id: state.id ?? null, status: "shipped", authorization: state.authorization ?? null };
  },
});

/** reserve / stock */
async function reserveStock(flow: Flow, fn: Functions, state: State): Promise<Json> {
  // reserveStock (functionCall step)
  const reserveStockAnswer = await flow.step(
    "reserveStock",
    (step) => fn.reserveStock({ id: state.id ?? null, lines: state.lines ?? null }, step),
    { timeout: 900 },
  );
  return { warehouse: get(reserveStockAnswer, "warehouse") };
}

/** reserve / payment */
async function reservePayment(flow: Flow, fn: Functions, state: State): Promise<Json> {
  // reservePayment (functionCall step)
  const reservePaymentAnswer = await flow.step(
    "reservePayment",
    (step) => fn.reservePayment({ id: state.id ?? null, customer: state.customer ?? null }, step),
    { timeout: 900 },
  );
  return { authorization: get(reservePaymentAnswer, "authorization") };
}

/** ship, for each element */
async function ship(flow: Flow, fn: Functions, element: Json): Promise<Json> {
  const state = element as State;
  // shipLine (functionCall step)
  const shipLine = await flow.step("shipLine", (step) => fn.shipLine(state, step), {
    timeout: 900,
  });
  return { parcel: get(shipLine, "parcel") };
}
