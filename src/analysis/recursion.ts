import { endlessRecursion, subflowCycle } from "../diagnostics/flow.ts";
import { handlersOf, innerScopes, stepsById, stepsOf } from "../ir/walk.ts";
import type { Invoke, Program, Scope, Step, Workflow } from "../ir/workflow.ts";
import type { Note, Report } from "../text/diagnostics.ts";
import { cycleFrom, stronglyConnectedComponents } from "./components.ts";

/** Reports workflows that start each other in a cycle. */
export function checkRecursion({ workflows, byId }: Program, report: Report): void {
  const started = new Map(workflows.map((workflow) => [workflow, stepsOf(workflow).filter(isInvoke)]));
  const next = (workflow: Workflow) => started.get(workflow)!.flatMap((step) => byId.get(step.workflow.name) ?? []);
  const rank = new Map(workflows.map((workflow, i) => [workflow, i]));
  for (const component of stronglyConnectedComponents(workflows, next)) {
    const members = new Set(component);
    const first = component.reduce((a, b) => (rank.get(b)! < rank.get(a)! ? b : a));
    const cycle = cycleFrom(first, members, next);
    if (cycle.length === 0) continue;
    const certain = component.every((workflow) => awaitsOneOf(workflow, (id) => members.has(byId.get(id)!)));
    const starts = cycle.map((workflow, i) => startOf(started.get(workflow)!, cycle[(i + 1) % cycle.length]!));
    const args = { cycle: [...cycle, first].map(({ id }) => id) };
    report((certain ? endlessRecursion : subflowCycle)(starts[0]!.workflow.span, args, notesOf(cycle, starts)));
  }
}

const isInvoke = (step: Step): step is Invoke => step.kind === "invoke";

const startOf = (starts: readonly Invoke[], { id }: Workflow): Invoke =>
  starts.find(({ workflow }) => workflow.name === id)!;

/** Whether a workflow always starts one of some workflows and waits for it. */
const awaitsOneOf = ({ body, start }: Workflow, isOne: (id: string) => boolean): boolean =>
  start.window === undefined && alwaysAwaits(body, isOne);

/** Whether no choice, window, event or handler precedes such a step, in the scope itself or in one that it waits for. */
function alwaysAwaits(scope: Scope, isOne: (id: string) => boolean): boolean {
  if (scope.window) return false;
  const steps = stepsById(scope);
  const seen = new Set<Step>();
  for (
    let step = steps.get(scope.entry.name);
    step && !seen.has(step);
    step = "next" in step ? steps.get(step.next.name) : undefined
  ) {
    if (isAwaiting(step, isOne)) return true;
    if (step.kind === "receive" || handlersOf(step).length > 0) return false;
    seen.add(step);
  }
  return false;
}

function isAwaiting(step: Step, isOne: (id: string) => boolean): boolean {
  switch (step.kind) {
    case "invoke":
      return step.wait && step.timeout === undefined && isOne(step.workflow.name);
    case "attempt":
      return step.timeout === undefined && step.handlers.length === 0 && alwaysAwaits(step.body, isOne);
    case "foreach": {
      const { items } = step;
      const hasItems = items.kind === "literal" && Array.isArray(items.value) && items.value.length > 0;
      return hasItems && step.handlers.length === 0 && alwaysAwaits(step.scope, isOne);
    }
    case "fork": {
      const certain = step.branches.filter(({ scope }) => alwaysAwaits(scope, isOne));
      if (certain.length === 0 || step.branches.some(({ scope }) => mayEndRun(scope))) return false;
      return certain.length === step.branches.length || (step.join.kind === "all" && step.handlers.length === 0);
    }
    default:
      return false;
  }
}

/** Whether a scope may end the whole run. */
const mayEndRun = (scope: Scope): boolean =>
  scope.steps.some(
    (step) =>
      (step.kind === "end" && step.extent === "run") ||
      (isInvoke(step) && step.terminates) ||
      innerScopes(step).some(mayEndRun),
  );

const maxNotes = 20;

const notesOf = (cycle: readonly Workflow[], starts: readonly Invoke[]): readonly Note[] =>
  cycle
    .slice(0, maxNotes)
    .map(({ id }, i) => ({
      message: `\`${id}\` starts \`${starts[i]!.workflow.name}\` here.`,
      span: starts[i]!.workflow.span,
    }))
    .slice(1);
