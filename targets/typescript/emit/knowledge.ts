import { type Types, typesOf } from "../../../src/analysis/types/index.ts";
import type { Workflow } from "../../../src/ir/workflow.ts";
import type { Program } from "../../../src/program.ts";
import { alternatives } from "../../../src/shapes/members.ts";

/** What is known of a workflow's variables whatever its input is: schemas are enforced nowhere, so what they say decides nothing. */
export function proven(program: Program, { id }: Workflow): Types["before"] {
  const known = found.get(program) ?? typesWithoutSchemas(program);
  found.set(program, known);
  return known.get(id) ?? new Map();
}

/** Programs are data, and each is looked through once for all of its modules. */
const found = new WeakMap<Program, ReadonlyMap<string, Types["before"]>>();

function typesWithoutSchemas({ workflows, ...program }: Program): ReadonlyMap<string, Types["before"]> {
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
