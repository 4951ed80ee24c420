import type { CloudEvent, EmitOptions } from "../events.ts";
import type { Json } from "../json.ts";
import { definitionOf, isScalar } from "../rules.ts";
import { outcomeOf } from "./activities.ts";
import { act, type Context, keyOf } from "./context.ts";

/** Emits an event of a definition, with its correlation value or else the run's in the definition's attribute. */
export function emit(
  context: Context,
  name: string,
  eventName: string,
  data: Json,
  { attributes, correlation }: EmitOptions = {},
): Promise<void> {
  const { host, run, signal } = context;
  act(context, name);
  const key = keyOf(context, name);
  const { type, source, subject, correlationAttribute } = definitionOf(eventName, run.workflow);
  const event: { [attribute: string]: Json | undefined } & CloudEvent = {
    specversion: "1.0",
    id: `${host.runId}/${key}`,
    source: source ?? `/waybill/${run.workflow.id}`,
    type: type ?? eventName,
    ...(subject === undefined ? {} : { subject }),
    time: new Date(host.now()).toISOString(),
    datacontenttype: "application/json",
    ...attributes,
  };
  const value = isScalar(correlation) ? correlation : run.value;
  if (correlationAttribute !== undefined && value !== undefined) event[correlationAttribute] = value;
  return outcomeOf(context, host.emit(key, { ...event, data }, signal));
}
