import { jqDiagnostic, precisionLoss } from "../diagnostics/data.ts";
import { unknownLanguage } from "../diagnostics/reading.ts";
import { invalidTime, missingScenarioKey, wrongScenarioValue } from "../diagnostics/scenario.ts";
import { type Document, readDocuments } from "../documents/index.ts";
import { type Expression, readJq } from "../expressions/index.ts";
import { isObject, type Json, type JsonObject, own } from "../json.ts";
import { type LanguageWithOptions, mergeOptions, type OptionReader, readOptions } from "../languages/options.ts";
import type { Options } from "../options.ts";
import type { Report } from "../text/diagnostics.ts";
import { isTimeSyntaxError, parseDuration, parseInstant, secondsOf } from "../text/iso8601.ts";
import { nearestName } from "../text/messages.ts";
import type { Source, Span } from "../text/source.ts";
import { each, type Fields, fieldsOf, isAnything, isList, isMapping, isText, passing, quoted } from "./fields.ts";
import type { Answer, Answers, Expectation, Named, Scenario, ScenarioFile } from "./model.ts";
import { errorOf, isCall, readExpectation, withoutNulls } from "./read-expectation.ts";

/** Whether a document looks like a scenario file. */
export const recognisesScenario = (value: Json): boolean =>
  isObject(value) && Object.hasOwn(value, "scenarios") && !Object.hasOwn(value, "states");

/** The languages and targets that a scenario file may name. */
export interface Known {
  readonly languages: readonly LanguageWithOptions[];
  readonly targets: readonly string[];
  /** Whether what a run must do may be omitted, to record it. */
  readonly isRecording?: boolean | undefined;
}

/**
 * Reads a scenario file; `targets` are those that it may name, and its default. Reports all errors; undefined if it has
 * some.
 */
export function readScenarioFile(source: Source, known: Known, report: Report): ScenarioFile | undefined {
  let failed = false;
  const watch: Report = (diagnostic) => {
    failed ||= diagnostic.severity === "error";
    report(diagnostic);
  };
  const [document, another] = readDocuments(source, watch);
  if (!document) return undefined;
  if (another)
    watch(wrongScenarioValue(another.start, { subject: "A scenario file", wanted: "one document; this is another" }));
  const { value } = document;
  const isDefinition = isObject(value) && looksLikeDefinition(value);
  const file = isObject(value) && !isDefinition ? readFile(value, known, document, watch) : undefined;
  if (!file)
    watch(
      wrongScenarioValue(document.start, {
        subject: "A scenario file",
        wanted: `an object with \`workflow\` and \`scenarios\`${isDefinition ? "; this is a workflow definition" : ""}`,
        hint: isDefinition
          ? "Write a scenario file that names this one in `workflow`, and pass it instead."
          : undefined,
      }),
    );
  return failed ? undefined : file;
}

const looksLikeDefinition = (value: JsonObject): boolean =>
  !["workflow", "scenarios"].some((key) => Object.hasOwn(value, key)) &&
  ["states", "States", "steps", "do"].some((key) => Object.hasOwn(value, key));

function readFile(value: JsonObject, known: Known, document: Document, report: Report): ScenarioFile {
  const fields = fieldsOf(
    value,
    "a scenario file",
    ["workflow", "pick", "language", "subflows", "options", "placeholders", "secrets", "scenarios"],
    document,
    report,
  );
  fields.require("workflow");
  fields.require("scenarios");
  const subflows = fields.get("subflows", "paths by workflow id", isMapping) ?? {};
  const scenarios = fields.get("scenarios", "a list", isList) ?? [];
  const language = fields.get("language", "the name of a language", isText);
  const languages = known.languages.map(({ name }) => name);
  if (language !== undefined && !languages.includes(language))
    report(unknownLanguage(document.spanOf(value, "language"), { name: language, known: languages }));
  const invalid = (span: Span, name: string, wanted: string) =>
    wrongScenarioValue(span, { subject: quoted(name), wanted });
  const reader = { document, languages: known.languages, from: language, report, invalid };
  const secrets = secretsOf(fields, document, report);
  const named = [
    ...Object.keys(subflows).map((name): Named => {
      return { kind: "subflow", name, span: document.spanOf(subflows, name, "key") };
    }),
    ...namedSecrets(fields, document),
  ];
  const { targets, isRecording } = known;
  const placeholders = placeholdersOf(fields, document, report);
  const options = optionsOf(fields, {}, reader);
  const common = { targets, isRecording, reader, options, placeholders, secrets, named };
  return {
    path: document.source.path,
    workflow: fields.get("workflow", "the path of a definition", isText) ?? "",
    language,
    workflowSpan: document.spanOf(value, "workflow"),
    pick: fields.get("pick", "the name of a definition in the file", isText),
    subflows: new Map(passing(subflows, [quoted, "the path of a definition"], isText, document, report)),
    scenarios: passing(scenarios, [each("A scenario"), "an object"], isMapping, document, report).map(([, scenario]) =>
      readScenario(scenario, common, document, report),
    ),
  };
}

