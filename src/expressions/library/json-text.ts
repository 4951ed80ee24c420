import type { Json } from "../../json.ts";

/** `tojson`: a value as compact JSON, as jq writes it. */
export function toJson(input: Json): string {
  if (typeof input === "number") return numberText(input);
  if (typeof input === "string") return quoted(input);
  if (typeof input !== "object" || input === null) return String(input);
  if (Array.isArray(input)) return `[${(input as readonly Json[]).map((item) => toJson(item)).join(",")}]`;
  const members = input as { readonly [key: string]: Json };
  return `{${Object.keys(members)
    .map((key) => `${quoted(key)}:${toJson(members[key]!)}`)
    .join(",")}}`;
}

/** `tostring`: a string as it is, anything else as compact JSON. */
export function toText(input: Json): string {
  return typeof input === "string" ? input : toJson(input);
}

/** A number as jq writes it: the fewest digits that read as the same double; nan as null, an infinity as the largest double. */
export function numberText(value: number): string {
  const size = Math.abs(value);
  if (size >= 0.0001 && size < 1e16) return String(value);
  if (size === 0) return 1 / value < 0 ? "-0" : "0";
  if (Number.isNaN(value)) return "null";
  const [mantissa, exponent] = (size === Infinity ? Number.MAX_VALUE : size).toExponential().split("e") as [string, string];
  return (value < 0 ? "-" : "") + placedDigits(mantissa.replace(".", ""), Number(exponent) + 1);
}

/** Digits with the decimal point after the first `point` of them; with an exponent where many zeros would be needed. */
function placedDigits(digits: string, point: number): string {
  if (point > -4 && point <= digits.length + 15) return digits.padEnd(point, "0");
  const exponent = Math.abs(point - 1);
  const fraction = digits.length > 1 ? `.${digits.slice(1)}` : "";
  return `${digits[0]}${fraction}e${point < 1 ? "-" : "+"}${exponent < 10 ? "0" : ""}${exponent}`;
}

/** A string in quotes: as JSON, with U+007F escaped too. */
export function quoted(text: string): string {
  return JSON.stringify(text).replace(/\x7f/g, "\\u007f");
}

/** A value as jq puts it into messages: its JSON, cut to 29 bytes of UTF-8. */
export function excerpt(value: Json): string {
  const text = toJson(value);
  if (text.length < 30 && byteCount(text) < 30) return text;
  const end = typeof value === "string" ? '"' : Array.isArray(value) ? "]" : typeof value === "object" && value !== null ? "}" : "";
  let start = "";
  let size = 26 - end.length;
  for (const character of text) {
    size -= byteCount(character);
    if (size < 0) break;
    start += character;
  }
  return `${start}...${end}`;
}

/** How many bytes a text has in UTF-8. */
export function byteCount(text: string): number {
  let count = text.length;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    if (unit > 0x7f) count += unit > 0x7ff && (unit & 0xf800) !== 0xd800 ? 2 : 1;
  }
  return count;
}
