import { canFail, compileJavaScript, type Expression, isRefusal, simplify } from "../../src/expressions/index.ts";
import { describeObstacle, partitionObstacle, spanOfObstacle } from "../../src/ir/correlation.ts";
import { awaitedEvents, mayMatchSameEvent, receivedEvents } from "../../src/ir/event-patterns.ts";
import { startsOnEvents } from "../../src/ir/starts.ts";
import { patternsOf, stepsOf } from "../../src/ir/walk.ts";
import type { Receive, Workflow } from "../../src/ir/workflow.ts";
import type { Report } from "../../src/text/diagnostics.ts";
import { truncate } from "../../src/text/messages.ts";
import type { Span } from "../../src/text/source.ts";
import { receives } from "./correlation.ts";
import * as messages from "./diagnostics/kinds.ts";

const maxTimeoutSeconds = 99_999_999;

/** Reports waits and event triggers that have no exact form. */
export function checkEvents(workflow: Workflow, report: Report): void {
  if (!receives(workflow)) return;
  const waits = stepsOf(workflow).filter((step): step is Receive => step.kind === "receive");
  for (const step of waits) {
    checkTimeout(step, report);
    for (const { when } of patternsOf(step.alternatives))
      if (when) checkEventExpression(when, step.span, "a condition on an event", report);
  }
  for (const { name, correlation, span } of workflow.events)
    if (correlation) {
      checkEventExpression(correlation, span, `the correlation of \`${truncate(name)}\``, report);
      checkCorrelation(correlation, span, name, report);
    }
}

/** Reports groups whose events cannot be partitioned, if their runs wait for some. */
export function checkPartitions(workflows: readonly Workflow[], report: Report): void {
  for (const { members } of new Set(eventGroups(workflows).values())) {
    const obstacle = members.some((each) => awaitedEvents(each).length > 0) ? partitionObstacle(members) : undefined;
    if (!obstacle) continue;
    const ids = members.map(({ id }) => id);
    report(messages.aslOnePartition(spanOfObstacle(obstacle), { ids, why: describeObstacle(obstacle) }));
  }
}

/** Workflows that receive the same events; one run among theirs consumes an event. */
export interface EventGroup {
  /** The workflow whose function receives the events: the first that they start, if any. */
  readonly leader: Workflow;
  readonly members: readonly Workflow[];
}

/** The group of each workflow that receives events. */
export function eventGroups(workflows: readonly Workflow[]): ReadonlyMap<Workflow, EventGroup> {
  const groups = new Map<Workflow, EventGroup>();
  const open = new Set(workflows.filter(receives));
  for (const first of open) {
    const members = new Set([first]);
    for (const member of members) for (const other of open) if (sharesEvents(member, other)) members.add(other);
    for (const member of members) open.delete(member);
    const ordered = workflows.filter((each) => members.has(each));
    const group = { leader: ordered.find(startsOnEvents) ?? first, members: ordered };
    for (const member of ordered) groups.set(member, group);
  }
  return groups;
}

const sharesEvents = (a: Workflow, b: Workflow): boolean =>
  receivedEvents(a).some((event) => receivedEvents(b).some((other) => mayMatchSameEvent(event, other)));

/** The workflows of a group that events start, in starting order. */
export const startedWorkflows = (members: readonly Workflow[]): readonly Workflow[] => members.filter(startsOnEvents);

/** The environment variable with the ARN of the n-th machine that events start. */
export const machineVariable = (n: number): string => (n === 0 ? "STATE_MACHINE_ARN" : `STATE_MACHINE_ARN_${n + 1}`);

/** Correlation is evaluated for each event, before there is a run that could fail. */
function checkCorrelation(expression: Expression, span: Span, name: string, report: Report): void {
  const hint = "Use an expression that cannot fail: it is evaluated for each event, before its run is known.";
  const construct = `the correlation of \`${truncate(name)}\`, which may fail`;
  if (canFail(simplify(expression))) report(messages.aslInexact(expression.span ?? span, { construct, hint }));
}

function checkEventExpression(expression: Expression, span: Span, what: string, report: Report): void {
  const program = compileJavaScript(simplify(expression));
  if (isRefusal(program))
    report(messages.aslInexact(expression.span ?? span, { construct: what, hint: program.refused }));
}

/** A wait ends with its last alternative: after whole seconds, or at once. */
function checkTimeout({ alternatives, origin: { noun, name }, span }: Receive, report: Report): void {
  const last = Math.max(...alternatives.map(({ within }) => within ?? Number.POSITIVE_INFINITY));
  const what = `the timeout of ${noun} \`${truncate(name)}\``;
  if (last === Number.POSITIVE_INFINITY) return;
  if (!Number.isInteger(last)) report(messages.aslSeconds(span, { what, seconds: last }));
  else if (last > maxTimeoutSeconds)
    report(messages.aslRange(span, { what, seconds: last, least: 0, most: maxTimeoutSeconds }));
}
