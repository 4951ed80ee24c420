import type { Json, JsonObject } from "../json.ts";
import { patternsOf, stepsOf } from "./walk.ts";
import type { EventDefinition, Workflow } from "./workflow.ts";

/** The definitions of the events that a workflow waits for or is started by. */
export function receivedEvents(workflow: Workflow): readonly EventDefinition[] {
  const waits = stepsOf(workflow).flatMap((step) => (step.kind === "receive" ? step.alternatives : []));
  const names = new Set(patternsOf([...waits, ...(workflow.start.on ?? [])]).map(({ event }) => event.name));
  return workflow.events.filter(({ name }) => names.has(name));
}

/**
 * An Amazon EventBridge pattern for the events of a definition, either as bus events or as CloudEvents in `detail`. It may
 * match more; the function that it calls matches exactly.
 */
export function eventBridgePattern({ type, source, subject, foldCase }: EventDefinition): JsonObject {
  const same = (text: string | undefined): readonly [Json] | undefined =>
    text === undefined ? undefined : [matchString(text, foldCase === true)];
  const plain = {
    ...(source !== undefined && { source: same(source)! }),
    ...(type !== undefined && { "detail-type": same(type)! }),
  };
  const detail = {
    specversion: [{ exists: true }],
    ...(type !== undefined && { type: same(type)! }),
    ...(source !== undefined && { source: same(source)! }),
    ...(subject !== undefined && { subject: same(subject)! }),
  };
  if (subject !== undefined) return { detail };
  if (type === undefined && source === undefined) return { source: [{ prefix: "" }] };
  return { $or: [plain, { detail }] };
}

/** Matches only the part before a dynamic reference, which CloudFormation would resolve. */
function matchString(text: string, foldCase: boolean): Json {
  const at = text.indexOf("{{resolve:");
  const start = at < 0 ? text : text.slice(0, at);
  const wanted: Json = foldCase ? { "equals-ignore-case": start } : start;
  return at < 0 ? wanted : { prefix: wanted };
}
