// Triage 1.0, from serverless-workflow. Change the definition, not this file.
import {
  type Answer,
  type Flow,
  type Json,
  type Step,
  assignMember,
  assignResult,
  defineWorkflow,
  equals,
  itemsOf,
  matchesNode,
  place,
  present,
  switchCondition,
} from "./runtime.js";

/** The functions that the workflow calls. */
export interface Functions {
  notify(argument: { readonly about: Json; readonly rule: Json }, step: Step): Answer<Json>;
  assign(argument: { readonly id: Json }, step: Step): Answer<Json>;
  archive(argument: Json, step: Step): Answer<Json>;
}

/** The members of the workflow data that the workflow uses. */
export type Data = {
  readonly urgent?: Json;
  readonly tickets?: Json;
  readonly rule?: Json;
  readonly ticket?: { readonly id?: Json; readonly [member: string]: Json | undefined };
  readonly owner?: Json;
  readonly staff?: Json;
  readonly [member: string]: Json | undefined;
};

/** Triage */
export const triage = defineWorkflow({
  id: "triage",
  version: "10256362ff6bcd41",
  name: "Triage",
  run: async (flow: Flow, fn: Functions, data: Data): Promise<Json> => {
    toArchive: {
      // Sort (switch state)
      if (!(
        equals(data.urgent, "true") ||
        switchCondition(
          itemsOf(data.tickets).filter((item) => matchesNode(item?.text, data.rule, false)),
          "exists",
          null,
        )
      )) {
        if (data.tickets !== undefined) {
          // Assign (foreach state)
          const assignResults = await flow.forEach(
            "Assign",
            itemsOf(data.tickets).filter((item) => !matchesNode(item?.owner, data.staff, true)),
            (flow, element) => assign(flow, fn, element, data),
          );
          data = place(data, ["assigned"], assignResults);
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
            fn.notify(
              {
                about: itemsOf(data.tickets)
                  .filter((item) => matchesNode(item?.text, data.rule, false))
                  .flatMap((item) => present(item?.id)),
                rule: data.rule ?? null,
              },
              step,
            ),
          );
          data = assignResult(data, notify, "notify");
        },
        { retries: [{ when: (error) => error.name === "Busy", limit: 2, base: 5 }] },
      );
    }
    // Archive (operation state)
    const archive = await flow.step("Archive", (step) => fn.archive(data, step));
    data = assignMember(data, "receipt", archive);
    return data;
  },
});

/** Assign, for each element */
async function assign(flow: Flow, fn: Functions, element: Json, data: Data): Promise<Json> {
  data = place(data, ["ticket"], element);
  // AssignOne (operation state)
  const assignOne = await flow.step("AssignOne", (step) =>
    fn.assign({ id: data.ticket?.id ?? null }, step),
  );
  data = assignMember(data, "owner", assignOne);
  data = (data.owner === undefined ? data : data.owner) as Data;
  return data;
}
