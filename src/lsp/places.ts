import type { NamePlace, NamePlaces } from "../language.ts";
import type { DataPath } from "./schema.ts";

/** Finds the place of a key or value by its path. Languages may ignore the case of keys. */
export function placeOf<Kind extends string>(
  path: DataPath,
  at: NamePlace["at"],
  { places, dataKeys }: NamePlaces<Kind>,
): NamePlace<Kind> | undefined {
  const found = places.find((place) => place.at === at && matches(path, place.path));
  if (found?.path[0] !== "**") return found;
  const before = path.slice(0, path.length - found.path.length + 1);
  return before.some((key) => typeof key === "string" && dataKeys.includes(key)) ? undefined : found;
}

function matches(path: DataPath, pattern: readonly string[]): boolean {
  const isSuffix = pattern[0] === "**";
  const keys = isSuffix ? pattern.slice(1) : pattern;
  const first = path.length - keys.length;
  if (first < 0 || (first > 0 && !isSuffix)) return false;
  return keys.every((key, i) => key === "*" || String(path[first + i]).toLowerCase() === key.toLowerCase());
}
