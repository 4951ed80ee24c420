// workflow 1.0, from composer-fsm. Change the definition, not this file.
import {
  type Answer,
  type Flow,
  type Json,
  type Step,
  defineWorkflow,
  deletePaths,
  errorOf,
  failure,
  text,
  typeOf,
} from "./runtime.js";
import * as functions from "./workflow.functions.js";

/** The functions that the workflow calls. */
export interface Functions {
  checkCustomer(argument: Json, step: Step): Answer<Json>;
  rejectOrder(argument: Json, step: Step): Answer<Json>;
  reserveStock(argument: Json, step: Step): Answer<Json>;
  reservePayment(argument: Json, step: Step): Answer<Json>;
  shipLine(argument: Json, step: Step): Answer<Json>;
  notifyCustomer(argument: Json, step: Step): Answer<Json>;
}

/** The members of the workflow data that the workflow uses. */
export type Params = {
  readonly error?: Json;
  readonly value?: Json;
  readonly [member: string]: Json | undefined;
};

/** workflow */
export const workflow = defineWorkflow({
  id: "workflow",
  version: "e7c8edb506619d67",
  name: "workflow",
  run: async (flow: Flow, fn: Functions, params: Params): Promise<Json> => {
    let pushed!: Json;
    params = deletePaths(params, [
      ["$config"],
      ["$activationId"],
      ["$invoke"],
      ["$sessionId"],
      ["$state"],
      ["$stack"],
      ["$blocking"],
    ]) as Params;
    // order (Let state)
    let order: Json = null;
    // left (Let state)
    let left: Json = 2;
    // warehouse (Let state)
    let warehouse: Json = null;
    // authorization (Let state)
    let authorization: Json = null;
    // parcels (Let state)
    let parcels: Json = [];
    // keep (Task state)
    const keep = await flow.compute("keep", () => functions.keep({ params, variables: { order } }));
    params = keep.params! as Params;
    order = keep.variables!.order ?? null;
    keepFailed: {
      if (params.error === undefined) {
        answered: {
          while (true) {
            ({ params, left } = await flow.round("try", { params, left }));
            // try (Try state)
            // askFor (Task state)
            params = (await flow.compute("askFor", () =>
              functions.askFor({ params, variables: { order } }),
            )) as Params;
            busy: {
              if (params.error !== undefined) {
                params = { error: params.error ?? null } as Params;
              } else {
                // check (Task state)
                try {
                  params = (await flow.step("check", (step) =>
                    fn.checkCustomer(params, step),
                  )) as Json as Params;
                } catch (caught) {
                  const error = failure(caught);
                  if (error.name === "ActionNotFound") {
                    throw errorOf({
                      origin: "denied",
                      name: "Rejected",
                      message: "The conductor rejects this run: a state cannot do its work.",
                    });
                  }
                  params = { error: error.message } as Params;
                  break busy;
                }
                params = (typeOf(params) === "object" ? params : { value: params }) as Params;
                if (params.error !== undefined) {
                  params = { error: params.error ?? null } as Params;
                } else {
                  break;
                }
              }
            }
            // busy (Push state)
            pushed = params;
            // isBusy (Task state)
            const isBusy = await flow.compute("isBusy", () =>
              functions.isBusy({ params, variables: { left } }),
            );
            params = isBusy.params! as Params;
            left = isBusy.variables!.left ?? null;
            if (params.error !== undefined) break keepFailed;
            // again (Choice state)
            if ((params.value ?? null) === true) {
              params = pushed as Params;
            } else {
              params = pushed as Params;
              // fail (Task state)
              params = (await flow.compute("fail", () => functions.fail(params))) as Params;
              if (params.error !== undefined) break keepFailed;
              break answered;
            }
          }
          // checked (Catch state)
          // keepStatus (Push state)
          pushed = params;
          // isBlocked (Task state)
          params = (await flow.compute("isBlocked", () => functions.isBlocked(params))) as Params;
          if (params.error !== undefined) break keepFailed;
          // blocked (Choice state)
          if ((params.value ?? null) === true) {
            params = pushed as Params;
            // rejection (Task state)
            params = (await flow.compute("rejection", () =>
              functions.rejection({ params, variables: { order } }),
            )) as Params;
            if (params.error !== undefined) break keepFailed;
            // reject (Task state)
            params = (await flow.step("reject", (step) =>
              fn.rejectOrder(params, step),
            )) as Json as Params;
            params = (typeOf(params) === "object" ? params : { value: params }) as Params;
            if (params.error !== undefined) break keepFailed;
            // rejected (Task state)
            params = (await flow.compute("rejected", () =>
              functions.rejected({ params, variables: { order } }),
            )) as Params;
            if (params.error !== undefined) break keepFailed;
          } else {
            params = pushed as Params;
            // goods (Task state)
            params = (await flow.compute("goods", () =>
              functions.goods({ params, variables: { order } }),
            )) as Params;
            if (params.error !== undefined) break keepFailed;
            // reserve (Task state)
            params = (await flow.step("reserve", (step) =>
              fn.reserveStock(params, step),
            )) as Json as Params;
            params = (typeOf(params) === "object" ? params : { value: params }) as Params;
            if (params.error !== undefined) break keepFailed;
            // keepWarehouse (Task state)
            const keepWarehouse = await flow.compute("keepWarehouse", () =>
              functions.keepWarehouse({ params, variables: { order, warehouse } }),
            );
            params = keepWarehouse.params! as Params;
            warehouse = keepWarehouse.variables!.warehouse ?? null;
            if (params.error !== undefined) break keepFailed;
            // pay (Task state)
            params = (await flow.step("pay", (step) =>
              fn.reservePayment(params, step),
            )) as Json as Params;
            params = (typeOf(params) === "object" ? params : { value: params }) as Params;
            if (params.error !== undefined) break keepFailed;
            // keepAuthorization (Task state)
            const keepAuthorization = await flow.compute("keepAuthorization", () =>
              functions.keepAuthorization({ params, variables: { authorization } }),
            );
            params = keepAuthorization.params! as Params;
            authorization = keepAuthorization.variables!.authorization ?? null;
            if (params.error !== undefined) break keepFailed;
            while (true) {
              ({ params, parcels } = await flow.round("round", { params, parcels }));
              // round (Push state)
              pushed = params;
              // isOpen (Task state)
              params = (await flow.compute("isOpen", () =>
                functions.isOpen({ params, variables: { order, parcels } }),
              )) as Params;
              if (params.error !== undefined) break keepFailed;
              // open (Choice state)
              if ((params.value ?? null) === true) {
                params = pushed as Params;
                // line (Task state)
                params = (await flow.compute("line", () =>
                  functions.line({ params, variables: { order, parcels, warehouse } }),
                )) as Params;
                if (params.error !== undefined) break keepFailed;
                // ship (Task state)
                params = (await flow.step("ship", (step) =>
                  fn.shipLine(params, step),
                )) as Json as Params;
                params = (typeOf(params) === "object" ? params : { value: params }) as Params;
                if (params.error !== undefined) break keepFailed;
                // keepParcel (Task state)
                const keepParcel = await flow.compute("keepParcel", () =>
                  functions.keepParcel({ params, variables: { parcels } }),
                );
                params = keepParcel.params! as Params;
                parcels = keepParcel.variables!.parcels ?? null;
                if (params.error !== undefined) break keepFailed;
              } else {
                break;
              }
            }
            params = pushed as Params;
            // letter (Task state)
            params = (await flow.compute("letter", () =>
              functions.letter({ params, variables: { order, parcels } }),
            )) as Params;
            if (params.error !== undefined) break keepFailed;
            // notify (Task state)
            params = (await flow.step("notify", (step) =>
              fn.notifyCustomer(params, step),
            )) as Json as Params;
            params = (typeOf(params) === "object" ? params : { value: params }) as Params;
            if (params.error !== undefined) break keepFailed;
            // shipped (Task state)
            params = (await flow.compute("shipped", () =>
              functions.shipped({ params, variables: { authorization, order } }),
            )) as Params;
            if (params.error !== undefined) break keepFailed;
          }
        }
        // answered (Pass state)
        return params;
      }
    }
    throw errorOf({
      origin: "function",
      name: "ApplicationError",
      message: text(params.error ?? null),
    });
  },
});
