import type { Document } from "../documents/index.ts";
import { isObject, type Json, type JsonObject, own } from "../json.ts";
import type { Report } from "../text/diagnostics.ts";
import { each, type Fields, fieldsOf, isFlag, isList, isMapping, isText, passing, quoted } from "./fields.ts";
import type { Expectation, RecordedCall, TaskOrder } from "./model.ts";
import { isPath } from "./output-parts.ts";

const expectationKeys = [
  "status",
  "output",
  "outputHas",
  "outputIs",
  "items",
  "error",
  "calls",
  "maybe",
  "ordered",
  "emitted",
  "tasks",
  "trace",
  "elapsed",
];
const statuses = ["succeeded", "failed", "waiting", "not-started"] as const;

/** Reads the expectation of a run. */
export function readExpectation(value: JsonObject, document: Document, report: Report): Expectation {
  const fields = fieldsOf(value, "an expectation", expectationKeys, document, report);
  fields.require("status");
  const calls = (key: string) => readCalls(fields.get(key, "a list of calls", isList), document, report);
  const emitted = fields.get("emitted", "a list of events", isList);
  return {
    status: fields.word("status", statuses) ?? "succeeded",
    output: own(value, "output"),
    ...outputParts(fields, document, report),
    error: errorOf(fields.get("error", "an object", isMapping)),
    calls: calls("calls"),
    maybe: calls("maybe") ?? [],
    ordered: fields.get("ordered", "true or false", isFlag) ?? true,
    emitted:
      emitted &&
      passing(emitted, [each("An event"), "an object"], isMapping, document, report).map(([, event]) => event),
    trace: traceIn(fields, document, report),
    tasks: tasksIn(fields, document, report),
    elapsed: fields.seconds("elapsed"),
  };
}

const pathWanted = "a path in the output, such as `order.items.0`";

/** Reads the expectations of parts of the output. */
function outputParts(
  fields: Fields,
  document: Document,
  report: Report,
): Pick<Expectation, "outputHas" | "outputIs" | "items"> {
  const has = fields.get("outputHas", "a list of paths", isList);
  const byPath = (key: "outputIs" | "items", wanted: string): JsonObject | undefined => {
    const given = fields.get(key, wanted, isMapping);
    for (const path of Object.keys(given ?? {})) if (!isPath(path)) fields.wrong(key, `${wanted}; \`${path}\` is none`);
    return given;
  };
  const counts = byPath("items", "numbers of items by path");
  return {
    outputHas: has && passing(has, [each("A path"), pathWanted], isPath, document, report).map(([, path]) => path),
    outputIs: byPath("outputIs", "values by path"),
    items: counts && new Map(passing(counts, [quoted, "a number of items"], isCount, document, report)),
  };
}

const isCount = (value: Json): value is number => Number.isInteger(value) && Number(value) >= 0;

function traceIn(fields: Fields, document: Document, report: Report): readonly string[] | undefined {
  const trace = fields.get("trace", "a list of names", isList);
  return trace && passing(trace, [each("An entry"), "a name"], isText, document, report).map(([, name]) => name);
}

/** Reads the expected order of tasks. */
function tasksIn(fields: Fields, document: Document, report: Report): TaskOrder | undefined {
  const given = fields.get("tasks", "an object with `first`, `last` or `order`", isMapping);
  if (!given) return undefined;
  const tasks = fieldsOf(given, "`tasks`", ["first", "last", "order"], document, report);
  const order = tasks.get("order", "a list", isList);
  return {
    first: tasks.get("first", "the name of a task", isText),
    last: tasks.get("last", "the name of a task", isText),
    order:
      order &&
      passing(order, [each("A pair"), "two names, such as `[reserve, charge]`"], isPair, document, report).map(
        ([, pair]) => pair,
      ),
  };
}

const isPair = (value: Json): value is readonly [string, string] =>
  Array.isArray(value) && value.length === 2 && value.every(isText);

const readCalls = (
  calls: readonly Json[] | undefined,
  document: Document,
  report: Report,
): readonly RecordedCall[] | undefined =>
  calls &&
  passing(calls, [each("A call"), "the name of a function with what it is called with"], isCall, document, report).map(
    ([, call]) => recorded(call),
  );

/** Whether a value is a call: the name of a function with its argument. */
export const isCall = (value: Json): value is JsonObject => isObject(value) && Object.keys(value).length === 1;

function recorded(call: JsonObject): RecordedCall {
  const [name] = Object.keys(call) as [string];
  return { function: name, argument: own(call, name)! };
}

/** An error with the members `name` and `message`, for which `error` and `cause` are other names. */
export function errorOf(given: JsonObject | undefined): JsonObject | undefined {
  if (!given || Object.hasOwn(given, "name") || !Object.hasOwn(given, "error")) return given;
  const { error, cause, ...rest } = given;
  return { name: error!, ...(cause === undefined ? {} : { message: cause }), ...rest };
}

/** An error without a name or a message has an empty one. */
export const withoutNulls = (error: JsonObject): JsonObject => ({
  ...error,
  ...(error["name"] === null && { name: "" }),
  ...(error["message"] === null && { message: "" }),
});