const scenarioKeys = [
  "name",
  "targets",
  "input",
  "clock",
  "functions",
  "events",
  "fires",
  "expect",
  "runs",
  "options",
  "placeholders",
  "secrets",
];

function readScenario(
  value: JsonObject,
  common: Pick<Scenario, "targets" | "options" | "placeholders" | "secrets" | "named"> &
    Pick<Known, "isRecording"> & {
      readonly reader: OptionReader;
    },
  document: Document,
  report: Report,
): Scenario {
  const fields = fieldsOf(value, "a scenario", scenarioKeys, document, report);
  fields.require("name");
  if (!common.isRecording) fields.require("expect");
  const fires = firesOf(fields, document, report);
  if (fires.length > 0 && "input" in value) fields.wrong("input", "left out where a timer creates the run");
  return {
    name: fields.get("name", "a text", isText) ?? "",
    targets: targetsOf(fields, common.targets, document, report),
    input: fields.get("input", "a value", isAnything),
    clock: clockOf(fields, document, report),
    functions: readAnswers(fields.get("functions", "answers by function", isMapping) ?? {}, document, report),
    events: eventsOf(fields, document, report),
    fires,
    expect: expectationIn(fields, document, report),
    runs: runsOf(fields, fires.length, document, report),
    options: optionsOf(fields, common.options, common.reader),
    placeholders: new Map([...(common.placeholders ?? []), ...placeholdersOf(fields, document, report)]),
    secrets: new Map([...common.secrets, ...secretsOf(fields, document, report)]),
    named: [...common.named, ...namedSecrets(fields, document), ...possibleCalls(fields, document)],
    span: document.spanOf(value, "name" in value ? "name" : undefined),
  };
}

/** Reads `placeholders`: strings by name. */
function placeholdersOf(fields: Fields, document: Document, report: Report): ReadonlyMap<string, string> {
  const given = fields.get("placeholders", "strings by name", isMapping) ?? {};
  const isPlain = (value: Json): value is string | number => typeof value === "string" || typeof value === "number";
  const values = passing(given, [quoted, "a string"], isPlain, document, report);
  return new Map(values.map(([name, value]) => [String(name), String(value)]));
}

const runKeys = ["id", "startedBy", "firing", "input", "at", "expect"];

/** Reads the firings of timers. */
function firesOf(fields: Fields, document: Document, report: Report): Scenario["fires"] {
  const given = fields.get("fires", "a list", isList) ?? [];
  return passing(given, [each("A firing"), "an object with `at`"], isMapping, document, report).map(([, item]) => {
    const firing = fieldsOf(item, "an entry of `fires`", ["at", "timer"], document, report);
    firing.require("at");
    const timer = firing.get("timer", "the index of a timer", isIndex) ?? 0;
    return { at: firing.seconds("at") ?? 0, timer, span: document.spanOf(item, "timer" in item ? "timer" : undefined) };
  });
}

const isIndex = (value: Json): value is number => Number.isInteger(value) && Number(value) >= 0;

/** Reads the further runs, whose ids are unique and differ from the scenario's own. */
function runsOf(fields: Fields, fires: number, document: Document, report: Report): Scenario["runs"] {
  const ids = new Set(["run"]);
  const firings = new Set<Json>([0]);
  const given = fields.get("runs", "a list", isList) ?? [];
  return passing(given, [each("A run"), "an object with `id` and `expect`"], isMapping, document, report).map(
    ([, item]) => {
      const run = fieldsOf(item, "a run", runKeys, document, report);
      run.require("id");
      run.require("expect");
      const id = run.get("id", "a text", isText) ?? "";
      if (ids.has(id)) run.wrong("id", "an id that no other run has; that of the scenario's own run is `run`");
      ids.add(id);
      const input = run.get("input", "a value", isAnything);
      const startedBy = run.get("startedBy", "the type of an event", isText);
      if (startedBy !== undefined)
        for (const key of ["input", "at"] as const)
          if (key in item) run.wrong(key, "left out where an event starts the run");
      const firing = run.get("firing", "the index of an entry of `fires` from 1", isIndex);
      if (firing !== undefined) {
        if (firing >= fires || firings.has(firing))
          run.wrong("firing", "the index, from 1, of an entry of `fires` that no other run has");
        firings.add(firing);
        for (const key of ["input", "at", "startedBy"] as const)
          if (key in item) run.wrong(key, "left out where a timer creates the run");
      }
      return { id, startedBy, firing, input, at: run.seconds("at") ?? 0, expect: expectationIn(run, document, report) };
    },
  );
}

