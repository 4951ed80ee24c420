import { arrive, type Collected, type Starting } from "../../../../src/matching/index.ts";
import type { CloudEvent } from "../events.ts";
import type { AnyWorkflow } from "../workflow.ts";
import { matcherOf } from "./matching.ts";
import { isActive } from "./window.ts";

/** What comes of an event that arrives: `collected` are those that came before and started nothing yet. */
export function startedBy(
  workflow: AnyWorkflow,
  collected: readonly Collected<CloudEvent>[],
  event: CloudEvent,
  now: number,
): Starting<CloudEvent> {
  const { on = [], complete, gap, window } = workflow.start ?? {};
  if (window && !isActive(window, now)) return { collected };
  return arrive({ on, complete, gap }, collected, event, now, matcherOf(workflow));
}
