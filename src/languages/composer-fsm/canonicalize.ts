import { unreachable } from "../../diagnostics/flow.ts";
import type { Document, Origin } from "../../documents/index.ts";
import { isObject, type Json, type JsonObject, own, setOwn } from "../../json.ts";
import type { Report } from "../../text/diagnostics.ts";

/**
 * A definition without the states that no way leads to, whatever they say: Composer never looks at them. Each is told. The one that `Exit` names stays. Where a name leads nowhere, that may be why,
 * and all stay.
 */
export function removeUnreachable(document: Document, report: Report): Document {
  const { value } = document;
  const states = isObject(value) ? own(value, "States") : undefined;
  if (!isObject(value) || !isObject(states)) return document;
  const reached = reachableStates(own(value, "Entry"), states);
  const exit = own(value, "Exit");
  const names = Object.keys(states);
  if (!reached || reached.size === names.length) return document;
  const kept: { [name: string]: Json } = {};
  for (const name of names) {
    if (reached.has(name) || name === exit) setOwn(kept, name, states[name]!);
    else report(unreachable(document.spanOf(states, name, "key"), { noun: "state", name }));
  }
  const whole = { ...value, States: kept };
  const origins = new Map<object, Origin>([
    [whole, { of: value }],
    [kept, { of: states }],
  ]);
  return document.with(whole, origins);
}

/** The states that ways lead to; undefined where a name leads nowhere. */
function reachableStates(entry: Json | undefined, states: JsonObject): ReadonlySet<string> | undefined {
  const reached = new Set<string>();
  const pending = [entry];
  while (pending.length > 0) {
    const name = pending.pop();
    if (typeof name !== "string" || !Object.hasOwn(states, name)) return undefined;
    if (reached.has(name)) continue;
    reached.add(name);
    const state = own(states, name);
    if (isObject(state)) pending.push(...targets.flatMap((key) => own(state, key) ?? []));
  }
  return reached;
}

const targets = ["Next", "Then", "Else", "Handler"] as const;
