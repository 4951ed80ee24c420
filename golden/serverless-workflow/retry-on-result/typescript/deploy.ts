// Retry because of a result 1.0, from serverless-workflow. Change the definition, not this file.
import {
  type Answer,
  type Flow,
  type Json,
  type Step,
  assignResult,
  defineWorkflow,
  errorOf,
  failure,
} from "./runtime.js";

/** The functions that the workflow calls. */
export interface Functions {
  deploy(argument: { readonly v: Json }, step: Step): Answer<Json>;
}

/** The members of the workflow data that the workflow uses. */
export type Data = {
  readonly v?: Json;
  readonly exit_code?: Json;
  readonly [member: string]: Json | undefined;
};

/** Retry because of a result */
export const deploy = defineWorkflow({
  id: "deploy",
  version: "2c1747dcf31bae39",
  name: "Retry because of a result",
  run: async (flow: Flow, fn: Functions, data: Data): Promise<Json> => {
    // Deploy (operation state)
    const start: Json = data;
    let attempts1 = 0;
    while (true) {
      ({ data, attempts1 } = await flow.round("Deploy/attempt", { data, attempts1 }));
      deployWait: {
        try {
          await flow.attempt("Deploy/attempt", async (flow) => {
            const deployAnswer = await flow.step("Deploy/deploy", (step) =>
              fn.deploy({ v: data.v ?? null }, step),
            );
            data = assignResult(data, deployAnswer, "deploy");
          });
        } catch (caught) {
          const error = failure(caught);
          if (attempts1 < 2 && data?.exit_code === 1) break deployWait;
          if (data?.exit_code !== 1) throw caught;
          throw errorOf(error);
        }
        if (!(attempts1 < 2 && data.exit_code === 1)) break;
      }
      await flow.sleep("Deploy/wait", 10);
      attempts1 += 1;
      data = start as Data;
    }
    return data;
  },
});
