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
  work(argument: Json, step: Step): Answer<Json>;
  tell(argument: Json, step: Step): Answer<Json>;
}

/** The members of the workflow data that the workflow uses. */
export type Params = { readonly error?: Json; readonly [member: string]: Json | undefined };

/** workflow */
export const workflow = defineWorkflow({
  id: "workflow",
  version: "1b31f9d09d21571f",
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
    // outer (Try state)
    // name (Let state)
    const name = "outside";
    // inner (Try state)
    // hide (Let state)
    // keep (Push state)
    const pushed: Json = params;
    done: {
      end: {
        repair: {
          // work (Task state)
          try {
            params = (await flow.step("work", (step) => fn.work(params, step))) as Json as Params;
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
            break repair;
          }
          params = (typeOf(params) === "object" ? params : { value: params }) as Params;
          if (params.error !== undefined) {
            params = { error: params.error ?? null } as Params;
          } else {
            // take (Pop state)
            params = { result: params, params: pushed } as Params;
            // show (End state)
            // caught (Catch state)
            break end;
          }
        }
        // repair (Task state)
        params = (await flow.compute("repair", () =>
          functions.repair({ params, variables: { name } }),
        )) as Params;
        if (params.error !== undefined) {
          params = { error: params.error ?? null } as Params;
          // last (Task state)
          params = (await flow.step("last", (step) => fn.tell(params, step))) as Json as Params;
          params = (typeOf(params) === "object" ? params : { value: params }) as Params;
          if (params.error !== undefined) {
            throw errorOf({
              origin: "function",
              name: "ApplicationError",
              message: text(params.error ?? null),
            });
          }
          break done;
        }
      }
      // end (End state)
      // all (Catch state)
    }
    // done (Pass state)
    return params;
  },
});
