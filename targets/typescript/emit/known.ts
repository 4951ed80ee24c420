import { type DataFlow, inferDataFlow, takesObjects } from "../../../src/analysis/types/index.ts";
import type { Program } from "../../../src/ir/program.ts";
import type { Workflow } from "../../../src/ir/workflow.ts";
import type { ClosedUse } from "../../../src/readable/use.ts";
import { alternatives, anyObject } from "../../../src/types/index.ts";

/** A failure, as the runtime's `ErrorValue` declares it. */
export const errorUse: ClosedUse = {
  kind: "closed",
  members: { origin: {}, name: {}, message: {}, data: { isOptional: true, isNullable: true } },
};

/** An event, as the runtime's `CloudEvent` declares it; further attributes are looked up. */
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

const takenUse: ClosedUse = { kind: "closed", members: { name: {}, event: { use: eventUse } } };

const takenList: ClosedUse = { kind: "closed", members: {}, element: takenUse, isFilled: true };

/** What a wait gives, as the runtime's `Received` declares it. */
export const receivedUse: ClosedUse = {
  kind: "closed",
  members: { alternative: { isNullable: true }, events: { use: takenList }, groups: { use: takenList } },
};

/** A value that is looked into by functions only. */
export const arrayUse: ClosedUse = { kind: "closed", members: {} };

/**
 * What is known of variables before each step, by the ids of workflows, whatever their inputs and the answers of functions are: schemas are enforced
 * nowhere, so what they say decides nothing. That an input is an object is enforced.
 */
export function provenIn({ workflows, ...program }: Program): ReadonlyMap<string, DataFlow["before"]> {
  const untyped = workflows.map(
    (workflow): Workflow => ({
      ...workflow,
      inputType: takesObjects(workflow, workflows) ? anyObject : undefined,
    }),
  );
  const byId = new Map(untyped.map((workflow) => [workflow.id, workflow]));
  return new Map(
    Array.from(inferDataFlow({ ...program, workflows: untyped, byId }), ([{ id }, { before }]) => [id, before]),
  );
}

/** Whether a variable cannot be null when a step begins. */
export function isProvenPresent(before: DataFlow["before"], step: string, variable: string): boolean {
  const type = before.get(step)?.get(variable);
  const parts = type ? alternatives(type) : [];
  return parts.length > 0 && parts.every(({ kind }) => kind !== "null");
}
