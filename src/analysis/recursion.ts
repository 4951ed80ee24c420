import { endlessRecursion, subflowCycle } from "../diagnostics/flow.ts";
import { handlersOf, stepsById, stepsOf } from "../ir/walk.ts";
import type { Invoke, Program, Step, Workflow } from "../ir/workflow.ts";
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

/** Whether no choice, window, event or handler precedes it. */
function awaitsOneOf({ body, start }: Workflow, isOne: (id: string) => boolean): boolean {
  if (start.window || body.window) return false;
  const steps = stepsById(body);
  const seen = new Set<Step>();
  for (
    let step = steps.get(body.entry.name);
    step && !seen.has(step);
    step = "next" in step ? steps.get(step.next.name) : undefined
  ) {
    if (isInvoke(step) && step.wait && step.timeout === undefined && isOne(step.workflow.name)) return true;
    if (step.kind === "receive" || handlersOf(step).length > 0) return false;
    seen.add(step);
  }
  return false;
}

const maxNotes = 20;

const notesOf = (cycle: readonly Workflow[], starts: readonly Invoke[]): readonly Note[] =>
  cycle
    .slice(0, maxNotes)
    .map(({ id }, i) => ({
      message: `\`${id}\` starts \`${starts[i]!.workflow.name}\` here.`,
      span: starts[i]!.workflow.span,
    }))
    .slice(1);
