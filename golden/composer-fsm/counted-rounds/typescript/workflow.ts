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
  polish(argument: Json, step: Step): Answer<Json>;
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
  version: "512f4ff5cf623d8b",
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
    // times (Let state)
    let left: Json = 3;
    isLeftFailed: {
      while (true) {
        ({ params, left } = await flow.round("round", { params, left }));
        // round (Push state)
        pushed = params;
        // isLeft (Task state)
        const isLeft = await flow.compute("isLeft", () =>
          functions.isLeft({ params, variables: { left } }),
        );
        params = isLeft.params! as Params;
        left = isLeft.variables!.left ?? null;
        if (params.error !== undefined) break isLeftFailed;
        // choose (Choice state)
        if ((params.value ?? null) === true) {
          params = pushed as Params;
          // polish (Task state)
          params = (await flow.step("polish", (step) => fn.polish(params, step))) as Json as Params;
          params = (typeOf(params) === "object" ? params : { value: params }) as Params;
          if (params.error !== undefined) break isLeftFailed;
        } else {
          break;
        }
      }
      params = pushed as Params;
      // enough (Pass state)
      // over (End state)
      if (params.error === undefined) return params;
    }
    throw errorOf({
      origin: "function",
      name: "ApplicationError",
      message: text(params.error ?? null),
    });
  },
});
