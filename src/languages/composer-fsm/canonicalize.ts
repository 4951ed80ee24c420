import { unreachableStep } from "../../diagnostics/flow.ts";
import type { CopyOrigin, Document } from "../../documents/index.ts";
import { isObject, type Json, type JsonObject, own, setOwn } from "../../json.ts";
import type { Report } from "../../text/diagnostics.ts";
import { nearestName } from "../../text/messages.ts";

/** Removes unreachable states with a warning, since Composer never validates them. Keeps all if a name is unknown. */
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
    else report(unreachableStep(document.spanOf(states, name, "key"), { noun: "state", name }));
  }
  const whole = { ...value, States: kept };
  const origins = new Map<object, CopyOrigin>([
    [whole, { of: value }],
    [kept, { of: states }],
  ]);
  return document.withValue(whole, origins);
}

function reachableStates(entry: Json | undefined, states: JsonObject): ReadonlySet<string> | undefined {
  const reached = new Set<string>();
  const pending = [entry];
  while (pending.length > 0) {
    const name = pending.pop();
    if (typeof name !== "string" || !Object.hasOwn(states, name)) return undefined;
    if (reached.has(name)) continue;
    reached.add(name);
    const state = own(states, name);
    if (isObject(state))
      pending.push(...targets.flatMap((key) => own(state, key) ?? []), ...misspeltTargets(state, states));
  }
  return reached;
}

const targets = ["Next", "Then", "Else", "Handler"] as const;

/** The states that a misspelt property names; the schema reports its name. */
const misspeltTargets = (state: JsonObject, states: JsonObject): readonly string[] =>
  Object.entries(state).flatMap(([key, name]) =>
    typeof name === "string" && Object.hasOwn(states, name) && nearestName(key, targets) !== undefined ? [name] : [],
  );
