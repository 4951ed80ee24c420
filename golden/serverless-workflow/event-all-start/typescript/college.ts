// All events start a run 1.0, from serverless-workflow. Change the definition, not this file.
import {
  type Answer,
  type Flow,
  type Json,
  type Step,
  assignEvent,
  assignResult,
  attributeOf,
  defineWorkflow,
  firstScalar,
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
  version: "2a6462d5d22f8f9a",
  name: "All events start a run",
  start: { on: [{ all: [["Applied"], ["Scored"]] }], complete: true, gap: 3600 },
  events: {
    Applied: {
      type: "college.applied",
      source: "/college",
      correlation: (event) => attributeOf(event, "applicantId"),
      correlationKey: "applicantId",
      correlationAttribute: "applicantid",
    },
    Scored: {
      type: "college.scored",
      source: "/college",
      correlation: (event) => attributeOf(event, "applicantId"),
      correlationKey: "applicantId",
      correlationAttribute: "applicantid",
    },
  },
  waits: {
    Finalise: { alternatives: [{ all: [["Applied"], ["Scored"]], within: 3600 }] },
    "Finalise/drop": { alternatives: [{ all: [["Applied", "Scored"]], within: 0 }] },
  },
  correlation: (data: Data, run) => firstScalar(data.applicantId, run.id),
  run: async (flow: Flow, fn: Functions, data: Data): Promise<Json> => {
    // Finalise (event state)
    const finaliseReceived = await flow.receive("Finalise", {
      correlation: { applicantId: data.applicantId },
    });
    finaliseEnd: {
      if (finaliseReceived.alternative === null) {
        while (true) {
          await flow.round("Finalise/drop", {});
          const finaliseReceived2 = await flow.receive("Finalise/drop", {
            correlation: { applicantId: data.applicantId },
          });
          if (finaliseReceived2.alternative === null) break finaliseEnd;
        }
      }
      for (const each of finaliseReceived.events) {
        data = assignEvent(data, each.event, each.name, "applicantId");
      }
      const finalise = await flow.step("Finalise/finalise", (step) =>
        fn.finalise(
          { student: data.applicantId ?? null, score: data.score ?? null, name: data.name ?? null },
          step,
        ),
      );
      data = assignResult(data, finalise, "finalise");
    }
    return data;
  },
});
