// workflow 0.1, from yawl. Change the definition, not this file.
import {
  type Answer,
  type Flow,
  type Json,
  type Step,
  defineWorkflow,
  fromJson,
  mergeOutput,
  toFinite,
  toJson,
  toText,
  typeOf,
} from "./runtime.js";

/** The functions that the workflow calls. */
export interface Functions {
  send(argument: Json, step: Step): Answer<Json>;
}

/** The members of the workflow data that the workflow uses. */
export type State = {
  readonly lines?: Json;
  readonly id?: Json;
  readonly [member: string]: Json | undefined;
};

/** workflow */
export const workflow = defineWorkflow({
  id: "workflow",
  version: "f829a6fba97bd110",
  name: "workflow",
  anyInput: true,
  errors: { expression: "STEP_INVALID_TEMPLATE_EXPRESSION", timeout: "STEP_TIMEOUT" },
  run: async (flow: Flow, fn: Functions, state: State): Promise<Json> => {
    state = (typeOf(state) === "object" ? state : { input: state }) as State;
    // prepare (noOp step)
    state = mergeOutput(
      state,
      toFinite(
        fromJson(
          `{ "subject": "Order ${toText(state.id ?? null)}", "lines": ${toText(toJson(state.lines ?? null))} }`,
        ),
      ),
    );
    // defaults (noOp step)
    state = mergeOutput(state, { channel: "mail", retries: 2 });
    // send (functionCall step)
    await flow.step("send", (step) => fn.send(state, step), { timeout: 900 });
    return { sent: true };
  },
});
