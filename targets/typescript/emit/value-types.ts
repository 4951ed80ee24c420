import { type DataFlow, inferDataFlow, provenInput } from "../../../src/analysis/types/flow.ts";
import type { ClosedUse } from "../../../src/expressions/js/index.ts";
import type { Program, Workflow } from "../../../src/ir/workflow.ts";

/** `ErrorValue` of the runtime. */
export const errorUse: ClosedUse = {
  kind: "closed",
  members: { origin: {}, name: {}, message: {}, data: { isOptional: true, isNullable: true } },
};

/** `Problem` of the runtime. */
export const problemUse: ClosedUse = {
  kind: "closed",
  members: {
    origin: {},
    name: {},
    message: {},
    data: {
      use: {
        kind: "closed",
        hasOthers: true,
        members: Object.fromEntries(
          ["type", "status", "title", "detail", "instance"].map((name) => [
            name,
            { isOptional: true, isNullable: true },
          ]),
        ),
      },
    },
  },
};

/** `CloudEvent` of the runtime. Other attributes are looked up. */
export const eventUse: ClosedUse = {
  kind: "closed",
  hasOthers: true,
  members: {
    specversion: {},
    id: {},
    source: {},
    type: {},
    subject: { isOptional: true },
    time: { isOptional: true },
    data: { isOptional: true, isNullable: true },
  },
};

const receivedEventUse: ClosedUse = { kind: "closed", members: { name: {}, event: { use: eventUse } } };

const receivedEventsUse: ClosedUse = { kind: "closed", members: {}, element: receivedEventUse, isFilled: true };

/** `Received` of the runtime. */
export const receivedUse: ClosedUse = {
  kind: "closed",
  members: {
    alternative: { isNullable: true },
    events: { use: receivedEventsUse },
    groups: { use: receivedEventsUse },
  },
};

/** A value that only functions access. */
export const opaqueUse: ClosedUse = { kind: "closed", members: {} };

/**
 * The types of variables before each step, by workflow id, for every input that the workflow accepts and any results:
 * schemas of outputs are not enforced.
 */
export function inferProvenTypes({ workflows, ...program }: Program): ReadonlyMap<string, DataFlow["before"]> {
  const untyped = workflows.map(
    (workflow): Workflow => ({
      ...workflow,
      inputType: provenInput(workflow, workflows),
    }),
  );
  const byId = new Map(untyped.map((workflow) => [workflow.id, workflow]));
  return new Map(
    Array.from(inferDataFlow({ ...program, workflows: untyped, byId }), ([{ id }, { before }]) => [id, before]),
  );
}
