// workflow 1.0, from composer-fsm. Change the definition, not this file.
import {
  type Answer,
  type Flow,
  type Json,
  type Step,
  defineWorkflow,
  deletePaths,
  errorOf,
  text,
  typeOf,
} from "./runtime.js";
import * as functions from "./workflow.functions.js";

/** The functions that the workflow calls. */
export interface Functions {
  hasOwnProperty(argument: Json, step: Step): Answer<Json>;
  'it\'s "\u0024{Named}"'(argument: Json, step: Step): Answer<Json>;
  "/shop/orders/mails/send"(argument: Json, step: Step): Answer<Json>;
}

/** The members of the workflow data that the workflow uses. */
export type Params = { readonly error?: Json; readonly [member: string]: Json | undefined };

/** workflow */
export const workflow = defineWorkflow({
  id: "workflow",
  version: "b41eb4ec86fcdf84",
  name: "workflow",
  run: async (flow: Flow, fn: Functions, params: Params): Promise<Json> => {
    params = deletePaths(params, [
      ["$config"],
      ["$activationId"],
      ["$invoke"],
      ["$sessionId"],
      ["$state"],
      ["$stack"],
      ["$blocking"],
    ]) as Params;
    // __proto__ (Let state)
    const proto = { toString: 1 };
    // a "b" `c` ${d} (Let state)
    const constructor = "*/ \u0024{x} \u003c/script>";
    // done! (Let state)
    let groE: Json = 2;
    // failed (Task state)
    const failed = await flow.step("failed", () =>
      functions.failed({ params, variables: { ["__proto__"]: proto, constructor, größe: groE } }),
    );
    params = failed.params! as Params;
    groE = failed.variables!["größe"] ?? null;
    if (params.error === undefined) {
      // hasOwnProperty (Task state)
      params = (await flow.step("hasOwnProperty", (step) =>
        fn.hasOwnProperty(params, step),
      )) as Json as Params;
      params = (typeOf(params) === "object" ? params : { value: params }) as Params;
      if (params.error === undefined) {
        // function (Task state)
        const functionAnswer = await flow.compute("function", () =>
          functions.function2({ params, variables: { größe: groE } }),
        );
        params = functionAnswer.params! as Params;
        if (params.error === undefined) {
          // toString (Task state)
          params = (await flow.step("toString", (step) =>
            fn['it\'s "\u0024{Named}"'](params, step),
          )) as Json as Params;
          params = (typeOf(params) === "object" ? params : { value: params }) as Params;
          if (params.error === undefined) {
            // deep (Task state)
            params = (await flow.step("deep", (step) =>
              fn["/shop/orders/mails/send"](params, step),
            )) as Json as Params;
            params = (typeOf(params) === "object" ? params : { value: params }) as Params;
            if (params.error === undefined) {
              // end1 (End state)
              // end2 (End state)
              // end3 (End state)
              // done (Pass state)
              return params;
            }
          }
        }
      }
    }
    throw errorOf({
      origin: "function",
      name: "ApplicationError",
      message: text(params.error ?? null),
    });
  },
});
