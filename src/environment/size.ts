import type { Json } from "../json.ts";

/**
 * Whether a value has more than `max` parts and characters. Values with shared substructure may be exponentially large,
 * so counting stops there.
 */
export function isLargerThan(value: Json, max: number): boolean {
  const open: Json[] = [value];
  let size = 0;
  for (let part = open.pop(); part !== undefined; part = open.pop()) {
    size += typeof part === "string" ? part.length + 1 : 1;
    if (size > max) return true;
    if (typeof part !== "object" || part === null) continue;
    if (Array.isArray(part)) for (const item of part) open.push(item as Json);
    else
      for (const [key, member] of Object.entries(part)) {
        size += key.length;
        open.push(member as Json);
      }
  }
  return false;
}
