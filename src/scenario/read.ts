import type { Report } from "../diagnostics.ts";
import { type Document, readDocuments } from "../document.ts";
import { isProblem, parseInstant } from "../iso8601.ts";
import { isObject, type Json, type JsonObject } from "../json.ts";
import { unreadableTime, wrongScenarioValue } from "../messages/scenario.ts";
import type { Options } from "../program.ts";
import type { Source } from "../source.ts";
import { readExpectation } from "./expectation.ts";
import { type Fields, fieldsOf, isAnything, isList, isMapping, isText } from "./fields.ts";
import { readAnswers } from "./functions.ts";
import { allTargets, type Scenario, type ScenarioFile } from "./model.ts";

/** Whether a document looks like a scenario file. */
export const recognisesScenario = (value: Json): boolean => isObject(value) && Object.hasOwn(value, "scenarios") && !Object.hasOwn(value, "states");

/** Reads a scenario file. Undefined when it has errors, all of which are reported. */
export function readScenarioFile(source: Source, report: Report): ScenarioFile | undefined {
  let failed = false;
  const watch: Report = (diagnostic) => {
    failed ||= diagnostic.severity === "error";
    report(diagnostic);
  };
  const [document, another] = readDocuments(source, watch);
  if (!document) return undefined;
  if (another) watch(wrongScenarioValue(another.start, { name: "A scenario file", wanted: "one document; this is another" }));
  const file = isObject(document.value) ? readFile(document.value, document, watch) : undefined;
  if (!file) watch(wrongScenarioValue(document.start, { name: "A scenario file", wanted: "an object with `workflow` and `scenarios`" }));
  return failed ? undefined : file;
}

function readFile(value: JsonObject, document: Document, report: Report): ScenarioFile {
  const fields = fieldsOf(value, "a scenario file", ["workflow", "language", "subflows", "options", "secrets", "scenarios"], document, report);
  fields.require("workflow");
  fields.require("scenarios");
  const subflows = fields.get("subflows", "paths by workflow id", isMapping) ?? {};
  const scenarios = fields.get("scenarios", "a list", isList) ?? [];
  const common = { options: optionsOf(fields, {}), secrets: secretsOf(fields) };
  return {
    path: document.source.path,
    workflow: fields.get("workflow", "the path of a definition", isText) ?? "",
    language: fields.get("language", "the name of a language", isText),
    subflows: new Map(Object.entries(subflows).filter((entry): entry is [string, string] => isPath(entry, subflows, document, report))),
    scenarios: scenarios.flatMap((item, i) => {
      if (isObject(item)) return [readScenario(item, common, document, report)];
      report(wrongScenarioValue(document.spanOf(scenarios, i), { name: "A scenario", wanted: "an object" }));
      return [];
    }),
  };
}

function isPath([id, path]: [string, Json], owner: JsonObject, document: Document, report: Report): boolean {
  if (typeof path === "string") return true;
  report(wrongScenarioValue(document.spanOf(owner, id), { name: id, wanted: "the path of a definition" }));
  return false;
}

const keys = ["name", "targets", "input", "clock", "functions", "events", "expect", "options", "secrets"];

function readScenario(value: JsonObject, common: Pick<Scenario, "options" | "secrets">, document: Document, report: Report): Scenario {
  const fields = fieldsOf(value, "a scenario", keys, document, report);
  fields.require("name");
  fields.require("expect");
  return {
    name: fields.get("name", "a text", isText) ?? "",
    targets: targetsOf(fields, document, report),
    input: fields.get("input", "a value", isAnything),
    clock: clockOf(fields, document, report),
    functions: readAnswers(fields.get("functions", "answers by function", isMapping) ?? {}, document, report),
    events: (fields.get("events", "a list", isList) ?? []).flatMap((item) => readEvent(item, fields, document, report)),
    expect: readExpectation(fields.get("expect", "an object", isMapping) ?? { status: "succeeded" }, document, report),
    options: optionsOf(fields, common.options),
    secrets: new Map([...common.secrets, ...secretsOf(fields)]),
    span: document.spanOf(value, "name" in value ? "name" : undefined),
  };
}

function targetsOf(fields: Fields, document: Document, report: Report): readonly string[] {
  const targets = fields.get("targets", "a list of targets", isList);
  if (!targets) return allTargets;
  return targets.flatMap((target, i) => {
    if (typeof target === "string" && allTargets.includes(target)) return [target];
    report(wrongScenarioValue(document.spanOf(targets, i), { name: "A target", wanted: `one of ${allTargets.join(", ")}` }));
    return [];
  });
}

function clockOf(fields: Fields, document: Document, report: Report): number {
  const text = fields.get("clock", "an instant, such as `2026-01-01T00:00:00Z`", isText) ?? "2026-01-01T00:00:00Z";
  const instant = parseInstant(text);
  if (!isProblem(instant)) return instant;
  report(unreadableTime(document.spanOf(fields.owner, "clock"), instant));
  return 0;
}

function readEvent(item: Json, fields: Fields, document: Document, report: Report): Scenario["events"] {
  if (!isObject(item)) {
    fields.wrong("events", "a list of objects with `at` and `event`");
    return [];
  }
  const event = fieldsOf(item, "an event", ["at", "event"], document, report);
  event.require("event");
  const content = event.get("event", "a CloudEvent", isMapping);
  return content ? [{ at: event.seconds("at") ?? 0, event: content }] : [];
}

function optionsOf(fields: Fields, inherited: Options): Options {
  const given = fields.get("options", "values by option", isMapping) ?? {};
  const scalars = Object.entries(given).filter((entry): entry is [string, string | number | boolean] => ["string", "number", "boolean"].includes(typeof entry[1]));
  if (scalars.length < Object.keys(given).length) fields.wrong("options", "texts, numbers or booleans by option");
  return { ...inherited, ...Object.fromEntries(scalars) };
}

function secretsOf(fields: Fields): Scenario["secrets"] {
  const given = fields.get("secrets", "texts by id and key", isMapping) ?? {};
  const secrets = new Map<string, ReadonlyMap<string, string>>();
  for (const [id, entries] of Object.entries(given)) {
    const texts = Object.entries(isObject(entries) ? entries : {}).filter((entry): entry is [string, string] => typeof entry[1] === "string");
    if (!isObject(entries) || texts.length < Object.keys(entries).length) fields.wrong("secrets", "texts by id and key");
    secrets.set(id, new Map(texts));
  }
  return secrets;
}
