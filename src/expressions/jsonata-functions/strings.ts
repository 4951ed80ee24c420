import type { Json } from "../../json.ts";
import { failWith, shown } from "./failures.ts";
import { native } from "./native.ts";
import { isFunctionLike, isNumeric, stringFrom, type Value } from "./values.ts";

/** A function of one string. */
type TextFunction = (text: Value) => string | undefined;

/** `$string(value)` */
export const $string = (value: Value): string | undefined => (value === undefined ? undefined : stringFrom(value));

/** `$uppercase(text)` */
export const $uppercase: TextFunction = native("uppercase", "s-", (text?: string) => text?.toUpperCase());

/** `$lowercase(text)` */
export const $lowercase: TextFunction = native("lowercase", "s-", (text?: string) => text?.toLowerCase());

/** `$trim(text)` */
export const $trim: TextFunction = native("trim", "s-", (text?: string) =>
  text?.replace(/[ \t\n\r]+/g, " ").replace(/^ | $/g, ""),
);

/** `$length(text)`, in characters. */
export const $length: (text: Value) => number | undefined = native("length", "s-", (text?: string) =>
  text === undefined ? undefined : Array.from(text).length,
);

/** `$substring(text, start, length)` */
export const $substring: (text: Value, start: Value, length?: Value) => string | undefined = native(
  "substring",
  "s-nn?",
  substring,
);

function substring(text: string | undefined, start: number, length?: number): string | undefined {
  if (text === undefined) return undefined;
  const characters = Array.from(text);
  const first = characters.length + start < 0 ? 0 : start;
  if (length === undefined) return characters.slice(first).join("");
  if (length <= 0) return "";
  return characters.slice(first, first >= 0 ? first + length : characters.length + first + length).join("");
}

/** `$substringBefore(text, part)` */
export const $substringBefore: (text: Value, part: Value) => string | undefined = native(
  "substringBefore",
  "s-s",
  (text?: string, part?: string) => {
    const at = text?.indexOf(part as string) ?? -1;
    return at < 0 ? text : text?.slice(0, at);
  },
);

/** `$substringAfter(text, part)` */
export const $substringAfter: (text: Value, part: Value) => string | undefined = native(
  "substringAfter",
  "s-s",
  (text?: string, part?: string) => {
    const at = text?.indexOf(part as string) ?? -1;
    return at < 0 ? text : text?.slice(at + part!.length);
  },
);

/** `$pad(text, width, character)` */
export const $pad: (text: Value, width: Value, character?: Value) => string | undefined = native("pad", "s-ns?", pad);

function pad(text: string | undefined, width: number, character?: string): string | undefined {
  if (text === undefined) return undefined;
  const whole = Math.trunc(width);
  const missing = Math.abs(whole) - Array.from(text).length;
  if (!(missing > 0)) return text;
  if (missing > 1e7) return failWith("D2015", "The maximum sequence length of 10000000 was exceeded.");
  const filling = character || " ";
  const padding = Array.from(filling.repeat(missing))
    .slice(0, filling.length > 1 ? missing : undefined)
    .join("");
  return whole > 0 ? text + padding : padding + text;
}

/** `$contains(text, part)` */
export const $contains: (text: Value, part: Value) => boolean | undefined = native(
  "contains",
  "s-(sf)",
  (text?: string, part?: string) => text?.includes(part as string),
);

/** `$split(text, separator, limit)` */
export const $split: (text: Value, separator: Value, limit?: Value) => readonly string[] | undefined = native(
  "split",
  "s-(sf)n?",
  split,
);

function split(text: string | undefined, separator: string, limit?: number): readonly string[] | undefined {
  if (text === undefined) return undefined;
  if (limit !== undefined && limit < 0)
    return failWith("D3020", "Third argument of split function must evaluate to a positive number");
  return limit === undefined || limit > 0 ? text.split(separator, limit) : [];
}

/** `$join(texts, separator)` */
export const $join: (texts: Value, separator?: Value) => string | undefined = native(
  "join",
  "a<s>s?",
  (texts?: readonly string[], separator: string = "") => texts?.join(separator),
);

/** `$replace(text, part, replacement, limit)` of a string, not of a regular expression. */
export const $replace: (text: Value, part: Value, replacement: Value, limit?: Value) => string | undefined = native(
  "replace",
  "s-(sf)(sf)n?",
  replace,
);

function replace(
  text: string | undefined,
  part: string | undefined,
  replacement: string | undefined,
  limit: number = Number.POSITIVE_INFINITY,
): string | undefined {
  if (text === undefined) return undefined;
  if (part === "") return failWith("D3010", "Second argument of replace function cannot be an empty string");
  if (limit < 0) return failWith("D3011", "Fourth argument of replace function must evaluate to a positive number");
  const pieces = text.split(String(part));
  const replaced = Math.min(Math.ceil(limit), pieces.length - 1);
  const rest = pieces.slice(replaced).join(String(part));
  return [...pieces.slice(0, replaced), rest].join(String(replacement));
}

/** `$encodeUrlComponent(text)` */
export const $encodeUrlComponent: TextFunction = native("encodeUrlComponent", "s-", (text?: string) =>
  converted(text, encodeURIComponent, "encodeUrlComponent"),
);

/** `$decodeUrlComponent(text)` */
export const $decodeUrlComponent: TextFunction = native("decodeUrlComponent", "s-", (text?: string) =>
  converted(text, decodeURIComponent, "decodeUrlComponent"),
);

function converted(text: string | undefined, convert: (text: string) => string, name: string): string | undefined {
  if (text === undefined) return undefined;
  try {
    return convert(text);
  } catch {
    return failWith("D3140", `Malformed URL passed to $${name}(): ${shown(text)}`);
  }
}

/** `$parse(text)`: the value of a JSON text. */
export const $parse: (text: Value) => Value = native("parse", "s", (text?: string): Json => JSON.parse(text as string));

/** `$type(value)` */
export function $type(value: Value): string | undefined {
  if (value === undefined) return undefined;
  if (value === null) return "null";
  if (isNumeric(value)) return "number";
  if (Array.isArray(value)) return "array";
  return isFunctionLike(value) ? "function" : typeof value;
}
