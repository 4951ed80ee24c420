// Only events start a run, and the first … 1.0, from serverless-workflow. Change the definition, not this file.
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
  nurse(argument: { readonly patient: Json; readonly value: Json }, step: Step): Answer<Json>;
  doctor(argument: { readonly patient: Json; readonly value: Json }, step: Step): Answer<Json>;
}

/** The members of the workflow data that the workflow uses. */
export type Data = {
  readonly patientId?: Json;
  readonly value?: Json;
  readonly [member: string]: Json | undefined;
};

/** Only events start a run, and the first state's alternatives differ */
export const vitals = defineWorkflow({
  id: "vitals",
  version: "9d73af1c01e58055",
  name: "Only events start a run, and the first state's alternatives differ",
  start: { on: [{ all: [["HighTemperature"]] }, { all: [["HighPressure"]] }] },
  events: {
    HighTemperature: {
      type: "ward.temperature",
      source: "/ward",
      correlation: (event) => attributeOf(event, "patientId"),
      correlationKey: "patientId",
      correlationAttribute: "patientid",
    },
    HighPressure: {
      type: "ward.pressure",
      source: "/ward",
      correlation: (event) => attributeOf(event, "patientId"),
      correlationKey: "patientId",
      correlationAttribute: "patientid",
    },
  },
  waits: {
    Monitor: { alternatives: [{ all: [["HighTemperature"]] }, { all: [["HighPressure"]] }] },
  },
  correlation: (data: Data, run) => firstScalar(data.patientId, run.id),
  run: async (flow: Flow, fn: Functions, data: Data): Promise<Json> => {
    // Monitor (event state)
    const monitorReceived = await flow.receive("Monitor", {
      correlation: { patientId: data.patientId },
    });
    if (monitorReceived.alternative === 0) {
      data = assignEvent(data, monitorReceived.events[0]!.event, "HighTemperature", "patientId");
      const nurse = await flow.step("Monitor/nurse", (step) =>
        fn.nurse({ patient: data.patientId ?? null, value: data.value ?? null }, step),
      );
      data = assignResult(data, nurse, "nurse");
    } else {
      data = assignEvent(data, monitorReceived.events[0]!.event, "HighPressure", "patientId");
      const doctor = await flow.step("Monitor/doctor", (step) =>
        fn.doctor({ patient: data.patientId ?? null, value: data.value ?? null }, step),
      );
      data = assignResult(data, doctor, "doctor");
    }
    return data;
  },
});
