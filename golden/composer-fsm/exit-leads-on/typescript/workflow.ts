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
  pack(argument: Json, step: Step): Answer<Json>;
  check(argument: Json, step: Step): Answer<Json>;
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
  version: "2eda439102537349",
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
    packFailed: {
      while (true) {
        ({ params } = await flow.round("pack", { params }));
        // pack (Task state)
        params = (await flow.step("pack", (step) => fn.pack(params, step))) as Json as Params;
        params = (typeOf(params) === "object" ? params : { value: params }) as Params;
        if (params.error !== undefined) break packFailed;
        // keep (Push state)
        const pushed: Json = params;
        // check (Task state)
        params = (await flow.step("check", (step) => fn.check(params, step))) as Json as Params;
        params = (typeOf(params) === "object" ? params : { value: params }) as Params;
        if (params.error !== undefined) break packFailed;
        // choose (Choice state)
        if ((params.value ?? null) === true) {
          params = pushed as Params;
        } else {
          break;
        }
      }
      // stop (Task state)
      params = { error: "stopped" } as Params;
    }
    throw errorOf({
      origin: "function",
      name: "ApplicationError",
      message: text(params.error ?? null),
    });
  },
});
