import { isObject, type Json, type JsonObject, own } from "../../../json.ts";

/** The tags of CloudFormation's intrinsic functions, and the keys of their long forms. */
export const shortForms: ReadonlyMap<string, string> = new Map([
  ["!Ref", "Ref"],
  ["!Condition", "Condition"],
  ...["And", "Base64", "Cidr", "Equals", "FindInMap", "GetAtt", "GetAZs", "If", "ImportValue", "Join", "Not"]
    .concat(["Or", "Select", "Split", "Sub", "ToJsonString", "Transform"])
    .map((name) => [`!${name}`, `Fn::${name}`] as const),
]);

/** The key of an intrinsic function, if an object is a call of one. */
export function intrinsicIn(value: JsonObject): string | undefined {
  const [key, other] = Object.keys(value);
  return key !== undefined && other === undefined && (key === "Ref" || key.startsWith("Fn::")) ? key : undefined;
}

/**
 * The string that an intrinsic function stands for: its references are placeholders such as `${Table}` and
 * `${Charge.Arn}`. Undefined if it does more than insert references.
 */
export function stringOf(value: Json, mappings: Json = null): string | undefined {
  if (typeof value === "string") return value;
  if (typeof value === "number" || typeof value === "boolean") return String(value);
  if (!isObject(value)) return undefined;
  const key = intrinsicIn(value);
  const argument = key === undefined ? null : own(value, key)!;
  switch (key) {
    case "Ref":
      return typeof argument === "string" ? `\${${argument}}` : undefined;
    case "Fn::GetAtt":
      return attributeOf(argument);
    case "Fn::Sub":
      return substitutedIn(argument, mappings);
    case "Fn::Join":
      return joined(argument, mappings);
    case "Fn::ImportValue":
      return prefixed("Fn::ImportValue", stringOf(argument, mappings));
    case "Fn::FindInMap":
      return mappedValue(argument, mappings);
    default:
      return undefined;
  }
}

const prefixed = (name: string, text: string | undefined): string | undefined =>
  text === undefined ? undefined : `\${${name} ${text.replaceAll(/[${}]/g, "")}}`;

function attributeOf(argument: Json): string | undefined {
  const parts = Array.isArray(argument) ? (argument as readonly Json[]) : [argument];
  return parts.every((part) => typeof part === "string") ? `\${${parts.join(".")}}` : undefined;
}

/** `${!Name}` is the text `${Name}`, which the machine reads as a placeholder of its own. */
function substitutedIn(argument: Json, mappings: Json): string | undefined {
  const [template, values] = Array.isArray(argument) ? (argument as readonly Json[]) : [argument];
  if (typeof template !== "string" || (values !== undefined && !isObject(values))) return undefined;
  const known = new Map<string, string>();
  for (const [name, value] of Object.entries(values ?? {})) {
    const text = stringOf(value, mappings);
    if (text === undefined) return undefined;
    known.set(name, text);
  }
  return replacePlaceholders(template, known).replaceAll("${!", "${");
}

function joined(argument: Json, mappings: Json): string | undefined {
  const [separator, parts] = Array.isArray(argument) ? (argument as readonly Json[]) : [];
  if (typeof separator !== "string" || !Array.isArray(parts)) return undefined;
  const texts = (parts as readonly Json[]).map((part) => stringOf(part, mappings));
  return texts.includes(undefined) ? undefined : texts.join(separator);
}

/** The value of the template's `Mappings`, if it is constant. */
function mappedValue(argument: Json, mappings: Json): string | undefined {
  if (!Array.isArray(argument)) return undefined;
  const keys = (argument as readonly Json[]).map((key) => stringOf(key));
  if (keys.length !== 3 || keys.some((key) => key === undefined)) return undefined;
  let found: Json | undefined = mappings;
  for (const key of keys) found = isObject(found ?? null) ? own(found as JsonObject, key!) : undefined;
  return typeof found === "string" ? found : prefixed("Fn::FindInMap", keys.join("."));
}

/** A placeholder, and its name. */
export const placeholder = /\$\{\s*([^{}!\s][^{}]*?)\s*\}/g;

/** Replaces the placeholders that have a value. */
export const replacePlaceholders = (text: string, values: ReadonlyMap<string, string>): string =>
  values.size === 0 || !text.includes("${")
    ? text
    : text.replaceAll(placeholder, (written, name: string) => values.get(name) ?? written);

/** Whether a string is more than one reference. */
export const isCompound = (text: string): boolean => !/^\$\{[^{}]*\}$/.test(text);

/** Whether a string has a placeholder. */
export const hasPlaceholder = (text: string): boolean => /\$\{[^{}]*\}/.test(text);
