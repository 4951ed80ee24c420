import type { Document } from "../../documents/index.ts";
import { isObject, type Json, type JsonObject, own } from "../../json.ts";
import { applyChanges, type Change, type ChangeMap } from "../../schema/changes.ts";
import type { Report } from "../../text/diagnostics.ts";
import { amongStates } from "./diagnostics/kinds.ts";

/**
 * Moves fields that are written among the states, such as `QueryLanguage`, to the machine or the branch around them, with
 * an error: the states are then checked in the language that is meant.
 */
export function canonicalize(document: Document, report: Report): Document {
  const changes: ChangeMap = new Map();
  collect(document.value, machineFields, changes, (states, field) =>
    report(amongStates(document.spanOf(states, field, "key"), { field })),
  );
  return changes.size === 0 ? document : applyChanges(document, changes);
}

const scopeFields: readonly string[] = ["Comment", "StartAt"];
const machineFields: readonly string[] = [...scopeFields, "QueryLanguage", "TimeoutSeconds", "Version"];

function collect(
  owner: Json,
  allowed: readonly string[],
  changes: ChangeMap,
  onFound: (states: JsonObject, field: string) => void,
): void {
  const states = isObject(owner) ? own(owner, "States") : undefined;
  if (!isObject(owner) || !isObject(states)) return;
  const among = machineFields.filter((field) => isScalar(own(states, field)));
  for (const field of among) onFound(states, field);
  const moved = among.filter((field) => allowed.includes(field) && !Object.hasOwn(owner, field));
  if (among.length > 0) changes.set(states, new Map(among.map((field): [string, Change] => [field, { kind: "drop" }])));
  if (moved.length > 0)
    changes.set(owner, new Map(moved.map((name): [string, Change] => [name, { kind: "move", owner: states, name }])));
  for (const state of Object.values(states)) {
    if (!isObject(state)) continue;
    const inner = ["Branches", "ItemProcessor", "Iterator"].flatMap((key) => [own(state, key) ?? []].flat());
    for (const scope of inner as readonly Json[]) collect(scope, scopeFields, changes, onFound);
  }
}

const isScalar = (value: Json | undefined): boolean =>
  value !== undefined && (value === null || typeof value !== "object");
