import type { Document } from "../document/index.ts";
import { isObject, type Json, type JsonObject, own } from "../json.ts";
import type { Report } from "../text/diagnostics.ts";
import { each, fieldsOf, isFlag, isList, isMapping, passing } from "./fields.ts";
import type { Expectation } from "./model.ts";
import type { RecordedCall } from "./stage.ts";

const keys = ["status", "output", "error", "calls", "maybe", "ordered", "emitted", "elapsed"];
const statuses = ["succeeded", "failed", "waiting", "not-started"] as const;

/** Reads what a scenario expects. */
export function readExpectation(value: JsonObject, document: Document, report: Report): Expectation {
  const fields = fieldsOf(value, "an expectation", keys, document, report);
  fields.require("status");
  const calls = (key: string) => readCalls(fields.get(key, "a list of calls", isList), document, report);
  const emitted = fields.get("emitted", "a list of events", isList);
  return {
    status: fields.word("status", statuses) ?? "succeeded",
    output: own(value, "output"),
    error: fields.get("error", "an object", isMapping),
    calls: calls("calls"),
    maybe: calls("maybe") ?? [],
    ordered: fields.get("ordered", "true or false", isFlag) ?? true,
    emitted:
      emitted &&
      passing(emitted, [each("An event"), "an object"], isMapping, document, report).map(([, event]) => event),
    elapsed: fields.seconds("elapsed"),
  };
}

const readCalls = (
  calls: readonly Json[] | undefined,
  document: Document,
  report: Report,
): readonly RecordedCall[] | undefined =>
  calls &&
  passing(calls, [each("A call"), "the name of a function with what it is called with"], isCall, document, report).map(
    ([, call]) => recorded(call),
  );

const isCall = (value: Json): value is JsonObject => isObject(value) && Object.keys(value).length === 1;

function recorded(call: JsonObject): RecordedCall {
  const [name] = Object.keys(call) as [string];
  return { function: name, argument: own(call, name)! };
}
