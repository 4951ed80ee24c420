import type { Json, JsonObject } from "../../../src/json.ts";
import { bracketed, type Code, code } from "./code.ts";

/** A JSON value as JSONata that gives exactly it. JSONata cannot make a member named `__proto__`: values that have one are parsed. */
export function valueText(value: Json): Code {
  if (hasProto(value)) return code(`$parse(${stringText(JSON.stringify(value))})`);
  return Array.isArray(value) ? bracketed(plainText(value)) : code(plainText(value));
}

/**
 * A string literal. Nothing in it ends the expression or looks like the beginning of another, and no text of a user looks like the mark of an
 * error where Step Functions quotes the expression.
 */
export function stringText(text: string): string {
  return JSON.stringify(text).replace(
    /%(?=\})|(?<=\{)%|(?<=waybill):|[\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2066-\u2069\ufeff]/g,
    (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

/** The regular expression literal of an ECMAScript pattern. JSONata finds its end by counting brackets, so those that only stand for themselves are written as codes. */
export function patternText(pattern: string): string {
  let text = "";
  let inClass = false;
  for (const [part] of pattern.matchAll(/\\.|\{\d+(?:,\d*)?\}|./gs)) {
    const opens: boolean = part === "[" && !inClass;
    const closes: boolean = part === "]" && inClass;
    const groups = !inClass && (part.length > 2 || part === "(" || part === ")");
    text += opens || closes || groups ? part : part.length > 2 ? part.replace(/./gs, coded) : coded(part);
    inClass = opens || (inClass && !closes);
  }
  return `/${text === "" ? "(?:)" : text.replaceAll("waybill:", "waybill\\u003a")}/`;
}

/** Whether a text can follow a dot as it is: a name that is no word of JSONata. */
export const isName = (text: string): boolean =>
  /^[A-Za-z_][A-Za-z0-9_]*$/.test(text) && !/^(?:and|or|in|true|false|null|function)$/.test(text);

/** A member's name after a dot, between back-ticks where it needs them; undefined where it cannot stand there. */
export function nameText(name: string): string | undefined {
  if (isName(name)) return name;
  return /^[\p{L}\p{N}_ .:@/-]+$/u.test(name) && !name.includes("waybill:") ? `\`${name}\`` : undefined;
}

function plainText(value: Json): string {
  if (typeof value === "string") return stringText(value);
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(plainText).join(", ")}]`;
  return membersText(Object.entries(value as JsonObject).map(([key, item]) => [key, plainText(item)] as const));
}

/**
 * An object construction with these members, in their order. JSONata asks the names that it has so far by their own `hasOwnProperty`, so
 * that name has to be the last of its construction.
 */
export function membersText(members: readonly (readonly [string, string])[]): string {
  const end = members.findIndex(([key]) => key === "hasOwnProperty") + 1;
  const written = (some: typeof members) => `{${some.map(([key, text]) => `${stringText(key)}: ${text}`).join(", ")}}`;
  if (end === 0 || end === members.length) return written(members);
  return `$merge([${written(members.slice(0, end))}, ${membersText(members.slice(end))}])`;
}

function hasProto(value: Json): boolean {
  if (typeof value !== "object" || value === null) return false;
  return Object.hasOwn(value, "__proto__") || Object.values(value).some(hasProto);
}

/** A character of a pattern, perhaps escaped: as a code where JSONata would count it or a line could not hold it. */
function coded(part: string): string {
  const character = part.slice(-1);
  if (part === "\\" || !/[()[\]{}/\\%\p{Cc}\u007f-\uffff]/u.test(character)) return part;
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
}
