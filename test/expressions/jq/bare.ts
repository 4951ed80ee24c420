import type { Jq } from "../../../src/expressions/syntax/jq/syntax.ts";

const places: readonly string[] = ["start", "end", "line"];

/** A tree as a string without positions. */
export const bare = (query: Jq): string => JSON.stringify(query, (_, value: unknown) => withoutPlaces(value), 1);

function withoutPlaces(value: unknown): unknown {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  const members = Object.entries(value).filter(([name]) => !places.includes(name));
  return Object.fromEntries(members.sort(([a], [b]) => (a < b ? -1 : 1)));
}
