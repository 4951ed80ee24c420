import { isObject } from "../../json.ts";
import { type ReadContext, spanOf } from "../shared/properties.ts";
import { assignedIn } from "./assignments.ts";
import type { StatesOwner } from "./context.ts";
import { badVariable } from "./diagnostics/kinds.ts";
import { edgesOf, innerOwners } from "./graph.ts";
import { memberName } from "./template-keys.ts";

/** Reports variables that cannot be assigned, in a scope and those inside it. */
export function checkVariables(owner: StatesOwner, outer: ReadonlySet<string>, reading: ReadContext): void {
  const known = new Set([...outer, ...assignedIn(owner)]);
  for (const state of Object.values(owner.States)) {
    const owners = new Set<object>([state, ...edgesOf(state).map((edge) => edge.owner)]);
    for (const each of owners) checkAssign(each, outer, reading);
    for (const inner of innerOwners(state)) checkVariables(inner, known, reading);
  }
}

function checkAssign(owner: object, outer: ReadonlySet<string>, reading: ReadContext): void {
  const variables: unknown = "Assign" in owner ? owner.Assign : undefined;
  if (!isObject(variables)) return;
  for (const key of Object.keys(variables)) {
    const name = memberName(key);
    const reason = faultOf(name, outer);
    if (reason !== undefined) reading.report(badVariable(spanOf(reading, variables, key, "key"), { name, reason }));
  }
}

function faultOf(name: string, outer: ReadonlySet<string>): string | undefined {
  if (name === "states") return "it is the name of the input and context in JSONata";
  if (!/^[\p{L}_][\p{L}\p{N}_]*$/u.test(name)) return "it is no identifier";
  if (name.length > 80) return "it has more than 80 characters";
  return outer.has(name) ? "states around this scope assign it too" : undefined;
}