const expectationIn = (fields: Fields, document: Document, report: Report): Expectation =>
  readExpectation(fields.get("expect", "an object", isMapping) ?? { status: "succeeded" }, document, report);

function targetsOf(fields: Fields, known: readonly string[], document: Document, report: Report): readonly string[] {
  const targets = fields.get("targets", "a list of targets", isList);
  if (!targets) return known;
  const isTarget = (target: Json): target is string => isText(target) && known.includes(target);
  return passing(targets, [each("A target"), `one of ${known.join(", ")}`], isTarget, document, report).map(
    ([, target]) => target,
  );
}

function clockOf(fields: Fields, document: Document, report: Report): number {
  const text = fields.get("clock", "an instant, such as `2026-01-01T00:00:00Z`", isText) ?? "2026-01-01T00:00:00Z";
  const instant = parseInstant(text);
  if (!isTimeSyntaxError(instant)) return instant;
  report(invalidTime(document.spanOf(fields.owner, "clock"), instant));
  return 0;
}

function eventsOf(fields: Fields, document: Document, report: Report): Scenario["events"] {
  const events = fields.get("events", "a list", isList) ?? [];
  return passing(events, [each("An event"), "an object with `at` and `event`"], isMapping, document, report).flatMap(
    ([, item]) => {
      const noun = "an entry of `events`";
      if (!Object.hasOwn(item, "event")) {
        const hint = Object.hasOwn(item, "type")
          ? "The event's attributes and its data stand under `event`."
          : undefined;
        report(missingScenarioKey(document.spanOf(item), { name: "event", owner: noun, hint }));
        return [];
      }
      const event = fieldsOf(item, noun, ["at", "event"], document, report);
      const content = event.get("event", "a CloudEvent", isMapping);
      return content ? [{ at: event.seconds("at") ?? 0, event: content }] : [];
    },
  );
}

const optionsOf = (fields: Fields, inherited: Options, reader: OptionReader): Options =>
  mergeOptions(inherited, readOptions(fields.get("options", "values by option", isMapping) ?? {}, reader));

function secretsOf(fields: Fields, document: Document, report: Report): Scenario["secrets"] {
  const given = fields.get("secrets", "texts by id and key", isMapping) ?? {};
  const secrets = passing(given, [quoted, "texts by key"], isMapping, document, report);
  return new Map(
    secrets.map(([id, entries]) => [
      id,
      new Map(passing(entries, [quoted, "a text, or null where there is none"], isTextOrNull, document, report)),
    ]),
  );
}

/** The names of the secrets in a file or a scenario. */
function namedSecrets({ owner }: Fields, document: Document): readonly Named[] {
  const entriesOf = (value: Json | undefined): readonly (readonly [JsonObject, string, Json])[] =>
    isObject(value) ? Object.entries(value).map(([name, item]) => [value, name, item as Json]) : [];
  return entriesOf(own(owner, "secrets")).flatMap(([, id, keys]) =>
    entriesOf(keys).map(([entries, key]): Named => {
      return { kind: "secret", id, key, span: document.spanOf(entries, key, "key") };
    }),
  );
}

/** The functions of optional calls. A missing required call shows in the comparison. */
function possibleCalls({ owner }: Fields, document: Document): readonly Named[] {
  const expected = own(owner, "expect");
  const calls = isObject(expected) ? own(expected, "maybe") : undefined;
  return (Array.isArray(calls) ? (calls as readonly Json[]) : []).filter(isCall).map((call): Named => {
    const [name] = Object.keys(call) as [string];
    return { kind: "function", name, span: document.spanOf(call, name, "key") };
  });
}

const isTextOrNull = (value: Json): value is string | null => isText(value) || value === null;

/** Reads the results of functions: one for every call, or a list whose last one repeats. */
function readAnswers(functions: JsonObject, document: Document, report: Report): ReadonlyMap<string, Answers> {
  return new Map(
    Object.entries(functions).map(([name, given]) => {
      const list: readonly Json[] = Array.isArray(given) ? given : [given as Json];
      const answers = list.flatMap((item, i) =>
        readAnswer(item, Array.isArray(given) ? [given, i] : [functions, name], document, report),
      );
      return [name, { list: answers, span: document.spanOf(functions, name, "key") }];
    }),
  );
}

