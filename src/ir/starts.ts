import type { Json } from "../json.ts";
import type { Workflow } from "./workflow.ts";

/** Whether events start runs of a workflow. */
export const startsOnEvents = ({ start }: Workflow): boolean => (start.on ?? []).length > 0;

/**
 * The input of a run that is called, `{}` by default; undefined for a run that events start. A workflow that events
 * start is called only if an input is given: its run then waits for those events.
 */
export const inputOfRun = (workflow: Workflow, given: Json | undefined): Json | undefined =>
  given === undefined && !startsOnEvents(workflow) ? {} : given;
