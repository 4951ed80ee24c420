// workflow 0.1, from function-workflow. Change the definition, not this file.
import {
  type Answer,
  type Flow,
  type Json,
  type Step,
  defineWorkflow,
  memberOf,
  plus,
  required,
  typeOf,
} from "./runtime.js";

/** The functions that the workflow calls. */
export interface Functions {
  look(argument: Json, step: Step): Answer<Json>;
  tell(argument: Json, step: Step): Answer<Json>;
}

/** The members of the workflow data that the workflow uses. */
export type Data = {
  readonly data?: { readonly house?: Json; readonly [member: string]: Json | undefined };
  readonly [member: string]: Json | undefined;
};

/** The members of `merged` that the workflow uses. */
export type Merged = { readonly data?: Json; readonly [member: string]: Json | undefined };

/** workflow */
export const workflow = defineWorkflow({
  id: "workflow",
  version: "f5abae9525a1d03f",
  name: "workflow",
  anyInput: true,
  start: { on: [{ all: [["Door"]] }, { all: [["Window"]] }] },
  errors: { expression: "SYS.FilterError", timeout: "SYS.Timeout" },
  events: {
    Door: {
      type: "opened",
      source: "/door",
      correlation: (event) => memberOf(event.data, "house"),
    },
    Window: {
      type: "opened",
      source: "/window",
      correlation: (event) => memberOf(event.data, "house"),
    },
  },
  waits: { Watch: { alternatives: [{ all: [["Door"]] }, { all: [["Window"]] }] } },
  run: async (flow: Flow, fn: Functions, data: Data): Promise<Json> => {
    // Watch (event state)
    const watchReceived = await flow.receive("Watch");
    if (watchReceived.alternative === 0) {
      const merged = (
        typeOf(data) === "object"
          ? plus(data, watchReceived.events[0]!.event)
          : watchReceived.events[0]!.event
      ) as Merged;
      data = (await flow.step("Watch/look", (step) =>
        fn.look(
          required(merged.data, { name: "SYS.FilterError", message: "`$.data` selects nothing." }),
          step,
        ),
      )) as Json as Data;
    } else {
      data = (
        typeOf(data) === "object"
          ? plus(data, watchReceived.events[0]!.event)
          : watchReceived.events[0]!.event
      ) as Data;
      // Tell (operation state)
      data = required(data.data?.house, {
        name: "SYS.FilterError",
        message: "`$.data.house` selects nothing.",
      }) as Data;
      data = (await flow.step("Tell/tell", (step) => fn.tell(data, step))) as Json as Data;
    }
    // Done (end state)
    return data;
  },
});
