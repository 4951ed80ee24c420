import { isAlwaysCorrelated } from "../../src/ir/correlation.ts";
import { startsOnEvents } from "../../src/ir/starts.ts";
import { stepsOf } from "../../src/ir/walk.ts";
import type { Workflow } from "../../src/ir/workflow.ts";

/** Whether waits may have to match a correlation value that the run has initially. */
export const isCorrelated = (workflow: Workflow): boolean =>
  workflow.correlation !== undefined && workflow.events.some(({ correlation }) => correlation !== undefined);

/** Whether a received event can set or change the run's correlation value. */
export const receivesToken = (workflow: Workflow): boolean =>
  workflow.events.some(({ correlation }) => correlation !== undefined) &&
  (!isAlwaysCorrelated(workflow) ||
    startsOnEvents(workflow) ||
    stepsOf(workflow).some((step) => step.kind === "receive" && step.correlation !== undefined));

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
  startsOnEvents(workflow) || stepsOf(workflow).some(({ kind }) => kind === "receive");
