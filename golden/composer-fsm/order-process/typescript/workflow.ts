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
import {
  askFor as askFor2,
  fail,
  goods as goods2,
  isBlocked,
  isBusy as isBusy2,
  isOpen as isOpen2,
  keep as keep2,
  keepAuthorization as keepAuthorization2,
  keepParcel as keepParcel2,
  keepWarehouse as keepWarehouse2,
  letter as letter2,
  line as line2,
  rejected2,
  rejection as rejection2,
  shipped2,
} from "./workflow.functions.js";

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
  version: "58d345c0370b9395",
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
    const keep = await flow.step("keep", () => keep2({ params, variables: { order } }));
    params = (keep?.params ?? null) as Params;
    order = keep?.variables?.order ?? null;
    keepFailed: {
      if (params?.error === undefined) {
        answered: {
          while (true) {
            ({ params, order, left } = await flow.round("try", { params, order, left }));
            // try (Try state)
            // askFor (Task state)
            const askFor = await flow.step("askFor", () =>
              askFor2({ params, variables: { order } }),
            );
            params = (askFor?.params ?? null) as Params;
            order = askFor?.variables?.order ?? null;
            busy: {
              if (params?.error !== undefined) {
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
            const isBusy = await flow.step("isBusy", () =>
              isBusy2({ params, variables: { left } }),
            );
            params = (isBusy?.params ?? null) as Params;
            left = isBusy?.variables?.left ?? null;
            if (params?.error !== undefined) break keepFailed;
            // again (Choice state)
            if ((params?.value ?? null) === true) {
              params = pushed as Params;
            } else {
              params = pushed as Params;
              // fail (Task state)
              params = (await flow.step("fail", () => fail(params))) as Json as Params;
              if (params?.error !== undefined) break keepFailed;
              break answered;
            }
          }
          // checked (Catch state)
          // keepStatus (Push state)
          pushed = params;
          // isBlocked (Task state)
          params = (await flow.step("isBlocked", () => isBlocked(params))) as Json as Params;
          if (params?.error !== undefined) break keepFailed;
          // blocked (Choice state)
          if ((params?.value ?? null) === true) {
            params = pushed as Params;
            // rejection (Task state)
            const rejection = await flow.step("rejection", () =>
              rejection2({ params, variables: { order } }),
            );
            params = (rejection?.params ?? null) as Params;
            order = rejection?.variables?.order ?? null;
            if (params?.error !== undefined) break keepFailed;
            // reject (Task state)
            params = (await flow.step("reject", (step) =>
              fn.rejectOrder(params, step),
            )) as Json as Params;
            params = (typeOf(params) === "object" ? params : { value: params }) as Params;
            if (params.error !== undefined) break keepFailed;
            // rejected (Task state)
            const rejected = await flow.step("rejected", () =>
              rejected2({ params, variables: { order } }),
            );
            params = (rejected?.params ?? null) as Params;
            if (params?.error !== undefined) break keepFailed;
          } else {
            params = pushed as Params;
            // goods (Task state)
            const goods = await flow.step("goods", () => goods2({ params, variables: { order } }));
            params = (goods?.params ?? null) as Params;
            order = goods?.variables?.order ?? null;
            if (params?.error !== undefined) break keepFailed;
            // reserve (Task state)
            params = (await flow.step("reserve", (step) =>
              fn.reserveStock(params, step),
            )) as Json as Params;
            params = (typeOf(params) === "object" ? params : { value: params }) as Params;
            if (params.error !== undefined) break keepFailed;
            // keepWarehouse (Task state)
            const keepWarehouse = await flow.step("keepWarehouse", () =>
              keepWarehouse2({ params, variables: { order, warehouse } }),
            );
            params = (keepWarehouse?.params ?? null) as Params;
            order = keepWarehouse?.variables?.order ?? null;
            warehouse = keepWarehouse?.variables?.warehouse ?? null;
            if (params?.error !== undefined) break keepFailed;
            // pay (Task state)
            params = (await flow.step("pay", (step) =>
              fn.reservePayment(params, step),
            )) as Json as Params;
            params = (typeOf(params) === "object" ? params : { value: params }) as Params;
            if (params.error !== undefined) break keepFailed;
            // keepAuthorization (Task state)
            const keepAuthorization = await flow.step("keepAuthorization", () =>
              keepAuthorization2({ params, variables: { authorization } }),
            );
            params = (keepAuthorization?.params ?? null) as Params;
            authorization = keepAuthorization?.variables?.authorization ?? null;
            if (params?.error !== undefined) break keepFailed;
            while (true) {
              ({ params, order, warehouse, parcels } = await flow.round("round", {
                params,
                order,
                warehouse,
                parcels,
              }));
              // round (Push state)
              pushed = params;
              // isOpen (Task state)
              const isOpen = await flow.step("isOpen", () =>
                isOpen2({ params, variables: { order, parcels } }),
              );
              params = (isOpen?.params ?? null) as Params;
              order = isOpen?.variables?.order ?? null;
              parcels = isOpen?.variables?.parcels ?? null;
              if (params?.error !== undefined) break keepFailed;
              // open (Choice state)
              if ((params?.value ?? null) === true) {
                params = pushed as Params;
                // line (Task state)
                const line = await flow.step("line", () =>
                  line2({ params, variables: { order, parcels, warehouse } }),
                );
                params = (line?.params ?? null) as Params;
                order = line?.variables?.order ?? null;
                parcels = line?.variables?.parcels ?? null;
                warehouse = line?.variables?.warehouse ?? null;
                if (params?.error !== undefined) break keepFailed;
                // ship (Task state)
                params = (await flow.step("ship", (step) =>
                  fn.shipLine(params, step),
                )) as Json as Params;
                params = (typeOf(params) === "object" ? params : { value: params }) as Params;
                if (params.error !== undefined) break keepFailed;
                // keepParcel (Task state)
                const keepParcel = await flow.step("keepParcel", () =>
                  keepParcel2({ params, variables: { parcels } }),
                );
                params = (keepParcel?.params ?? null) as Params;
                parcels = keepParcel?.variables?.parcels ?? null;
                if (params?.error !== undefined) break keepFailed;
              } else {
                break;
              }
            }
            params = pushed as Params;
            // letter (Task state)
            const letter = await flow.step("letter", () =>
              letter2({ params, variables: { order, parcels } }),
            );
            params = (letter?.params ?? null) as Params;
            order = letter?.variables?.order ?? null;
            if (params?.error !== undefined) break keepFailed;
            // notify (Task state)
            params = (await flow.step("notify", (step) =>
              fn.notifyCustomer(params, step),
            )) as Json as Params;
            params = (typeOf(params) === "object" ? params : { value: params }) as Params;
            if (params.error !== undefined) break keepFailed;
            // shipped (Task state)
            const shipped = await flow.step("shipped", () =>
              shipped2({ params, variables: { authorization, order } }),
            );
            params = (shipped?.params ?? null) as Params;
            if (params?.error !== undefined) break keepFailed;
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
