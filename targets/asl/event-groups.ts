import { canFail, compileJavaScript, type Expression, isRefusal, simplify } from "../../src/expressions/index.ts";
import { receivedBy } from "../../src/ir/receiving.ts";
import { patternsOf, stepsOf } from "../../src/ir/walk.ts";
import type { EventDefinition, Receive, Workflow } from "../../src/ir/workflow.ts";
import { truncate } from "../../src/text/clip.ts";
import type { Report } from "../../src/text/diagnostics.ts";
import type { Span } from "../../src/text/source.ts";
import * as messages from "./diagnostics/kinds.ts";
import { receives } from "./select/waits.ts";

/** The longest time that a task may take, in seconds. */
const longest = 99_999_999;

/** Reports what of waiting for events, and of being started by them, has no exact form. */
export function checkEvents(workflow: Workflow, report: Report): void {
  if (!receives(workflow)) return;
  const waits = stepsOf(workflow).filter((step): step is Receive => step.kind === "receive");
  for (const step of waits) {
    checkTimes(step, report);
    for (const { when } of patternsOf(step.alternatives))
      if (when) checkLook(when, step.span, "a condition on an event", report);
  }
  for (const { name, correlation, span } of workflow.events)
    if (correlation) {
      checkLook(correlation, span, `what correlates \`${truncate(name)}\``, report);
      checkCorrelation(correlation, span, name, report);
    }
}

/** Workflows that take events from each other: a run that uses one takes it from the runs of all of them. */
export interface Group {
  /** The one whose function is given the events: the first that they start, if there is one. */
  readonly leader: Workflow;
  readonly members: readonly Workflow[];
}

/** The group of each workflow that receives events. */
export function groupsIn(workflows: readonly Workflow[]): ReadonlyMap<Workflow, Group> {
  const groups = new Map<Workflow, Group>();
  const open = new Set(workflows.filter(receives));
  for (const first of open) {
    const members = new Set([first]);
    for (const member of members) for (const other of open) if (takesFrom(member, other)) members.add(other);
    for (const member of members) open.delete(member);
    const ordered = workflows.filter((each) => members.has(each));
    const group = { leader: ordered.find(isStarted) ?? first, members: ordered };
    for (const member of ordered) groups.set(member, group);
  }
  return groups;
}

const takesFrom = (a: Workflow, b: Workflow): boolean =>
  receivedBy(a).some((event) => receivedBy(b).some((other) => overlaps(event, other)));

const isStarted = ({ start }: Workflow): boolean => (start.on ?? []).length > 0;

/** Those of the workflows of a group that events start, in the order in which an event starts them. */
export const startedIn = (members: readonly Workflow[]): readonly Workflow[] => members.filter(isStarted);

/** What the functions of a group have the ARN of the machine in that is the n-th of those that events start. */
export const machineVariable = (n: number): string => (n === 0 ? "STATE_MACHINE_ARN" : `STATE_MACHINE_ARN_${n + 1}`);

/** Whether an event may be of both definitions. */
const overlaps = (a: EventDefinition, b: EventDefinition): boolean =>
  (["type", "source", "subject"] as const).every((attribute) => {
    const [one, two] = [a[attribute], b[attribute]];
    const isFolded = a.foldCase === true || b.foldCase === true;
    if (one === undefined || two === undefined) return true;
    return isFolded ? one.toLowerCase() === two.toLowerCase() : one === two;
  });

/** What correlates events is computed for each that comes, before there is a run that could fail. */
function checkCorrelation(expression: Expression, span: Span, name: string, report: Report): void {
  const hint = "It is computed for each event that comes, before it is known for which run.";
  const construct = `what correlates \`${truncate(name)}\` and may fail`;
  if (canFail(simplify(expression))) report(messages.aslInexact(expression.span ?? span, { construct, hint }));
}

/** Expressions over events are computed by the function that matches them. */
function checkLook(expression: Expression, span: Span, what: string, report: Report): void {
  const program = compileJavaScript(simplify(expression));
  if (isRefusal(program))
    report(messages.aslInexact(expression.span ?? span, { construct: what, hint: program.refused }));
}

/** A wait ends when its last alternative is given up: after whole seconds, or at once. */
function checkTimes({ alternatives, origin: { noun, name }, span }: Receive, report: Report): void {
  const last = Math.max(...alternatives.map(({ within }) => within ?? Number.POSITIVE_INFINITY));
  const what = `the timeout of ${noun} \`${truncate(name)}\``;
  if (last === Number.POSITIVE_INFINITY) return;
  if (!Number.isInteger(last)) report(messages.aslSeconds(span, { what, seconds: last }));
  else if (last > longest) report(messages.aslRange(span, { what, seconds: last, least: 0, most: longest }));
}
