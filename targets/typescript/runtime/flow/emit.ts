import type { CloudEvent } from "../events.ts";
import type { Json } from "../json.ts";
import { outcomeOf } from "./activities.ts";
import { act, type Context, keyOf } from "./context.ts";
import { definitionOf } from "./matching.ts";

/** Produces an event, with the run's correlation value where its definition has an attribute for it. */
export function emit(
  context: Context,
  name: string,
  eventName: string,
  data: Json,
  attributes: { readonly [name: string]: string } | undefined,
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
  if (correlationAttribute !== undefined && run.inbox.token !== undefined)
    event[correlationAttribute] = run.inbox.token;
  return outcomeOf(context, host.emit(key, { ...event, data }, signal));
}
