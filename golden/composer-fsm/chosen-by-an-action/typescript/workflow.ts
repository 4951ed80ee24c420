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
  isKnown(argument: Json, step: Step): Answer<Json>;
  greet(argument: Json, step: Step): Answer<Json>;
  register(argument: Json, step: Step): Answer<Json>;
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
  version: "dd5edc63720bfc22",
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
    // isKnown (Task state)
    params = (await flow.step("isKnown", (step) => fn.isKnown(params, step))) as Json as Params;
    params = (typeOf(params) === "object" ? params : { value: params }) as Params;
    isKnownFailed: {
      if (params.error === undefined) {
        // choose (Choice state)
        if ((params.value ?? null) === true) {
          params = pushed as Params;
          // greet (Task state)
          params = (await flow.step("greet", (step) => fn.greet(params, step))) as Json as Params;
          params = (typeOf(params) === "object" ? params : { value: params }) as Params;
          if (params.error !== undefined) break isKnownFailed;
        } else {
          params = pushed as Params;
          // register (Task state)
          params = (await flow.step("register", (step) =>
            fn.register(params, step),
          )) as Json as Params;
          params = (typeOf(params) === "object" ? params : { value: params }) as Params;
          if (params.error !== undefined) break isKnownFailed;
        }
        // told (Pass state)
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