const answerKinds = ["returns", "throws", "computes", "never", "fails"];
const answerKeys = [...answerKinds, "takes", "heartbeats"];

function readAnswer(
  item: Json,
  [owner, key]: readonly [object, string | number],
  document: Document,
  report: Report,
): readonly Answer[] {
  const wanted = "one of `returns`, `throws`, `computes`, `never` and `fails`, perhaps with `takes`";
  const kinds = isObject(item) ? answerKinds.filter((kind) => Object.hasOwn(item, kind)) : [];
  if (isObject(item) && kinds.length === 0 && Object.keys(item).some((key) => nearestName(key, answerKeys))) {
    fieldsOf(item, "an answer", answerKeys, document, report).seconds("takes");
    return [];
  }
  if (!isObject(item) || kinds.length !== 1) {
    report(wrongScenarioValue(document.spanOf(owner, key), { subject: "An answer", wanted }));
    return [];
  }
  const [kind] = kinds as [string];
  const fields = fieldsOf(item, "an answer", answerKeys, document, report);
  const common = {
    takes: fields.seconds("takes") ?? 0,
    span: document.spanOf(item, kind),
    ...heartbeatsOf(fields, document, report),
  };
  switch (kind) {
    case "returns":
      return [{ ...common, does: { kind, value: own(item, kind)! } }];
    case "never":
      if (own(item, kind) !== true) fields.wrong(kind, "true");
      if (Object.hasOwn(item, "takes")) fields.wrong("takes", "left out where nothing arrives");
      return [{ ...common, does: { kind } }];
    case "throws":
    case "fails": {
      const error = thrownError(fields, kind);
      return error ? [{ ...common, does: { kind: "throws", error } }] : [];
    }
    default: {
      const program = fields.get("computes", "a jq program", isText);
      const expression = program === undefined ? undefined : expressionIn(program, item, document, report);
      return expression === undefined ? [] : [{ ...common, does: { kind: "computes", expression } }];
    }
  }
}

/** Reads when heartbeats arrive. */
function heartbeatsOf(
  fields: Fields,
  document: Document,
  report: Report,
): Pick<Answer, "heartbeats" | "heartbeatSpan"> {
  const list = fields.get("heartbeats", "a list of durations, such as `[PT20S, PT40S]`", isList);
  if (!list) return {};
  const heartbeats = passing(
    list,
    [each("A heartbeat"), "an ISO 8601 duration, such as `PT20S`"],
    isText,
    document,
    report,
  )
    .flatMap(([i, text]) => {
      const duration = parseDuration(text);
      if (!isTimeSyntaxError(duration)) return [secondsOf(duration).seconds];
      report(invalidTime(document.spanOf(list, Number(i)), duration));
      return [];
    })
    .sort((a, b) => a - b);
  return { heartbeats, heartbeatSpan: document.spanOf(fields.owner, "heartbeats", "key") };
}

/** Reads an error; the failure of a callback may have no name, which Step Functions writes as null. */
function thrownError(fields: Fields, key: string): JsonObject | undefined {
  const given = errorOf(fields.get(key, "an error, with `name` and `message`", isMapping));
  if (!given) return undefined;
  const error = withoutNulls(given);
  const name = own(error, "name");
  if (typeof name !== "string") fields.wrong(key, "an error with a text as its `name`");
  else if (name.startsWith("States.") && !raisedByTasks.test(name))
    fields.wrong(key, "an error of a function; names that begin with `States.` are those of a platform");
  return error;
}

/** The names of Step Functions that a task may raise. */
const raisedByTasks =
  /^States\.(?:TaskFailed|Timeout|HeartbeatTimeout|Permissions|DataLimitExceeded|ItemReaderFailed|ResultWriterFailed|Http\..+)$/;

/** Parses the jq program in `owner.computes`; undefined if invalid. */
function expressionIn(program: string, owner: JsonObject, document: Document, report: Report): Expression | undefined {
  const spanAt = (from: number, to: number) => document.spanWithin(owner, "computes", from, to);
  const read = readJq(program);
  if (!("expression" in read)) {
    for (const fault of read) report(jqDiagnostic(spanAt(fault.from, fault.to), fault));
    return undefined;
  }
  for (const { from, to, message } of read.warnings) report(precisionLoss(spanAt(from, to), { message }));
  return read.expression;
}
