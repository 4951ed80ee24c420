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

/** The functions that the workflow calls. */
export interface Functions {
  check(argument: Json, step: Step): Answer<Json>;
  act(argument: Json, step: Step): Answer<Json>;
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
  version: "41018194440d1857",
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
    const pushed: Json = params;
    // check (Task state)
    params = (await flow.step("check", (step) => fn.check(params, step))) as Json as Params;
    params = (typeOf(params) === "object" ? params : { value: params }) as Params;
    checkFailed: {
      if (params.error === undefined) {
        // choose (Choice state)
        if ((params.value ?? null) === true) {
          params = pushed as Params;
        } else {
          params = pushed as Params;
          // act (Task state)
          params = (await flow.step("act", (step) => fn.act(params, step))) as Json as Params;
          params = (typeOf(params) === "object" ? params : { value: params }) as Params;
          if (params.error !== undefined) break checkFailed;
        }
        // done (Pass state)
        if (params.error === undefined) return params;
      }
    }
    throw errorOf({
      origin: "function",
      name: "ApplicationError",
      message: text(params.error ?? null),
    });
  },
});
