// All events start a run 1.0, from serverless-workflow. Change the definition, not this file.
import {
  type Answer,
  type Flow,
  type Json,
  type Step,
  attributeOf,
  defineWorkflow,
  mergeEvent,
  mergeResult,
} from "./runtime.js";

/** The functions that the workflow calls. */
export interface Functions {
  finalise(
    argument: { readonly student: Json; readonly score: Json; readonly name: Json },
    step: Step,
  ): Answer<Json>;
}

/** The members of the workflow data that the workflow uses. */
export type Data = {
  readonly applicantId?: Json;
  readonly score?: Json;
  readonly name?: Json;
  readonly [member: string]: Json | undefined;
};

/** All events start a run */
export const college = defineWorkflow({
  id: "college",
  version: "bf6f980e4dc7a3e2",
  name: "All events start a run",
  start: { on: [{ all: [["Applied"], ["Scored"]] }], complete: true, gap: 3600 },
  events: {
    Applied: {
      type: "college.applied",
      source: "/college",
      correlation: (event) => attributeOf(event, "applicantId"),
      correlationAttribute: "applicantid",
    },
    Scored: {
      type: "college.scored",
      source: "/college",
      correlation: (event) => attributeOf(event, "applicantId"),
      correlationAttribute: "applicantid",
    },
  },
  correlation: (data: Data, run) => (data.applicantId === undefined ? run.id : data.applicantId),
  run: async (flow: Flow, fn: Functions, data: Data): Promise<Json> => {
    // Finalise (event state)
    const finaliseReceived = await flow.receive("Finalise", {
      alternatives: [{ all: [["Applied"], ["Scored"]], within: 3600 }],
    });
    finaliseEnd: {
      if (finaliseReceived.alternative === null) {
        while (true) {
          await flow.round("Finalise/drop", {});
          const finaliseReceived2 = await flow.receive("Finalise/drop", {
            alternatives: [{ all: [["Applied", "Scored"]], within: 0 }],
          });
          if (finaliseReceived2.alternative === null) break finaliseEnd;
        }
      }
      for (const each of finaliseReceived.events) {
        data = mergeEvent(data, each.event, each.name, "applicantId");
      }
      const finalise = await flow.step("Finalise/finalise", (step) =>
        fn.finalise(
          { student: data.applicantId ?? null, score: data.score ?? null, name: data.name ?? null },
          step,
        ),
      );
      data = mergeResult(data, finalise, "finalise");
    }
    return data;
  },
});
