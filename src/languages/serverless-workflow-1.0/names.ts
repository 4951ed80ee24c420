import { isObject, type Json, type JsonObject, own } from "../../json.ts";
import type { Context, Writer } from "./context.ts";

/** A name as a part of a JSON Pointer. */
export const escapeName = (name: string): string => name.replaceAll("~", "~0").replaceAll("/", "~1");

/** The names of the tasks of a definition. */
export function readNames(definition: Json): Pick<Context, "nameCounts" | "calls" | "places"> {
  const nameCounts = new Map<string, number>();
  const places = new Map<string, string>();
  const calls = new Map<string, Set<string>>();
  const visit = (value: Json, pointer: string): void => {
    if (Array.isArray(value)) for (const [i, item] of value.entries()) visitItem(item as Json, `${pointer}/${i}`);
    else if (isObject(value))
      for (const [key, item] of Object.entries(value)) visit(item, `${pointer}/${escapeName(key)}`);
  };
  const visitItem = (item: Json, pointer: string): void => {
    const [name, ...others] = isObject(item) ? Object.keys(item) : [];
    const task = name === undefined ? undefined : (item as JsonObject)[name];
    if (name !== undefined && others.length === 0 && isObject(task)) {
      nameCounts.set(name, (nameCounts.get(name) ?? 0) + 1);
      if (!places.has(name)) places.set(name, `${pointer}/${escapeName(name)}`);
      const call = callOf(task);
      if (call !== undefined) calls.set(name, (calls.get(name) ?? new Set()).add(call));
    }
    visit(item, pointer);
  };
  visit(definition, "");
  return { nameCounts, calls, places };
}

/** Parts of a call that are not in the argument: two calls that differ in one call different functions. */
const fixedParts =
  "method endpoint document operationId proto service channel operation output redirect authentication server protocol agentCard transport client protocolVersion".split(
    " ",
  );

/** What a task calls, without its arguments; undefined if it calls nothing. */
function callOf(task: JsonObject): string | undefined {
  const [call, run, given] = [own(task, "call"), own(task, "run"), own(task, "with")];
  if (isObject(run)) return JSON.stringify(run);
  if (typeof call !== "string") return undefined;
  const parts = isObject(given) ? fixedParts.flatMap((part) => own(given, part) ?? null) : [];
  return JSON.stringify([call, parts]);
}

/** The path of the names of the enclosing tasks and the task. */
export const pathOf = ({ scope, name }: Writer): string => [...scope.path, name].join("/");

/**
 * The name of the function that a task calls: that of the task, or its path if tasks of its name call different
 * functions.
 */
export const functionName = (writer: Writer): string =>
  (writer.context.calls.get(writer.name)?.size ?? 0) > 1 ? pathOf(writer) : writer.name;

/** Whether the configuration binds the function that a task calls. */
export const isFunctionBound = (writer: Writer): boolean =>
  writer.context.lowering.isBound?.(functionName(writer)) ?? false;

/** The name of an event of a task: that of the task, or its path if the name is not unique. */
export const eventName = (writer: Writer): string =>
  (writer.context.nameCounts.get(writer.name) ?? 0) > 1 || writer.scope.functions.length > 0 || writer.scope.isExtension
    ? pathOf(writer)
    : writer.name;
