// workflow 0.1, from function-workflow. Change the definition, not this file.
import {
  type Answer as Answer2,
  type Flow,
  type Json,
  type Step,
  defineWorkflow,
  errorOf,
  isGreater,
  plus,
  required,
  typeOf,
} from "./runtime.js";

/** The functions that the workflow calls. */
export interface Functions {
  ask(argument: Json, step: Step): Answer2<Json>;
}

/** The members of the workflow data that the workflow uses. */
export type Data = {
  readonly order?: Json;
  readonly amount?: Json;
  readonly [member: string]: Json | undefined;
};

/** The members of `answer` that the workflow uses. */
export type Answer = any;

/** workflow */
export const workflow = defineWorkflow({
  id: "workflow",
  version: "fb770d04bcd8e341",
  name: "workflow",
  anyInput: true,
  errors: { expression: "SYS.FilterError", timeout: "SYS.Timeout" },
  events: {
    Paid: { type: "paid", source: "/payments", correlation: (event) => event.subject },
    Sent: { type: "sent", source: "/parcels", correlation: (event) => event.subject },
  },
  waits: {
    Wait: {
      alternatives: [
        { all: [["Paid"]], within: 60 },
        { all: [["Sent"]], within: 60 },
      ],
    },
  },
  run: async (flow: Flow, fn: Functions, data: Data): Promise<Json> => {
    let answer!: Answer;
    // Ask (operation state)
    data = required(data?.order, {
      name: "SYS.FilterError",
      message: "`$.order` selects nothing.",
    }) as Data;
    let attempts1 = 0;
    while (true) {
      ({ attempts1 } = await flow.round("Ask/ask", { attempts1 }));
      askWait: {
        try {
          answer = (await flow.step("Ask/ask", (step) => fn.ask(data, step))) as Json as Answer;
        } catch (caught) {
          const error = flow.failure(caught);
          if (attempts1 < 1 && error.name === "Busy") break askWait;
          if (error.name !== "Busy") throw caught;
          throw errorOf(error);
        }
        if (!(attempts1 < 1 && answer === "Busy")) {
          if (answer === "Busy") {
            throw errorOf({
              origin: "fail",
              name: "SYS.Fail",
              message: 'Function ask gave "Busy".',
            });
          }
          break;
        }
      }
      await flow.sleep("Ask/wait", 2);
      attempts1 += 1;
    }
    data = required(answer?.id, {
      name: "SYS.FilterError",
      message: "`$.id` selects nothing.",
    }) as Data;
    // Wait (event state)
    const waitReceived = await flow.receive("Wait");
    done: {
      if (waitReceived.alternative === null) break done;
      if (waitReceived.alternative === 0) {
        {
          const taken = required(waitReceived.events[0]?.event.data, {
            name: "SYS.FilterError",
            message: "`$.data` selects nothing.",
          });
          data = (
            typeOf(data) === "object" && typeOf(taken) === "object" ? plus(data, taken) : taken
          ) as Data;
        }
      } else {
        data = (
          typeOf(data) === "object"
            ? plus(data, waitReceived.events[0]!.event)
            : waitReceived.events[0]!.event
        ) as Data;
      }
      // Check (switch state)
      if (typeof (data?.amount ?? null) === "number" && isGreater(data?.amount ?? null, 10)) {
        // Pause (delay state)
        await flow.sleep("Pause", 60);
      }
    }
    // Done (end state)
    return data;
  },
});
