// jitter 1.0, from sm4c. Change the definition, not this file.
import {
  type Answer,
  type Flow,
  type Json,
  type Step,
  defineWorkflow,
  errorOf,
  failure,
  max,
  minus,
  plus,
  times,
  toFinite,
  withMember,
} from "./runtime.js";

/** The functions that the workflow calls. */
export interface Functions {
  pull(argument: Json, step: Step): Answer<Json>;
  random(argument: Json, step: Step): Answer<Json>;
}

/** The members of the workflow data that the workflow uses. */
export type Data = { readonly tries?: Json; readonly [member: string]: Json | undefined };

/** jitter */
export const jitter = defineWorkflow({
  id: "jitter",
  version: "a9e8350f433f5ffb",
  name: "jitter",
  run: async (flow: Flow, fn: Functions, data: Data): Promise<Json> => {
    // Pull (state)
    await flow.step("Pull", (step) => fn.pull({}, step), {
      retries: [{ limit: 1, base: 10, jitter: { fraction: 0.5 } }],
    });
    // Again (state)
    let attempts = 0;
    let delay: Json = 10;
    let attempts2 = 0;
    while (true) {
      ({ attempts, delay, data, attempts2 } = await flow.round("Again/pull", {
        attempts,
        delay,
        data,
        attempts2,
      }));
      try {
        await flow.step("Again/pull", (step) => fn.pull({}, step));
      } catch (caught) {
        const error = failure(caught);
        if (error.name === "Busy") {
          data = withMember(data, "tries", plus(data.tries ?? null, 1));
          if (attempts < 2) {
            const jitterAnswer = await flow.step("Again/jitter", (step) => fn.random(null, step));
            await flow.sleep(
              "Again/wait",
              Number(toFinite(max([0, plus(delay, minus(times(jitterAnswer, 4), 2))]))),
            );
            attempts += 1;
            delay = toFinite(times(delay, 2));
            continue;
          }
          throw errorOf(error);
        }
        if (attempts2 < 1) {
          const jitter2 = await flow.step("Again/jitter-2", (step) => fn.random(null, step));
          await flow.sleep(
            "Again/wait-2",
            Number(toFinite(max([0, plus(10, times(10, minus(times(jitter2, 1), 0.5)))]))),
          );
          attempts2 += 1;
          continue;
        }
        throw errorOf(error);
      }
      break;
    }
    return data;
  },
});
