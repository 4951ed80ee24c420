import type { Json } from "../../json.ts";

/** `instant(x)`: the ISO 8601 text of seconds since 1970, rounded down to milliseconds; null outside the years 0 to 9999. */
export function instantText(seconds: Json): string | null {
  if (typeof seconds !== "number") return null;
  const milliseconds = Math.floor(seconds * 1000);
  const isKnown = milliseconds >= -62167219200000 && milliseconds <= 253402300799999;
  return isKnown ? new Date(milliseconds).toISOString() : null;
}
