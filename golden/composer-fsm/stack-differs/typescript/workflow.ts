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

/** The functions that the workflow calls. */
export interface Functions {
  check(argument: Json, step: Step): Answer<Json>;
  work(argument: Json, step: Step): Answer<Json>;
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
  version: "87dc9e70aee42d33",
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
    // keep (Push state)
    let pushed: Json = params;
    // check (Task state)
    params = (await flow.step("check", (step) => fn.check(params, step))) as Json as Params;
    params = (typeOf(params) === "object" ? params : { value: params }) as Params;
    if (params.error !== undefined) {
      throw errorOf({
        origin: "function",
        name: "ApplicationError",
        message: text(params.error ?? null),
      });
    }
    workRejected: {
      // choose (Choice state)
      if ((params.value ?? null) === true) {
        params = pushed as Params;
        // more (Push state)
        pushed = params;
        // try (Try state)
        take: {
          // work (Task state)
          try {
            params = (await flow.step("work", (step) => fn.work(params, step))) as Json as Params;
          } catch (caught) {
            const error = failure(caught);
            if (error.name === "ActionNotFound") break workRejected;
            params = { error: error.message } as Params;
            break take;
          }
          params = (typeOf(params) === "object" ? params : { value: params }) as Params;
          if (params.error !== undefined) {
            params = { error: params.error ?? null } as Params;
          } else {
            // catch (Catch state)
          }
        }
        // take (Pop state)
        params = { result: params, params: pushed } as Params;
        return params;
      }
      params = pushed as Params;
      take2: {
        try {
          params = (await flow.step("work-2", (step) => fn.work(params, step))) as Json as Params;
        } catch (caught) {
          const error = failure(caught);
          if (error.name === "ActionNotFound") break workRejected;
          break take2;
        }
        params = (typeOf(params) === "object" ? params : { value: params }) as Params;
      }
    }
    throw errorOf({
      origin: "denied",
      name: "Rejected",
      message: "The conductor rejects this run: a state cannot do its work.",
    });
  },
});
