// Wait for an event called as a member th… 1.0, from serverless-workflow. Change the definition, not this file.
import {
  type CloudEvent,
  type Flow,
  type Json,
  assignEvent,
  attributeOf,
  defineWorkflow,
  firstScalar,
} from "./runtime.js";

/** The members of the workflow data that the workflow uses. */
export type Data = { readonly claim?: Json; readonly [member: string]: Json | undefined };

/** Wait for an event called as a member that every object has */
export const claim = defineWorkflow({
  id: "claim",
  version: "cf05007f5c9b301e",
  name: "Wait for an event called as a member that every object has",
  start: { on: [{ all: [["hasOwnProperty"]] }] },
  events: {
    hasOwnProperty: {
      type: "claim.settled",
      source: "/claims",
      correlation: (event: CloudEvent) => attributeOf(event, "claim"),
      correlationKey: "claim",
      correlationAttribute: "claim",
    },
  },
  waits: { Wait: { alternatives: [{ all: [["hasOwnProperty"]] }] } },
  correlation: (data: Data, run) => firstScalar(data.claim, run.id),
  run: async (flow: Flow, _fn: object, data: Data): Promise<Json> => {
    // Wait (event state)
    const waitReceived = await flow.receive("Wait", { correlation: { claim: data.claim } });
    data = assignEvent(data, waitReceived.events[0]!.event, "hasOwnProperty", "claim");
    return data;
  },
});
