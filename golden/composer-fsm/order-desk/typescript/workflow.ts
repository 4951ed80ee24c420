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
  bill,
  check,
  confirm as confirm2,
  giveUp,
  isLeft as isLeft2,
  isOpen,
  list as list2,
  nextLine,
  note as note2,
  order2,
  tell as tell2,
} from "./workflow.functions.js";

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
  version: "26af99c4ddddc02a",
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
    params = (await flow.step("check", () => check(params))) as Json as Params;
    listFailed: {
      dropHeld: {
        giveBack: {
          if (params?.error !== undefined) {
            params = { error: params.error ?? null } as Params;
          } else {
            reserveRejected: {
              while (true) {
                ({ params, held } = await flow.round("round", { params, held }));
                // round (Push state)
                pushed = params;
                // isOpen (Task state)
                params = (await flow.step("isOpen", () => isOpen(params))) as Json as Params;
                if (params?.error !== undefined) {
                  params = { error: params.error ?? null } as Params;
                  break giveBack;
                }
                // more (Choice state)
                if ((params?.value ?? null) === true) {
                  params = pushed as Params;
                  // keepOrder (Push state)
                  pushed = params;
                  // nextLine (Task state)
                  params = (await flow.step("nextLine", () => nextLine(params))) as Json as Params;
                  if (params?.error !== undefined) {
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
                  const note = await flow.step("note", () =>
                    note2({ params, variables: { held } }),
                  );
                  params = (note?.params ?? null) as Params;
                  held = note?.variables?.held ?? null;
                  if (params?.error !== undefined) {
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
                params = (await flow.step("bill", () => bill(params))) as Json as Params;
                again: {
                  if (params?.error !== undefined) {
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
                const isLeft = await flow.step("isLeft", () =>
                  isLeft2({ params, variables: { attempts } }),
                );
                params = (isLeft?.params ?? null) as Params;
                attempts = isLeft?.variables?.attempts ?? null;
                if (params?.error !== undefined) {
                  params = { error: params.error ?? null } as Params;
                  break giveBack;
                }
                // retry (Choice state)
                if ((params?.value ?? null) === true) {
                  params = pushed3 as Params;
                  // backToOrder (Pop state)
                  params = { result: params, params: pushed } as Params;
                  // order (Task state)
                  params = (await flow.step("order", () => order2(params))) as Json as Params;
                  if (params?.error !== undefined) {
                    params = { error: params.error ?? null } as Params;
                    break giveBack;
                  }
                } else {
                  params = pushed3 as Params;
                  // giveUp (Task state)
                  params = (await flow.step("giveUp", () => giveUp(params))) as Json as Params;
                  if (params?.error !== undefined) {
                    params = { error: params.error ?? null } as Params;
                    break giveBack;
                  }
                  break;
                }
              }
              // paid (Pop state)
              params = { result: params, params: pushed } as Params;
              // confirm (Task state)
              const confirm = await flow.step("confirm", () =>
                confirm2({ params, variables: { held } }),
              );
              params = (confirm?.params ?? null) as Params;
              held = confirm?.variables?.held ?? null;
              if (params?.error !== undefined) {
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
        const list = await flow.step("list", () => list2({ params, variables: { held } }));
        params = (list?.params ?? null) as Params;
        held = list?.variables?.held ?? null;
        if (params?.error !== undefined) break listFailed;
        // release (Task state)
        params = (await flow.step("release", (step) =>
          fn["stock/release"](params, step),
        )) as Json as Params;
        params = (typeOf(params) === "object" ? params : { value: params }) as Params;
        if (params.error !== undefined) break listFailed;
        // failed (Pop state)
        params = { result: params, params: pushed2 } as Params;
        // tell (Task state)
        const tell = await flow.step("tell", () => tell2({ params, variables: { held } }));
        params = (tell?.params ?? null) as Params;
        if (params?.error !== undefined) break listFailed;
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
