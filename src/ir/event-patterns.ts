import type { Json, JsonObject } from "../json.ts";
import { patternsOf, stepsOf } from "./walk.ts";
import type { EventDefinition, Workflow } from "./workflow.ts";

/** The events that a workflow receives. */
export function receivedEvents(workflow: Workflow): readonly EventDefinition[] {
  const waits = stepsOf(workflow).flatMap((step) => (step.kind === "receive" ? step.alternatives : []));
  const names = new Set(patternsOf([...waits, ...(workflow.start.on ?? [])]).map(({ event }) => event.name));
  return workflow.events.filter(({ name }) => names.has(name));
}

/** An Amazon EventBridge pattern for events, either as bus events or as CloudEvents in `detail`. It may match more. */
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

/** CloudFormation would resolve dynamic references. */
function matchString(text: string, foldCase: boolean): Json {
  const at = text.indexOf("{{resolve:");
  const start = at < 0 ? text : text.slice(0, at);
  const wanted: Json = foldCase ? { "equals-ignore-case": start } : start;
  return at < 0 ? wanted : { prefix: wanted };
}
