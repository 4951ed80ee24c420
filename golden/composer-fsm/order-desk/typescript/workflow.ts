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
  "stock/reserve"(argument: Json, step: Step): Answer<Json>;
  "stock/release"(argument: Json, step: Step): Answer<Json>;
  "desk/answer"(argument: Json, step: Step): Answer<Json>;
  "payments/charge"(argument: Json, step: Step): Answer<Json>;
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
  version: "bd7296679b8ce297",
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
    // attempts (Let state)
    let attempts: Json = 3;
    // held (Let state)
    let held: Json = [];
    // desk (Try state)
    // check (Task state)
    params = (await flow.compute("check", () => functions.check(params))) as Params;
    listFailed: {
      dropHeld: {
        giveBack: {
          if (params.error !== undefined) {
            params = { error: params.error ?? null } as Params;
          } else {
            reserveRejected: {
              while (true) {
                ({ params, held } = await flow.round("round", { params, held }));
                // round (Push state)
                pushed = params;
                // isOpen (Task state)
                params = (await flow.compute("isOpen", () => functions.isOpen(params))) as Params;
                if (params.error !== undefined) {
                  params = { error: params.error ?? null } as Params;
                  break giveBack;
                }
                // more (Choice state)
                if ((params.value ?? null) === true) {
                  params = pushed as Params;
                  // keepOrder (Push state)
                  pushed = params;
                  // nextLine (Task state)
                  params = (await flow.compute("nextLine", () =>
                    functions.nextLine(params),
                  )) as Params;
                  if (params.error !== undefined) {
                    params = { error: params.error ?? null } as Params;
                    break giveBack;
                  }
                  // reserve (Task state)
                  try {
                    params = (await flow.step("reserve", (step) =>
                      fn["stock/reserve"](params, step),
                    )) as Json as Params;
                  } catch (caught) {
                    const error = failure(caught);
                    if (error.name === "ActionNotFound") break reserveRejected;
                    params = { error: error.message } as Params;
                    break giveBack;
                  }
                  params = (typeOf(params) === "object" ? params : { value: params }) as Params;
                  if (params.error !== undefined) {
                    params = { error: params.error ?? null } as Params;
                    break giveBack;
                  }
                  // takeOrder (Pop state)
                  params = { result: params, params: pushed } as Params;
                  // note (Task state)
                  const note = await flow.compute("note", () =>
                    functions.note({ params, variables: { held } }),
                  );
                  params = note.params! as Params;
                  held = note.variables!.held ?? null;
                  if (params.error !== undefined) {
                    params = { error: params.error ?? null } as Params;
                    break giveBack;
                  }
                } else {
                  break;
                }
              }
              params = pushed as Params;
              while (true) {
                ({ params, attempts } = await flow.round("keepForCharge", { params, attempts }));
                // keepForCharge (Push state)
                pushed = params;
                // try (Try state)
                // bill (Task state)
                params = (await flow.compute("bill", () => functions.bill(params))) as Params;
                again: {
                  if (params.error !== undefined) {
                    params = { error: params.error ?? null } as Params;
                  } else {
                    // charge (Task state)
                    try {
                      params = (await flow.step("charge", (step) =>
                        fn["payments/charge"](params, step),
                      )) as Json as Params;
                    } catch (caught) {
                      const error = failure(caught);
                      if (error.name === "ActionNotFound") break reserveRejected;
                      params = { error: error.message } as Params;
                      break again;
                    }
                    params = (typeOf(params) === "object" ? params : { value: params }) as Params;
                    if (params.error !== undefined) {
                      params = { error: params.error ?? null } as Params;
                    } else {
                      // charged (Catch state)
                      break;
                    }
                  }
                }
                // again (Push state)
                const pushed3: Json = params;
                // isLeft (Task state)
                const isLeft = await flow.compute("isLeft", () =>
                  functions.isLeft({ params, variables: { attempts } }),
                );
                params = isLeft.params! as Params;
                attempts = isLeft.variables!.attempts ?? null;
                if (params.error !== undefined) {
                  params = { error: params.error ?? null } as Params;
                  break giveBack;
                }
                // retry (Choice state)
                if ((params.value ?? null) === true) {
                  params = pushed3 as Params;
                  // backToOrder (Pop state)
                  params = { result: params, params: pushed } as Params;
                  // order (Task state)
                  params = (await flow.compute("order", () => functions.order2(params))) as Params;
                  if (params.error !== undefined) {
                    params = { error: params.error ?? null } as Params;
                    break giveBack;
                  }
                } else {
                  params = pushed3 as Params;
                  // giveUp (Task state)
                  params = (await flow.compute("giveUp", () => functions.giveUp(params))) as Params;
                  if (params.error !== undefined) {
                    params = { error: params.error ?? null } as Params;
                    break giveBack;
                  }
                  break;
                }
              }
              // paid (Pop state)
              params = { result: params, params: pushed } as Params;
              // confirm (Task state)
              params = (await flow.compute("confirm", () =>
                functions.confirm({ params, variables: { held } }),
              )) as Params;
              if (params.error !== undefined) {
                params = { error: params.error ?? null } as Params;
                break giveBack;
              }
              // closed (Catch state)
              break dropHeld;
            }
            throw errorOf({
              origin: "denied",
              name: "Rejected",
              message: "The conductor rejects this run: a state cannot do its work.",
            });
          }
        }
        // giveBack (Push state)
        const pushed2: Json = params;
        // list (Task state)
        params = (await flow.compute("list", () =>
          functions.list({ params, variables: { held } }),
        )) as Params;
        if (params.error !== undefined) break listFailed;
        // release (Task state)
        params = (await flow.step("release", (step) =>
          fn["stock/release"](params, step),
        )) as Json as Params;
        params = (typeOf(params) === "object" ? params : { value: params }) as Params;
        if (params.error !== undefined) break listFailed;
        // failed (Pop state)
        params = { result: params, params: pushed2 } as Params;
        // tell (Task state)
        params = (await flow.compute("tell", () =>
          functions.tell({ params, variables: { held } }),
        )) as Params;
        if (params.error !== undefined) break listFailed;
      }
      // dropHeld (End state)
      // dropAttempts (End state)
      // answered (Task state)
      params = (await flow.step("answered", (step) =>
        fn["desk/answer"](params, step),
      )) as Json as Params;
      params = (typeOf(params) === "object" ? params : { value: params }) as Params;
      if (params.error === undefined) return params;
    }
    throw errorOf({
      origin: "function",
      name: "ApplicationError",
      message: text(params.error ?? null),
    });
  },
});
