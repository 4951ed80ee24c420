import { effectsOf } from "../../src/expressions/index.ts";
import { patternsOf, stepsOf } from "../../src/ir/walk.ts";
import type { Receive, Workflow } from "../../src/ir/workflow.ts";

/**
 * Whether runs always have a correlation value and wait only for events with it, so that events can be routed by value.
 */
export function isSharded(workflow: Workflow): boolean {
  const waits = stepsOf(workflow).filter((step): step is Receive => step.kind === "receive");
  const alternatives = [...waits.flatMap((step) => step.alternatives), ...(workflow.start.on ?? [])];
  const names = new Set(patternsOf(alternatives).map(({ event }) => event.name));
  const events = workflow.events.filter(({ name }) => names.has(name));
  return events.length > 0 && events.every(({ correlation }) => correlation) && isAlwaysCorrelated(workflow);
}

/** Whether waits may have to match a correlation value that the run has initially. */
export const isCorrelated = (workflow: Workflow): boolean =>
  workflow.correlation !== undefined && workflow.events.some(({ correlation }) => correlation !== undefined);

/** Whether every called run has a correlation value initially. */
export function isAlwaysCorrelated({ correlation }: Workflow): boolean {
  const type = correlation && effectsOf(correlation).type;
  return type !== undefined && type !== "null";
}

/** Whether a received event can set or change the run's correlation value. */
export const receivesToken = (workflow: Workflow): boolean =>
  (!isAlwaysCorrelated(workflow) || (workflow.start.on ?? []).length > 0) &&
  workflow.events.some(({ correlation }) => correlation !== undefined);

/** The names of events that carry the correlation value of the run that emits them. */
export const correlatedEvents = ({ events }: Workflow): ReadonlySet<string> =>
  new Set(events.filter(({ correlationAttribute }) => correlationAttribute !== undefined).map(({ name }) => name));

/** Whether emitted events carry a correlation value that received events set. */
export function emitsReceivedToken(workflow: Workflow): boolean {
  const names = correlatedEvents(workflow);
  return (
    receivesToken(workflow) &&
    stepsOf(workflow).some((step) => step.kind === "emit" && names.has(step.event.name)) &&
    stepsOf(workflow).some(({ kind }) => kind === "receive")
  );
}

/** Whether a workflow waits for events, or is started by them. */
export const receives = (workflow: Workflow): boolean =>
  (workflow.start.on ?? []).length > 0 || stepsOf(workflow).some(({ kind }) => kind === "receive");
