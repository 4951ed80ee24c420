import type { Json } from "../../../json.ts";
import { placeJson } from "../../builtins/dialect/data.ts";
import { raise } from "../../library/failure.ts";
import { hasKey, isList, isRecord } from "../../library/types.ts";

/** What a name selects in a node (JSONPath); undefined: nothing. */
export function memberOf(node: Json | undefined, name: string): Json | undefined {
  return node !== undefined && isRecord(node) && hasKey(node, name) ? node[name] : undefined;
}

/** What an index selects in a node; undefined: nothing. */
export function elementOf(node: Json | undefined, index: number): Json | undefined {
  return isList(node) ? node[index < 0 ? node.length + index : index] : undefined;
}

/** What a slice selects in a node, in the order of its step. */
export function sliced(node: Json, start: number | null, end: number | null, step: number): Json[] {
  const found: Json[] = [];
  if (!isList(node)) return found;
  const size = node.length;
  const clamped = (bound: number, low: number, high: number) =>
    Math.min(Math.max(bound < 0 ? size + bound : bound, low), high);
  if (step > 0) {
    const to = clamped(end === null ? size : end, 0, size);
    for (let i = clamped(start === null ? 0 : start, 0, size); i < to; i += step) found.push(node[i]!);
  } else if (step < 0) {
    const to = end === null ? -1 : clamped(end, -1, size - 1);
    for (let i = clamped(start === null ? size - 1 : start, -1, size - 1); i > to; i += step) found.push(node[i]!);
  }
  return found;
}

/** What a query gave, as the list of it: nothing, or the one value. */
export const present = (value: Json | undefined): Json[] => (value === undefined ? [] : [value]);

/** A value that must be defined: raises `failure` if it is undefined. */
export const required = (value: Json | undefined, failure: Json): Json =>
  value === undefined ? raise(failure) : value;

/** A value, or another one if it is undefined. */
export const withDefault = (value: Json | undefined, fallback: Json | undefined): Json | undefined =>
  value === undefined ? fallback : value;

/** Sets a member of `target` to the same member of `value`, or to `value` itself if it lacks one. */
export function assignMember(target: Json, name: string, value: Json): Json {
  const member = memberOf(value, name);
  return placeJson(target, [name], member === undefined ? value : member);
}

/** Whether a first output is missing, null, or empty. */
export function isBlank(value: Json | undefined): boolean {
  if (value === undefined || value === null || value === "") return true;
  return typeof value === "object" && Object.keys(value).length === 0;
}
