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
  ship(argument: Json, step: Step): Answer<Json>;
  report(argument: Json, step: Step): Answer<Json>;
}

/** The members of the workflow data that the workflow uses. */
export type Params = { readonly error?: Json; readonly [member: string]: Json | undefined };

/** workflow */
export const workflow = defineWorkflow({
  id: "workflow",
  version: "9d1eb0a224b6bd87",
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
    // try (Try state)
    // parse (Task state)
    params = (await flow.compute("parse", () => functions.parse(params))) as Params;
    done: {
      report: {
        if (params.error !== undefined) {
          params = { error: params.error ?? null } as Params;
        } else {
          // ship (Task state)
          try {
            params = (await flow.step("ship", (step) => fn.ship(params, step))) as Json as Params;
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
            break report;
          }
          params = (typeOf(params) === "object" ? params : { value: params }) as Params;
          if (params.error !== undefined) {
            params = { error: params.error ?? null } as Params;
          } else {
            // catch (Catch state)
            break done;
          }
        }
      }
      // report (Task state)
      params = (await flow.step("report", (step) => fn.report(params, step))) as Json as Params;
      params = (typeOf(params) === "object" ? params : { value: params }) as Params;
      if (params.error !== undefined) {
        throw errorOf({
          origin: "function",
          name: "ApplicationError",
          message: text(params.error ?? null),
        });
      }
    }
    // done (Pass state)
    return params;
  },
});
