import { isObject, type Json } from "../../json.ts";

/** A text as JavaScript that stands in any script, page or template literal unharmed. */
export function quotedText(text: string): string {
  return JSON.stringify(text).replace(/[`<>\u007f-\uffff]|\$(?=\{)/g, escapedUnit);
}

const escapedUnit = (unit: string): string => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`;

/** A number as JavaScript. */
export function numberCode(value: number): string {
  if (Object.is(value, -0) || value < 0) return `(-${numberCode(-value)})`;
  if (Number.isNaN(value)) return "NaN";
  return value === Number.POSITIVE_INFINITY ? "Infinity" : String(value);
}

/** A value as JavaScript. */
export function valueCode(value: Json): string {
  if (typeof value === "string") return quotedText(value);
  if (typeof value === "number") return numberCode(value);
  if (!isObject(value))
    return Array.isArray(value) ? `[${(value as readonly Json[]).map(valueCode).join(", ")}]` : String(value);
  const members = Object.keys(value).map((key) => `${keyCode(key)}: ${valueCode(value[key]!)}`);
  return members.length === 0 ? "{}" : `{ ${members.join(", ")} }`;
}

/** The key of a member as an object literal has it. `__proto__` is computed, as it would set the prototype otherwise. */
export function keyCode(key: string): string {
  return key === "__proto__" ? '["__proto__"]' : quotedText(key);
}

/** Whether JavaScript of ours is a name or a literal: it may be written twice, and evaluated later. */
export const isAtom = (code: string): boolean => /^(?:[\w$]+|"(?:[^"\\]|\\.)*"|\(-\w+\))$/.test(code);
