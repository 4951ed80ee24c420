import type { Emit } from "../ir/workflow.ts";
import { type Json, setOwn } from "../json.ts";
import { type Context, compute } from "./context.ts";
import { definitionOf } from "./matching.ts";

/** Produces an event as a CloudEvent in structured mode, with the run's correlation value where its definition has an attribute for it. */
export function emit(step: Emit, context: Context): void {
  const { run } = context;
  const { name, type, source, subject, correlationAttribute } = definitionOf(step, run.workflow);
  run.emitted.count += 1;
  const event: { [key: string]: Json } = {
    specversion: "1.0",
    id: `${run.world.runId}-${run.emitted.count}`,
    source: source ?? `/waybill/${run.workflow.id}`,
    type: type ?? name,
    ...(subject === undefined ? {} : { subject }),
    time: new Date(run.world.now()).toISOString(),
    datacontenttype: "application/json",
    ...step.attributes,
  };
  if (correlationAttribute !== undefined && run.token !== undefined) setOwn(event, correlationAttribute, run.token);
  run.world.emit({ ...event, data: compute(step.data, context) });
}
