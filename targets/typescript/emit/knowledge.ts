import { type Types, typesOf } from "../../../src/analysis/types/index.ts";
import type { Workflow } from "../../../src/ir/workflow.ts";
import type { Program } from "../../../src/program.ts";
import { alternatives } from "../../../src/shapes/index.ts";

/** What is known of variables before each step, by the ids of workflows, whatever their inputs are: schemas are enforced nowhere, so what they say decides nothing. */
export function provenIn({ workflows, ...program }: Program): ReadonlyMap<string, Types["before"]> {
  const untyped = workflows.map((workflow): Workflow => ({ ...workflow, inputShape: undefined }));
  const byId = new Map(untyped.map((workflow) => [workflow.id, workflow]));
  return new Map(Array.from(typesOf({ ...program, workflows: untyped, byId }), ([{ id }, { before }]) => [id, before]));
}

/** Whether a variable cannot be null when a step begins. */
export function isProvenPresent(before: Types["before"], step: string, variable: string): boolean {
  const shape = before.get(step)?.get(variable);
  const parts = shape ? alternatives(shape) : [];
  return parts.length > 0 && parts.every(({ kind }) => kind !== "null");
}
