import { startsOnEvents } from "../../src/ir/starts.ts";
import type { Workflow } from "../../src/ir/workflow.ts";
import { own } from "../../src/json.ts";
import type { TargetSettings } from "../../src/target/contract.ts";

/** Whether only events start executions of a workflow: the setting `start: events`. */
export const startsOnlyByEvents = (workflow: Workflow, { values }: TargetSettings): boolean =>
  own(values, "start") === "events" && startsOnEvents(workflow);
