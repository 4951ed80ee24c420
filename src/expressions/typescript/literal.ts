import { isObject, type Json } from "../../json.ts";
import { propertyText } from "./use.ts";
import { atom, level, listed, type Written } from "./written.ts";

/** A value as TypeScript. */
export function writeLiteral(value: Json): Written | undefined {
  if (typeof value === "number" && !Number.isFinite(value)) return atom(Number.isNaN(value) ? "NaN" : "Infinity", { type: "number" });
  if (typeof value === "number" && (value < 0 || Object.is(value, -0)))
    return { text: `-${numberText(-value)}`, level: level.unary, type: "number", isPresent: true };
  return atom(literalText(value), { type: typeName(value), isPresent: value !== null });
}

/** A text as a literal, harmless wherever the program is put. */
export const quoted = (text: string): string =>
  /^[\x20-\x7e]*$/.test(text) && !/[<>`]|\$\{/.test(text) ? JSON.stringify(text) : readable(text);

/** Letters and signs of other scripts stay as they are; what ends lines, tags or templates is escaped. */
function readable(text: string): string {
  return JSON.stringify(text).replace(
    /[\u007f-\u009f\u00ad\u0600-\u0605\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\ue000-\uf8ff`]|<(?=[!/])|\$(?=\{)|[\ud800-\udfff]/g,
    (unit, at: number, whole: string) => (isPaired(whole, at) ? unit : `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`),
  );
}

function isPaired(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  if (code < 0xd800 || code > 0xdfff) return false;
  const other = text.charCodeAt(code < 0xdc00 ? at + 1 : at - 1);
  return code < 0xdc00 ? other >= 0xdc00 && other <= 0xdfff : other >= 0xd800 && other < 0xdc00;
}

function literalText(value: Json): string {
  if (typeof value === "string") return quoted(value);
  if (typeof value === "number") return value < 0 || Object.is(value, -0) ? `-${numberText(-value)}` : numberText(value);
  if (Array.isArray(value)) return listed("[", value.map(literalText), "]");
  if (!isObject(value)) return String(value);
  const members = Object.keys(value).map(
    (name) => `${name === "__proto__" ? '["__proto__"]' : propertyText(name)}: ${literalText(value[name]!)}`,
  );
  return listed("{", members, "}", " ");
}

/** Long integers are written in groups of three digits. */
const numberText = (value: number): string =>
  Number.isInteger(value) && value >= 10_000 && value < 1e15 ? String(value).replace(/\B(?=(\d{3})+$)/g, "_") : String(value);

function typeName(value: Json): Written["type"] {
  if (value === null) return "null";
  return Array.isArray(value) ? "array" : (typeof value as "string");
}
