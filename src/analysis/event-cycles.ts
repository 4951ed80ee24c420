import { eventCycle } from "../diagnostics/flow.ts";
import { childrenOf, type Expression } from "../expressions/index.ts";
import { emittedAttributes, matchesAttributes } from "../ir/event-patterns.ts";
import { startsOnEvents } from "../ir/starts.ts";
import { exits, innerScopes, stepsById, stepsOf } from "../ir/walk.ts";
import type { Choose, Emit, EventPattern, Invoke, Program, Scope, Step, Workflow } from "../ir/workflow.ts";
import type { Report } from "../text/diagnostics.ts";
import { stronglyConnectedComponents } from "./components.ts";

/**
 * Reports workflows that start each other by events without end: they pass no delay, wait with a timeout or condition
 * from each start to the next. `checkRecursion` reports cycles of subflows alone.
 */
export function checkEventCycles({ workflows, byId }: Program, report: Report): void {
  const emitted = workflows.flatMap((workflow) =>
    stepsOf(workflow).flatMap((step) => (step.kind === "emit" ? [{ step, workflow }] : [])),
  );
  if (emitted.length === 0) return;
  const startable = workflows.filter(startsOnEvents);
  const reached = new Map<Workflow, ImmediateSteps>();
  const starts = new Map(
    workflows.map((workflow) => [
      workflow,
      startsIn(workflow, immediateSteps(workflow, byId, reached), startable, byId),
    ]),
  );
  const next = (workflow: Workflow) => starts.get(workflow)!.map(({ started }) => started);
  for (const component of stronglyConnectedComponents(workflows, next)) {
    const members = new Set(component);
    const first = workflows.find((workflow) => members.has(workflow) && eventStart(workflow, members, starts));
    const start = first && eventStart(first, members, starts)!;
    if (!first || !start) continue;
    const path = pathBetween(start.started, first, members, starts);
    const notes = path.map(({ step, by, started }) => ({
      message: `\`${by.id}\` starts \`${started.id}\` here.`,
      span: step.kind === "emit" ? step.event.span : step.workflow.span,
    }));
    const cycle = [first.id, start.started.id, ...path.map(({ started }) => started.id)];
    report(eventCycle(start.step.kind === "emit" ? start.step.event.span : start.step.span, { cycle }, notes));
  }
}

/** A step that starts runs of a workflow. */
interface RunStart {
  readonly step: Emit | Invoke;
  readonly by: Workflow;
  readonly started: Workflow;
}

type Starts = ReadonlyMap<Workflow, readonly RunStart[]>;

const eventStart = (workflow: Workflow, members: ReadonlySet<Workflow>, starts: Starts): RunStart | undefined =>
  starts.get(workflow)!.find(({ step, started }) => step.kind === "emit" && members.has(started));

/** A shortest path. */
function pathBetween(
  from: Workflow,
  to: Workflow,
  members: ReadonlySet<Workflow>,
  starts: Starts,
): readonly RunStart[] {
  const before = new Map<Workflow, readonly RunStart[]>([[from, []]]);
  for (const [workflow, path] of before) {
    if (workflow === to) return path;
    for (const start of starts.get(workflow)!)
      if (members.has(start.started) && !before.has(start.started)) before.set(start.started, [...path, start]);
  }
  return [];
}

const startsIn = (
  by: Workflow,
  { found }: ImmediateSteps,
  startable: readonly Workflow[],
  byId: Program["byId"],
): readonly RunStart[] =>
  found.flatMap((step): readonly RunStart[] => {
    if (step.kind === "emit")
      return startable.filter((each) => isStartedBy(each, step, by)).map((started) => ({ step, by, started }));
    const started = byId.get(step.workflow.name);
    return started ? [{ step, by, started }] : [];
  });

/** Whether the event alone starts a run: a start that needs several events waits for the others. */
function isStartedBy(started: Workflow, step: Emit, by: Workflow): boolean {
  const { on = [], create } = started.start;
  const event = emittedAttributes(step, by);
  const matches = ({ event: { name }, when }: EventPattern): boolean =>
    !when && started.events.some((definition) => definition.name === name && matchesAttributes(definition, event));
  return on.some(({ all }) =>
    create === "complete" ? all.every((group) => group.some(matches)) : all.flat().some(matches),
  );
}

/** The steps that a run reaches without a delay, a wait with a timeout or a condition, and whether it may end so. */
interface ImmediateSteps {
  readonly found: readonly (Emit | Invoke)[];
  readonly isPassed: boolean;
}

function immediateSteps(
  workflow: Workflow,
  byId: Program["byId"],
  reached: Map<Workflow, ImmediateSteps>,
): ImmediateSteps {
  const known = reached.get(workflow);
  if (known) return known;
  // A subflow that contains itself has not passed yet.
  reached.set(workflow, { found: [], isPassed: false });
  const found: (Emit | Invoke)[] = [];
  const startWait = firstWait(workflow);
  const waits = stepsOf(workflow).flatMap((step) => (step.kind === "receive" ? [step.bind] : []));
  const isPaced = (step: Step): boolean =>
    step.kind === "delay" ||
    (step.kind === "receive" && step !== startWait && step.alternatives.every(({ within }) => within !== undefined)) ||
    (step.kind === "choose" && !selectsEvent(step, waits));
  const isAwaitedWhole = (step: Step): boolean => {
    const subflow = step.kind === "invoke" && step.wait ? byId.get(step.workflow.name) : undefined;
    return !subflow || immediateSteps(subflow, byId, reached).isPassed;
  };
  const visit = (scope: Scope): boolean => {
    const steps = stepsById(scope);
    const pending = new Set([scope.entry.name]);
    let isPassed = false;
    for (const id of pending) {
      const step = steps.get(id);
      if (!step || isPaced(step)) continue;
      if (step.kind === "emit" || step.kind === "invoke") found.push(step);
      if (step.kind === "end") isPassed ||= step.outcome === "leave";
      const passed = innerScopes(step).map(visit).filter(Boolean).length;
      const needed = step.kind === "fork" && step.join.kind === "some" ? step.join.count : innerScopes(step).length;
      if (passed >= needed && isAwaitedWhole(step)) for (const { name } of exits(step)) pending.add(name);
    }
    return isPassed;
  };
  const result = { isPassed: visit(workflow.body), found };
  reached.set(workflow, result);
  return result;
}

/** The wait that receives the events that start a run. */
function firstWait({ start, body }: Workflow): Step | undefined {
  if (!start.on?.length) return undefined;
  const steps = stepsById(body);
  const seen = new Set<Step>();
  let step = steps.get(body.entry.name);
  while (step && step.kind !== "receive" && "next" in step && !seen.has(step)) {
    seen.add(step);
    step = steps.get(step.next.name);
  }
  return step?.kind === "receive" ? step : undefined;
}

/** Whether a choice only distinguishes the events that ended a wait. */
const selectsEvent = ({ cases }: Choose, waits: readonly string[]): boolean =>
  cases.every(({ when }) => readsOnly(when, waits));

const readsOnly = (expression: Expression, variables: readonly string[]): boolean =>
  expression.kind === "variable"
    ? variables.includes(expression.name)
    : childrenOf(expression).every((child) => readsOnly(child.expression, variables));
