import { isObject, type Json, type JsonObject, own } from "../../json.ts";
import type { Context, Writer } from "./context.ts";

/** The names of the tasks of a definition. */
export function readNames(definition: Json): Pick<Context, "nameCounts" | "calls"> {
  const nameCounts = new Map<string, number>();
  const calls = new Map<string, Set<string>>();
  const visit = (value: Json): void => {
    if (Array.isArray(value)) for (const item of value) visitItem(item as Json);
    else if (isObject(value)) for (const item of Object.values(value)) visit(item);
  };
  const visitItem = (item: Json): void => {
    const [name, ...others] = isObject(item) ? Object.keys(item) : [];
    const task = name === undefined ? undefined : (item as JsonObject)[name];
    if (name !== undefined && others.length === 0 && isObject(task)) {
      nameCounts.set(name, (nameCounts.get(name) ?? 0) + 1);
      const call = callOf(task);
      if (call !== undefined) calls.set(name, (calls.get(name) ?? new Set()).add(call));
    }
    visit(item);
  };
  visit(definition);
  return { nameCounts, calls };
}

const fixedParts = ["method", "endpoint", "document", "operationId", "proto", "service", "channel", "operation"];

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

/** The name of an event of a task: that of the task, or its path if the name is not unique. */
export const eventName = (writer: Writer): string =>
  (writer.context.nameCounts.get(writer.name) ?? 0) > 1 || writer.scope.functions.length > 0 || writer.scope.isExtension
    ? pathOf(writer)
    : writer.name;
