import type { Json } from "../../json.ts";

/** `tojson`; omits values more than 10,000 levels deep. */
export function toJson(input: Json): string {
  if (!isSmall(input, { left: 1000 }, 0)) return jsonFrom(input, 0);
  const text = JSON.stringify(input);
  return text.includes("\x7f") ? jsonFrom(input, 0) : text;
}

/** Whether a value has few parts, and numbers that JavaScript prints as jq does. */
function isSmall(value: Json, parts: { left: number }, depth: number): boolean {
  if (typeof value === "number") return isPlain(Math.abs(value));
  if (typeof value !== "object" || value === null) return true;
  if (depth > 20) return false;
  if (Array.isArray(value)) {
    parts.left -= value.length;
    return parts.left >= 0 && (value as readonly Json[]).every((item) => isSmall(item, parts, depth + 1));
  }
  const members = value as { readonly [key: string]: Json };
  const names = Object.keys(members);
  parts.left -= names.length;
  return parts.left >= 0 && names.every((name) => isSmall(members[name]!, parts, depth + 1));
}

const isPlain = (size: number): boolean => (size >= 0.0001 && size < 1e16) || size === 0;

/** 500 levels at a time to save stack: U+0000 stands for deeper values. */
function jsonFrom(value: Json, depth: number): string {
  const later: Json[] = [];
  const text = jsonInside(value, depth, depth + 500, later);
  if (later.length === 0) return text;
  const pieces = text.split("\0");
  return later.reduce<string>((before, inner, i) => before + jsonFrom(inner, depth + 500) + pieces[i + 1]!, pieces[0]!);
}

function jsonInside(value: Json, depth: number, end: number, later: Json[]): string {
  if (depth > 10000) return "<skipped: too deep>";
  if (typeof value === "number") return numberText(value);
  if (typeof value === "string") return quoted(value);
  if (typeof value !== "object" || value === null) return String(value);
  if (depth >= end) {
    later.push(value);
    return "\0";
  }
  let text = "";
  if (Array.isArray(value)) {
    for (const item of value as readonly Json[])
      text += `${text === "" ? "" : ","}${jsonInside(item, depth + 1, end, later)}`;
    return `[${checkTextLength(text)}]`;
  }
  const members = value as { readonly [key: string]: Json };
  for (const key of Object.keys(members)) {
    text += `${text === "" ? "" : ","}${quoted(key)}:${jsonInside(members[key]!, depth + 1, end, later)}`;
  }
  return `{${checkTextLength(text)}}`;
}

/** The engine takes seconds to reach its own limit. */
function checkTextLength(text: string): string {
  if (text.length > 20000000) throw new RangeError("A text is too long.");
  return text;
}

/** `tostring`. */
export function toText(input: Json): string {
  return typeof input === "string" ? input : toJson(input);
}

/** A number as jq prints it: nan is null, infinity the largest double. The text of -0 is `0`, as in JSON of JavaScript. */
export function numberText(value: number): string {
  const size = Math.abs(value);
  if (isPlain(size)) return String(value);
  if (Number.isNaN(value)) return "null";
  const [mantissa, exponent] = (size === Infinity ? Number.MAX_VALUE : size).toExponential().split("e") as [
    string,
    string,
  ];
  return (value < 0 ? "-" : "") + placeDecimalPoint(mantissa.replace(".", ""), Number(exponent) + 1);
}

function placeDecimalPoint(digits: string, point: number): string {
  if (point > -4 && point <= digits.length + 15) return digits.padEnd(point, "0");
  const exponent = Math.abs(point - 1);
  const fraction = digits.length > 1 ? `.${digits.slice(1)}` : "";
  return `${digits[0]}${fraction}e${point < 1 ? "-" : "+"}${exponent < 10 ? "0" : ""}${exponent}`;
}

/** A JSON string literal; escapes U+007F too. */
export function quoted(text: string): string {
  const literal = JSON.stringify(text);
  return literal.includes("\x7f") ? literal.replace(/\x7f/g, "\\u007f") : literal;
}

/** A value in jq's messages: JSON, truncated to 29 bytes. */
export function excerpt(value: Json): string {
  const text = jsonFrom(value, 0);
  if (text.length < 30 && byteCount(text) < 30) return text;
  const end =
    typeof value === "string"
      ? '"'
      : Array.isArray(value)
        ? "]"
        : typeof value === "object" && value !== null
          ? "}"
          : "";
  let start = "";
  let size = 26 - end.length;
  for (const character of text) {
    size -= byteCount(character);
    if (size < 0) break;
    start += character;
  }
  return `${start}...${end}`;
}

/** The UTF-8 length of a string in bytes. */
export function byteCount(text: string): number {
  let count = text.length;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    if (unit > 0x7f) count += unit > 0x7ff && (unit & 0xf800) !== 0xd800 ? 2 : 1;
  }
  return count;
}
