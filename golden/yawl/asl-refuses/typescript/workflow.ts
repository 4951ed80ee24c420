// workflow 0.1, from yawl. Change the definition, not this file.
import {
  type Answer,
  type Flow,
  type Json,
  type Step,
  defineWorkflow,
  format,
  plus,
  toText,
} from "./runtime.js";

/** The functions that the workflow calls. */
export interface Functions {
  send(argument: { readonly url: Json; readonly headers: Json }, step: Step): Answer<Json>;
  lockboxPayload(argument: { readonly id: Json; readonly key: Json }, step: Step): Answer<Json>;
}

/** workflow */
export const workflow = defineWorkflow({
  id: "workflow",
  version: "b0cecb339b29bfb8",
  name: "workflow",
  anyInput: true,
  errors: { expression: "STEP_INVALID_TEMPLATE_EXPRESSION", timeout: "STEP_TIMEOUT" },
  secrets: "lockboxPayload",
  run: async (flow: Flow, fn: Functions, state: Json): Promise<Json> => {
    // rest (wait step)
    await flow.sleep("rest", 0.5);
    // send (httpCall step)
    await flow.step(
      "send",
      async (step) =>
        fn.send(
          {
            url: "https://log.example",
            headers: {
              Authorization: `Basic ${toText(format(plus("log:", await fn.lockboxPayload({ id: "log", key: "key" }, step)), "base64"))}`,
            },
          },
          step,
        ),
      { timeout: 900 },
    );
    return { sent: true };
  },
});
