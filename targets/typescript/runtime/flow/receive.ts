import type { Received, ReceiveOptions } from "../events.ts";
import type { WaitResult } from "../host.ts";
import type { Json } from "../json.ts";
import { isScalar, waitOf } from "../rules.ts";
import { outcomeOf } from "./activities.ts";
import { act, type Context, keyOf } from "./context.ts";

/** Waits for events, as the workflow's wait of this name says. */
export async function receive(context: Context, name: string, options: ReceiveOptions = {}): Promise<Received> {
  const { host, run } = context;
  act(context, name);
  const key = keyOf(context, name);
  const { variables = {}, correlation } = options;
  const values = correlation && correlationValues(correlation);
  const { subscription, workflow } = run;
  waitOf(workflow, name);
  const request = { subscription: subscription!, wait: name, variables, ...(values && { values }) };
  const { value, ...received } = currentForm(await outcomeOf(context, host.receive(key, request, context)));
  if (value !== undefined) run.value = value;
  return received;
}

/** Results that were recorded before there was a broker have another form. */
const currentForm = (result: WaitResult | { readonly received: Received; readonly token?: Json }): WaitResult =>
  "received" in result ? { ...result.received, value: result.token } : result;

/** The values that count; undefined if none does. */
function correlationValues(
  correlation: NonNullable<ReceiveOptions["correlation"]>,
): { readonly [key: string]: Json } | undefined {
  const values = Object.entries(correlation).flatMap(([key, value]) =>
    isScalar(value) ? [[key, value] as const] : [],
  );
  return values.length === 0 ? undefined : Object.fromEntries(values);
}
