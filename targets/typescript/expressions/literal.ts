import { isObject, type Json } from "../../../src/json.ts";
import { propertyText, quoted } from "./text.ts";
import { atom, level, listed, type Written } from "./written.ts";

export { quoted } from "./text.ts";

/** A value as TypeScript. */
export function writeLiteral(value: Json): Written | undefined {
  if (typeof value === "number" && !Number.isFinite(value))
    return atom(Number.isNaN(value) ? "NaN" : "Infinity", { type: "number" });
  if (typeof value === "number" && (value < 0 || Object.is(value, -0)))
    return { text: `-${numberText(-value)}`, level: level.unary, type: "number", isPresent: true };
  return atom(literalText(value), { type: typeName(value), isPresent: value !== null });
}

function literalText(value: Json): string {
  if (typeof value === "string") return quoted(value);
  if (typeof value === "number")
    return value < 0 || Object.is(value, -0) ? `-${numberText(-value)}` : numberText(value);
  if (Array.isArray(value)) return listed("[", value.map(literalText), "]");
  if (!isObject(value)) return String(value);
  const members = Object.keys(value).map(
    (name) => `${name === "__proto__" ? '["__proto__"]' : propertyText(name)}: ${literalText(value[name]!)}`,
  );
  return listed("{", members, "}", " ");
}

/** Long integers are written in groups of three digits. */
const numberText = (value: number): string =>
  Number.isInteger(value) && value >= 10_000 && value < 1e15
    ? String(value).replace(/\B(?=(\d{3})+$)/g, "_")
    : String(value);

function typeName(value: Json): Written["type"] {
  if (value === null) return "null";
  return Array.isArray(value) ? "array" : (typeof value as "string");
}
