import type { Json, JsonObject } from "../json.ts";
import { patternsOf, stepsOf } from "./walk.ts";
import type { EventDefinition, Workflow } from "./workflow.ts";

/** The definitions of the events that a workflow waits for, or is started by. */
export function receivedBy(workflow: Workflow): readonly EventDefinition[] {
  const waits = stepsOf(workflow).flatMap((step) => (step.kind === "receive" ? step.alternatives : []));
  const names = new Set(patternsOf([...waits, ...(workflow.start.on ?? [])]).map(({ event }) => event.name));
  return workflow.events.filter(({ name }) => names.has(name));
}

/**
 * Which events of a bus a definition may mean, be they such events themselves or have one in their `detail`. The function that is called looks more
 * closely.
 */
export function patternOf({ type, source, subject, foldCase }: EventDefinition): JsonObject {
  const same = (text: string | undefined): readonly [Json] | undefined =>
    text === undefined ? undefined : [matchOf(text, foldCase === true)];
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

/** A text of an event; of one that CloudFormation would look up only what stands before that. */
function matchOf(text: string, foldCase: boolean): Json {
  const at = text.indexOf("{{resolve:");
  const start = at < 0 ? text : text.slice(0, at);
  const wanted: Json = foldCase ? { "equals-ignore-case": start } : start;
  return at < 0 ? wanted : { prefix: wanted };
}
