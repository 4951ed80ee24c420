// workflow 0.1, from yawl. Change the definition, not this file.
import {
  type Answer,
  type Flow,
  type Json,
  type Step,
  defineWorkflow,
  either,
  elementsOf,
  get,
  toText,
  typeOf,
} from "./runtime.js";

/** The functions that the workflow calls. */
export interface Functions {
  announce(
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
  readonly by?: Json;
  readonly id?: Json;
  readonly total?: Json;
  readonly lines?: Json;
  readonly [member: string]: Json | undefined;
};

/** workflow */
export const workflow = defineWorkflow({
  id: "workflow",
  version: "0bdfd57b51efea7e",
  name: "workflow",
  anyInput: true,
  errors: { expression: "STEP_INVALID_TEMPLATE_EXPRESSION", timeout: "STEP_TIMEOUT" },
  run: async (flow: Flow, fn: Functions, state: State): Promise<Json> => {
    state = (typeOf(state) === "object" ? state : { input: state }) as State;
    // announce (httpCall step)
    const announce = await flow.step(
      "announce",
      (step) =>
        fn.announce(
          {
            url: `https://shop.example/orders/${toText(state.id ?? null)}/notes?by=${toText(either(state.by ?? null, "nobody"))}`,
            method: "POST",
            headers: {
              "X-Total": toText(state.total ?? null),
              "X-Note": "a \\ stands for itself, and so does \\n",
            },
            body: toText({
              lines: elementsOf(state.lines ?? null).map((item) => get(item, "name")),
              say: `(${toText(state.id ?? null)})`,
            }),
          },
          step,
        ),
      { timeout: 900 },
    );
    return { noted: announce };
  },
});
