// workflow 0.1, from yawl. Change the definition, not this file.
import {
  type Answer,
  type Flow,
  type Json,
  type Step,
  defineWorkflow,
  mergeOutput,
  toText,
  typeOf,
} from "./runtime.js";

/** The functions that the workflow calls. */
export interface Functions {
  send(argument: { readonly token: Json; readonly sendMessage: Json }, step: Step): Answer<Json>;
  lockboxPayload(argument: Json, step: Step): Answer<Json>;
  log(
    argument: {
      readonly url: Json;
      readonly method: Json;
      readonly headers: Json;
      readonly body: Json;
    },
    step: Step,
  ): Answer<Json>;
}

/** The members of the workflow data that the workflow uses. */
export type State = {
  readonly chat?: Json;
  readonly id?: Json;
  readonly [member: string]: Json | undefined;
};

/** workflow */
export const workflow = defineWorkflow({
  id: "workflow",
  version: "f9c458a63daede3a",
  name: "workflow",
  anyInput: true,
  errors: { expression: "STEP_INVALID_TEMPLATE_EXPRESSION", timeout: "STEP_TIMEOUT" },
  secrets: "lockboxPayload",
  run: async (flow: Flow, fn: Functions, state: State): Promise<Json> => {
    state = (typeOf(state) === "object" ? state : { input: state }) as State;
    // send (telegramBot step)
    await flow.step(
      "send",
      async (step) =>
        fn.send(
          {
            token: toText(await fn.lockboxPayload({ id: "e6q-bot", key: "token" }, step)),
            sendMessage: {
              chatId: toText(state.chat ?? null),
              text: `Order ${toText(state.id ?? null)}\\!`,
              parseMode: "MARKDOWN",
            },
          },
          step,
        ),
      { timeout: 900 },
    );
    state = mergeOutput(state, { sent: true });
    // log (httpCall step)
    await flow.step(
      "log",
      async (step) =>
        fn.log(
          {
            url: "https://log.example",
            method: "POST",
            headers: {
              Authorization: `Bearer ${toText(await fn.lockboxPayload({ id: "e6q-log", key: "key", version: "v2" }, step))}`,
            },
            body: toText({ id: state.id ?? null }),
          },
          step,
        ),
      { timeout: 900 },
    );
    return { logged: true };
  },
});
