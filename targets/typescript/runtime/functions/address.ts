import { WorkflowError } from "../errors.ts";
import { isObject, type Json, type JsonObject } from "../json.ts";

/**
 * Replaces the names in braces in an address with members of the argument; returns the address and the argument
 * without those.
 */
export function addressOf(template: string, argument: Json): { readonly url: string; readonly rest: Json } {
  const taken = new Set<string>();
  const url = template.replace(/\{([^{}]*)\}/g, (_, name: string) => {
    taken.add(name);
    return segmentOf(name, memberOf(argument, name));
  });
  return { url, rest: taken.size === 0 ? argument : without(argument, taken) };
}

/** A member of an argument; undefined if it has no member of that name. */
export const memberOf = (argument: Json, name: string): Json | undefined =>
  isObject(argument) && Object.hasOwn(argument, name) ? argument[name] : undefined;

/** An argument without some of its members. An argument that is not an object is returned unchanged. */
export function without(argument: Json, names: ReadonlySet<string>): Json {
  if (!isObject(argument)) return argument;
  const rest: { [name: string]: Json | undefined } = Object.create(null);
  for (const [name, value] of Object.entries(argument)) if (!names.has(name)) rest[name] = value;
  return rest;
}

/**
 * Formats a value as a segment of a path. Throws `ArgumentError` if the value is missing or would change the path: an
 * empty segment, `.` and `..`, which servers and clients resolve even if they are escaped.
 */
export function segmentOf(name: string, value: Json | undefined): string {
  const text = value === undefined || value === null ? "" : plainText(value);
  if (text === "") throw new WorkflowError("ArgumentError", `The argument has no ${name}, which the address needs.`);
  if (text === "." || text === "..")
    throw new WorkflowError("ArgumentError", `${name} is ${text}, which would lead to another address.`);
  return encodeURIComponent(text.toWellFormed());
}

/** Formats a value as query parameters: an array repeats its name, null and undefined are omitted. */
export function queryOf(name: string, value: Json | undefined): readonly string[] {
  if (value === undefined || value === null) return [];
  if (Array.isArray(value))
    return value.flatMap((item: Json) => queryOf(name, isArray(item) ? JSON.stringify(item) : item));
  return [`${encodeURIComponent(name.toWellFormed())}=${encodeURIComponent(plainText(value).toWellFormed())}`];
}

/** Formats a value as a string: arrays with commas, objects as JSON. */
export function plainText(value: Json): string {
  if (isArray(value)) return value.map((item) => plainText(item)).join(",");
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}

const isArray = (value: Json): value is readonly Json[] => Array.isArray(value);

/** The members of an object that have a value. */
export const membersOf = (object: JsonObject): readonly (readonly [string, Json])[] =>
  Object.entries(object).filter((member): member is [string, Json] => member[1] !== undefined);

/** Formats a value as the value of a header. Throws `ArgumentError` if a header cannot contain it. */
export function headerText(name: string, value: Json): string {
  const text = plainText(value);
  if (/^[\t\x20-\x7e\x80-\xff]*$/.test(text)) return text;
  throw new WorkflowError("ArgumentError", `${name} has characters that no header can have.`);
}
