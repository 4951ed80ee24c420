// workflow 0.1, from function-workflow. Change the definition, not this file.
import {
  type Answer,
  type Flow,
  type Json,
  type Step,
  defineWorkflow,
  errorOf,
  plus,
  typeOf,
} from "./runtime.js";

/** The functions that the workflow calls. */
export interface Functions {
  ask(argument: Json, step: Step): Answer<Json>;
  ship(argument: Json, step: Step): Answer<Json>;
}

/** workflow */
export const workflow = defineWorkflow({
  id: "workflow",
  version: "92ca24119bb09e94",
  name: "workflow",
  anyInput: true,
  errors: { expression: "SYS.FilterError", timeout: "SYS.Timeout" },
  events: { paid: { type: "paid", source: "/payments" } },
  waits: { Wait: { alternatives: [{ all: [["paid"]], within: 3600 }] } },
  run: async (flow: Flow, fn: Functions, data: Json): Promise<Json> => {
    let data2!: Json;
    // Ask (operation state)
    const ask = await flow.step("Ask", (step) => fn.ask(data, step));
    // Wait (event state)
    const waitReceived = await flow.receive("Wait");
    if (waitReceived.alternative === null) {
      throw errorOf({
        origin: "timeout",
        name: "SYS.Timeout",
        message: "The events of event state Wait did not come in time.",
      });
    }
    const merged =
      typeOf(ask) === "object"
        ? plus(ask, waitReceived.events[0]!.event)
        : waitReceived.events[0]!.event;
    try {
      data2 = (await flow.step("Wait/ship", (step) => fn.ship(merged, step))) as Json;
    } catch (caught) {
      flow.failure(caught);
      // Bad (end state)
      throw errorOf({ origin: "fail", name: "SYS.Fail", message: "Bad" });
    }
    // Good (end state)
    return data2;
  },
});
