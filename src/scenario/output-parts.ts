import { isObject, type Json, type JsonObject, own } from "../json.ts";
import type { Difference } from "./compare.ts";

/**
 * Whether a value is a path: names of members and indexes of arrays, separated by dots, perhaps after a dot. A single
 * dot is the output itself.
 */
export const isPath = (value: Json): value is string =>
  typeof value === "string" && (value === "." || partsOf(value).every((part) => part !== ""));

const partsOf = (path: string): readonly string[] => (path === "." ? [] : path.replace(/^\./, "").split("."));

/** The value at a path; undefined if the output lacks the path. */
function valueAt(output: Json | undefined, path: string): Json | undefined {
  let value = output;
  for (const part of partsOf(path)) {
    if (Array.isArray(value)) value = /^\d+$/.test(part) ? (value as readonly Json[])[Number(part)] : undefined;
    else value = isObject(value) ? own(value, part) : undefined;
  }
  return value;
}

/** The paths that an output lacks. */
export const missingParts = (paths: readonly string[] = [], output: Json | undefined): readonly Difference[] =>
  paths
    .filter((path) => valueAt(output, path) === undefined)
    .map((path) => ({ what: `outputHas.${shown(path)}`, expected: true, got: false }));

/** The paths at which an output has other values. */
export const wrongParts = (
  values: JsonObject = {},
  output: Json | undefined,
  isSame: (a: Json, b: Json) => boolean,
): readonly Difference[] =>
  Object.entries(values).flatMap(([path, expected]: [string, Json]) => {
    const got = valueAt(output, path);
    return got !== undefined && isSame(got, expected) ? [] : [{ what: `outputIs.${shown(path)}`, expected, got }];
  });

/** The paths at which an output has no array of the expected length. */
export const wrongItems = (
  lengths: ReadonlyMap<string, number> = new Map(),
  output: Json | undefined,
): readonly Difference[] =>
  [...lengths].flatMap(([path, expected]) => {
    const value = valueAt(output, path);
    const got = Array.isArray(value) ? value.length : value;
    return Array.isArray(value) && got === expected ? [] : [{ what: `items.${shown(path)}`, expected, got }];
  });

const shown = (path: string): string => path.replace(/^\.(?=.)/, "");
