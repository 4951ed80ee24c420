// Customs 1.0, from serverless-workflow. Change the definition, not this file.
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
  itemsOf,
  matchesNode,
  present,
} from "./runtime.js";

/** The functions that the workflow calls. */
export interface Functions {
  declare(argument: { readonly of: Json }, step: Step): Answer<Json>;
}

/** The members of the workflow data that the workflow uses. */
export type Data = {
  readonly duties?: Json;
  readonly pattern?: Json;
  readonly parcel?: Json;
  readonly [member: string]: Json | undefined;
};

/** Customs */
export const customs = defineWorkflow({
  id: "customs",
  version: "5160f04a13702b50",
  name: "Customs",
  events: {
    Cleared: {
      type: "customs.cleared",
      source: "/customs",
      correlation: (event) => attributeOf(event, "parcel"),
      correlationKey: "parcel",
      correlationAttribute: "parcel",
    },
  },
  waits: { Wait: { alternatives: [{ all: [["Cleared"]] }] } },
  correlation: (data: Data, run) => firstScalar(data.parcel, run.id),
  run: async (flow: Flow, fn: Functions, data: Data): Promise<Json> => {
    // Declare (operation state)
    const declare = await flow.step("Declare", (step) =>
      fn.declare(
        {
          of: itemsOf(data.duties)
            .filter((item) => matchesNode(item?.code, data.pattern, false))
            .flatMap((item) => present(item?.amount)),
        },
        step,
      ),
    );
    data = assignResult(data, declare, "declare");
    // Wait (event state)
    const waitReceived = await flow.receive("Wait", { correlation: { parcel: data.parcel } });
    data = assignEvent(data, waitReceived.events[0]!.event, "Cleared", "parcel");
    return data;
  },
});
