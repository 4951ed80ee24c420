// Triage, from serverless-workflow. Change the definition, not this file.
import {
  assignValue,
  merge,
  mergeResult,
  notifyNotify,
  place,
  present,
  sort,
  switchCondition,
} from "./triage.expressions.js";
import { type Flow, type Json, type Step, defineWorkflow } from "./runtime/index.ts";

/** What the workflow calls. */
export interface Functions {
  notify(argument: Json, step: Step): Promise<Json>;
  archive(
    argument: Json,
    step: Step,
  ): Promise<{ readonly receipt?: Json; readonly [member: string]: Json | undefined }>;
  assign(
    argument: { readonly id: Json },
    step: Step,
  ): Promise<{ readonly owner?: Json; readonly [member: string]: Json | undefined }>;
}

/** The data of the workflow, as far as it is looked at. */
export type Data = {
  readonly urgent?: Json;
  readonly tickets?: Json;
  readonly ticket?: { readonly id?: Json; readonly [member: string]: Json | undefined };
  readonly owner?: Json;
  readonly [member: string]: Json | undefined;
};

/** Assign, for each element */
const assign = async (flow: Flow, fn: Functions, element: Json, data: Data): Promise<Json> => {
  data = place(data, ["ticket"], element);
  // AssignOne (operation state)
  const assignAnswer = await flow.step("AssignOne", (step) =>
    fn.assign({ id: data.ticket?.id ?? null }, step),
  );
  data = assignAnswer?.owner !== undefined
    ? merge(data, { owner: assignAnswer?.owner ?? null })
    : place(data, ["owner"], assignAnswer);
  data = (data.owner === undefined ? data : data.owner) as Data;
  return data;
};

/** Triage */
export const triage = defineWorkflow({
  id: "triage",
  version: "4a6467892fd32a9e",
  name: "Triage",
  run: async (flow: Flow, fn: Functions, data: Data): Promise<Json> => {
    toArchive: {
      // Sort (switch state)
      if (!(switchCondition(present(data?.urgent), "equals", "true") || sort(data) === true)) {
        if (data?.tickets !== undefined) {
          // Assign (foreach state)
          const results = await flow.forEach(
            "Assign",
            assignValue(data) as readonly Json[],
            (flow, element) => assign(flow, fn, element, data),
          );
          data = place(data, ["assigned"], results);
        }
        break toArchive;
      }
      // Notify (operation state)
      const dataBefore = data;
      await flow.attempt(
        "Notify",
        async (flow) => {
          data = dataBefore;
          const notify = await flow.step("Notify/notify", (step) =>
            fn.notify(notifyNotify(data), step),
          );
          data = mergeResult(data, notify, "notify");
        },
        { retries: [{ when: (error) => error.name === "Busy", limit: 2, base: 5 }] },
      );
    }
    // Archive (operation state)
    const archive = await flow.step("Archive", (step) => fn.archive(data, step));
    data = archive?.receipt !== undefined
      ? merge(data, { receipt: archive?.receipt ?? null })
      : place(data, ["receipt"], archive);
    return data;
  },
});
