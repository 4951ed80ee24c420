import type { Report } from "../diagnostics.ts";
import type { Document } from "../document.ts";
import { isObject, type Json, type JsonObject, own } from "../json.ts";
import { wrongScenarioValue } from "../messages/scenario.ts";
import { fieldsOf, isFlag, isList, isMapping } from "./fields.ts";
import type { Expectation } from "./model.ts";
import type { RecordedCall } from "./stage.ts";

const keys = ["status", "output", "error", "calls", "maybe", "ordered", "emitted", "elapsed"];
const statuses = ["succeeded", "failed", "waiting", "not-started"] as const;

/** Reads what a scenario expects. */
export function readExpectation(value: JsonObject, document: Document, report: Report): Expectation {
  const fields = fieldsOf(value, "an expectation", keys, document, report);
  fields.require("status");
  const calls = (key: string) => fields.get(key, "a list of calls", isList)?.flatMap((item) => readCall(item, value, key, document, report));
  const emitted = fields.get("emitted", "a list of events", isList);
  const objects = emitted?.filter(isMapping);
  if (objects && objects.length < emitted!.length) fields.wrong("emitted", "a list of events");
  return {
    status: fields.word("status", statuses) ?? "succeeded",
    output: own(value, "output"),
    error: fields.get("error", "an object", isMapping),
    calls: calls("calls"),
    maybe: calls("maybe") ?? [],
    ordered: fields.get("ordered", "true or false", isFlag) ?? true,
    emitted: objects,
    elapsed: fields.seconds("elapsed"),
  };
}

function readCall(item: Json, owner: JsonObject, key: string, document: Document, report: Report): readonly RecordedCall[] {
  const entries = isObject(item) ? Object.entries(item) : [];
  if (entries.length === 1) return [{ function: entries[0]![0], argument: entries[0]![1] }];
  report(wrongScenarioValue(document.spanOf(isObject(item) ? item : owner, isObject(item) ? undefined : key), { name: "A call", wanted: "the name of a function with what it is called with" }));
  return [];
}
