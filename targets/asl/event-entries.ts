import {
  type EventAttributes,
  emittedAttributes,
  eventBridgePattern,
  receivedEvents,
} from "../../src/ir/event-patterns.ts";
import { stepsOf } from "../../src/ir/walk.ts";
import type { EventDefinition, Workflow } from "../../src/ir/workflow.ts";
import type { Report } from "../../src/text/diagnostics.ts";
import { truncate } from "../../src/text/messages.ts";
import { aslInexact } from "./diagnostics/kinds.ts";

/** EventBridge's limits on a request to put events, and on the pattern of a rule. */
export const eventBridgeLimits = {
  entries: 10,
  /** The size of a request must be less. */
  bytes: 1024 * 1024,
  /** In characters. */
  detailType: 128,
  /** In characters; the default of a quota. */
  pattern: 2048,
} as const;

/** Sources that only services of AWS may use begin so. */
export const reservedSource = "aws.";

/** Reports events that EventBridge does not accept, and definitions whose rule it does not accept. */
export function checkEventEntries(workflow: Workflow, report: Report): void {
  for (const step of stepsOf(workflow)) {
    if (step.kind !== "emit") continue;
    const { type, source, computed } = emittedAttributes(step, workflow);
    const known = {
      type: computed.has("type") ? undefined : type,
      source: computed.has("source") ? undefined : source,
    };
    const fault = faultOf(known);
    if (fault) report(aslInexact(step.event.span, fault));
  }
  for (const event of receivedEvents(workflow)) checkPattern(event, report);
}

type Fault = Parameters<typeof aslInexact>[1];

/** Computed types and sources are undefined. */
function faultOf({ type, source }: Pick<EventAttributes, "type" | "source">): Fault | undefined {
  if (type === "" || source === "")
    return { construct: "an event whose type or source is empty", hint: "EventBridge requires both." };
  if (type !== undefined && type.length > eventBridgeLimits.detailType)
    return {
      construct: `an event whose type has ${type.length} characters`,
      hint: `EventBridge accepts ${eventBridgeLimits.detailType} at most.`,
    };
  if (source?.startsWith(reservedSource))
    return {
      construct: `an event with the source \`${truncate(source)}\``,
      hint: `On EventBridge, only services of AWS may use sources that begin with \`${reservedSource}\`.`,
    };
  return undefined;
}

function checkPattern(event: EventDefinition, report: Report): void {
  const { length } = JSON.stringify(eventBridgePattern(event));
  if (length <= eventBridgeLimits.pattern) return;
  const construct = `the event \`${truncate(event.name)}\`, whose pattern for EventBridge has ${length} characters`;
  const hint = `EventBridge accepts ${eventBridgeLimits.pattern} at most: shorten the type, the source or the subject.`;
  report(aslInexact(event.span, { construct, hint }));
}
