// An event starts it, or somebody calls i… 1.0, from serverless-workflow. Change the definition, not this file.
import {
  type Answer,
  type Flow,
  type Json,
  type Step,
  assignResult,
  defineWorkflow,
  errorData,
  failure,
  place,
} from "./runtime.js";

/** The functions that the workflow calls. */
export interface Functions {
  mend(argument: { readonly lamp: Json; readonly by: Json }, step: Step): Answer<Json>;
  report(argument: { readonly lamp: Json }, step: Step): Answer<Json>;
}

/** The members of the workflow data that the workflow uses. */
export type Data = {
  readonly lamp?: Json;
  readonly crew?: Json;
  readonly [member: string]: Json | undefined;
};

/** An event starts it, or somebody calls it and it waits for the event */
export const repair = defineWorkflow({
  id: "repair",
  version: "edd92c30237874ed",
  name: "An event starts it, or somebody calls it and it waits for the event",
  start: { on: [{ all: [["Broken"]] }] },
  events: { Broken: { type: "lamp.broken", source: "/street" } },
  waits: { Mend: { alternatives: [{ all: [["Broken"]] }] } },
  run: async (flow: Flow, fn: Functions, data: Data): Promise<Json> => {
    // Mend (event state)
    const mendReceived = await flow.receive("Mend");
    try {
      const dataBefore = data;
      await flow.attempt(
        "Mend/attempt",
        async (flow) => {
          data = dataBefore;
          data = assignResult(data, mendReceived.events[0]?.event.data ?? null, "Broken");
          const mend = await flow.step("Mend/mend", (step) =>
            fn.mend({ lamp: data.lamp ?? null, by: data.crew ?? null }, step),
          );
          data = assignResult(data, mend, "mend");
        },
        { retries: [{ when: (error) => error.name === "Busy", limit: 1, base: 5 }] },
      );
    } catch (caught) {
      const error = failure(caught);
      if (error.name !== "Gone") throw caught;
      data = place(data, ["error"], errorData(error));
      // Report (operation state)
      const report = await flow.step("Report", (step) =>
        fn.report({ lamp: data.lamp ?? null }, step),
      );
      data = assignResult(data, report, "report");
      return data;
    }
    return data;
  },
});
