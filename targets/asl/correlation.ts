import { effectsOf } from "../../src/expressions/index.ts";
import { patternsOf, stepsOf } from "../../src/ir/walk.ts";
import type { Receive, Workflow } from "../../src/ir/workflow.ts";

/** Whether a run has its correlation value from its beginning on, and waits for events with it only: then those of other values are none of its business. */
export function isSharded(workflow: Workflow): boolean {
  const waits = stepsOf(workflow).filter((step): step is Receive => step.kind === "receive");
  const alternatives = [...waits.flatMap((step) => step.alternatives), ...(workflow.start.on ?? [])];
  const names = new Set(patternsOf(alternatives).map(({ event }) => event.name));
  const events = workflow.events.filter(({ name }) => names.has(name));
  return events.length > 0 && events.every(({ correlation }) => correlation) && isAlwaysCorrelated(workflow);
}

/** Whether a run may know a correlation value that an event that it waits for has to have, other than by events that it has received. */
export const isCorrelated = (workflow: Workflow): boolean =>
  workflow.correlation !== undefined && workflow.events.some(({ correlation }) => correlation !== undefined);

/** Whether every run that is called has a correlation value from its beginning on. */
export function isAlwaysCorrelated({ correlation }: Workflow): boolean {
  const type = correlation && effectsOf(correlation).type;
  return type !== undefined && type !== "null";
}

/** Whether an event that a run receives can give it its correlation value, or another than it was called with. */
export const receivesToken = (workflow: Workflow): boolean =>
  (!isAlwaysCorrelated(workflow) || (workflow.start.on ?? []).length > 0) &&
  workflow.events.some(({ correlation }) => correlation !== undefined);

/** The names of the events that carry the correlation value of the run that emits them. */
export const correlatedEvents = ({ events }: Workflow): ReadonlySet<string> =>
  new Set(events.filter(({ correlationAttribute }) => correlationAttribute !== undefined).map(({ name }) => name));

/** Whether events that a workflow emits carry a correlation value that events give it. */
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
