import { type ScopeNode, scopesOf, stepsOf } from "../../src/ir/walk.ts";
import type { Invoke, Program, Workflow } from "../../src/ir/workflow.ts";

/**
 * Whether the execution that a step starts is named after the age of its root run. Events go to the oldest run first,
 * and a subflow is as old as its root run: the functions for events read that age from the name.
 */
export function passesAge({ workflow }: Invoke, program: Program): boolean {
  const called = program.byId.get(workflow.name);
  return called !== undefined && invokesOf(program).waiting.has(called);
}

/** The steps that pass the age and are in iterations of Distributed Maps, which are executions of their own, by id. */
export const passesAgeInIterations = (
  workflow: Workflow,
  distributed: ReadonlySet<string>,
  program: Program,
): ReadonlySet<string> =>
  new Set(
    scopesOf(workflow).flatMap((node) =>
      isWithin(node, distributed)
        ? node.scope.steps.flatMap((step) => (step.kind === "invoke" && passesAge(step, program) ? [step.id] : []))
        : [],
    ),
  );

const isWithin = ({ owner, parent }: ScopeNode, steps: ReadonlySet<string>): boolean =>
  owner !== undefined && (steps.has(owner.id) || (parent !== undefined && isWithin(parent, steps)));

/** Whether runs of a workflow may be subflows of others in the program. */
export const mayBeSubflow = (workflow: Workflow, program: Program): boolean =>
  invokesOf(program).subflows.has(workflow.id);

/** Whether a run of the program waits for the result of executions of a workflow. */
export const isWaitedFor = (workflow: Workflow, program: Program): boolean =>
  invokesOf(program).awaited.has(workflow.id);

interface ProgramInvokes {
  /** Workflows that wait for events, or whose subflows do, transitively. */
  readonly waiting: ReadonlySet<Workflow>;
  /** The ids of workflows that others start. */
  readonly subflows: ReadonlySet<string>;
  /** The ids of workflows for whose result others wait. */
  readonly awaited: ReadonlySet<string>;
}

const known = new WeakMap<Program, ProgramInvokes>();

function invokesOf(program: Program): ProgramInvokes {
  const found = known.get(program) ?? findInvokes(program);
  known.set(program, found);
  return found;
}

function findInvokes({ workflows, byId }: Program): ProgramInvokes {
  const callers = new Map<Workflow, Workflow[]>();
  const subflows = new Set<string>();
  const awaited = new Set<string>();
  const waiting = new Set<Workflow>();
  for (const workflow of workflows)
    for (const step of stepsOf(workflow)) {
      if (step.kind === "receive") waiting.add(workflow);
      const called = step.kind === "invoke" ? byId.get(step.workflow.name) : undefined;
      if (step.kind !== "invoke" || !called) continue;
      subflows.add(called.id);
      if (step.wait) awaited.add(called.id);
      callers.set(called, [...(callers.get(called) ?? []), workflow]);
    }
  for (const each of waiting) for (const caller of callers.get(each) ?? []) waiting.add(caller);
  return { waiting, subflows, awaited };
}
