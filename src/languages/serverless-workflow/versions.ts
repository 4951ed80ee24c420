import { isObject, type Json, type JsonObject, own } from "../../json.ts";
import type { Evidence } from "../../language.ts";

/** A version of Serverless Workflow other than the draft of June 2020. */
export interface DetectedVersion {
  readonly name: string;
  readonly mark: Evidence;
  /** Whether the mark is of no other language. */
  readonly isCertain: boolean;
}

/** Finds the version of a definition by what it declares or by features that the draft of June 2020 lacks. */
export function versionOf(value: JsonObject): DetectedVersion | undefined {
  const document = own(value, "document");
  if (isObject(document) && Object.hasOwn(document, "dsl"))
    return { name: "Serverless Workflow 1.0", mark: { owner: document, key: "dsl" }, isCertain: true };
  const flow = own(value, "kind") === "SonataFlow" && isObject(own(value, "spec"));
  if (flow)
    return {
      name: "a SonataFlow resource with Serverless Workflow 0.8",
      mark: { owner: value, key: "kind" },
      isCertain: true,
    };
  const states = own(value, "states");
  const listed: readonly Json[] = Array.isArray(states) ? states : isObject(states) ? Object.values(states) : [];
  const typed = listed.filter(isObject).filter((state) => Object.hasOwn(state, "type"));
  if (own(value, "specVersion") !== undefined && (typed.length > 0 || Array.isArray(states)))
    return declaredVersion(value, own(value, "specVersion")!);
  if (typed.length === 0) return undefined;
  const old = versionOf2019(value, typed);
  if (old)
    return {
      name: "the Serverless Workflow draft of 2019",
      mark: old,
      isCertain: certainKeysOf2019.has(old.key ?? ""),
    };
  return Array.isArray(states) ? versionByFeatures(value, typed) : undefined;
}

function declaredVersion(value: JsonObject, version: Json): DetectedVersion {
  const [number] = /\d+(?:\.\d+)?/.exec(typeof version === "number" ? version.toFixed(1) : String(version)) ?? [];
  return {
    name: `Serverless Workflow ${number?.slice(0, 10) ?? "0.7 to 0.9"}`,
    mark: { owner: value, key: "specVersion" },
    isCertain: true,
  };
}

const certainKeysOf2019: ReadonlySet<string> = new Set(["starts-at", "exec-status", "execStatus", "triggerDefs"]);

/** The drafts from autumn 2019 to April 2020, in hyphens and later in camel case. */
function versionOf2019(value: JsonObject, states: readonly JsonObject[]): Evidence | undefined {
  const actions = states.flatMap((state) => objectsIn(own(state, "actions")));
  const choices = states.flatMap((state) => objectsIn(own(state, "choices")));
  const marks = [
    ...[...certainKeysOf2019].map((key) => findKey([value], key)),
    ...["wait-for-completion", "loop"].map((key) => findKey(states, key)),
    ...(Array.isArray(own(value, "states"))
      ? [
          findKey(states, "choices", Array.isArray),
          findKey(states, "end", (end) => isObject(end) && Object.hasOwn(end, "status")),
          findKey(states, "events", (events) => objectsIn(events).some(hasEventExpression)),
          findKey(actions, "function"),
          findKey(states, "type", (type) => type === "RELAY"),
          ...["single", "and", "or", "not"].map((key) => findKey(choices, key)),
        ]
      : []),
  ];
  return marks.find((mark) => mark !== undefined);
}

const hasEventExpression = (event: JsonObject): boolean =>
  Object.hasOwn(event, "eventExpression") || Object.hasOwn(event, "event-expression");

function versionByFeatures(value: JsonObject, states: readonly JsonObject[]): DetectedVersion | undefined {
  const certain = certainMarksOfVersion05(value, states).find((mark) => mark !== undefined);
  const since = [
    ["Serverless Workflow 0.7 or 0.8", marksOfVersion07(value, states)],
    ["Serverless Workflow 0.6", marksOfVersion06(value, states)],
    ["Serverless Workflow 0.5", marksOfVersion05(value, states)],
  ] as const;
  const found = since.map(([name, marks]) => ({ name, marks: marks.filter((mark) => mark !== undefined) }));
  const count = found.reduce((sum, { marks }) => sum + marks.length, 0);
  const latest = found.find(({ marks }) => marks.length > 0);
  if (!latest) return certain && { name: "Serverless Workflow 0.5", mark: certain, isCertain: false };
  const kinds = latest.name === "Serverless Workflow 0.5" ? 0 : countKinds(states);
  if (!certain && draftFeatures(value, states) + kinds > count) return undefined;
  return { name: latest.name, mark: latest.marks[0]!, isCertain: false };
}

type Marks = readonly (Evidence | undefined)[];

function marksOfVersion07(value: JsonObject, states: readonly JsonObject[]): Marks {
  const actions = actionsIn(states);
  return [
    ...["timeouts", "auth", "secrets", "autoRetries"].map((key) => findKey([value], key)),
    findKey([value], "errors", (errors) => objectsIn(errors).length > 0),
    ...["defaultCondition", "timeouts"].map((key) => findKey(states, key)),
    findKey(states, "type", (type) => type === "sleep"),
    ...["subFlowRef", "retryRef", "retryableErrors", "nonRetryableErrors", "sleep"].map((key) => findKey(actions, key)),
    findKey(
      states.flatMap((state) => objectsIn(own(state, "onErrors"))),
      "errorRef",
    ),
  ];
}

function marksOfVersion06(value: JsonObject, states: readonly JsonObject[]): Marks {
  const references = actionsIn(states).flatMap((action) => objectsIn([own(action, "functionRef") ?? null]));
  return [
    findKey([value], "start"),
    findKey(states, "end", (end) => typeof end === "boolean"),
    findKey(states, "transition", (transition) => typeof transition === "string"),
    findKey(references, "arguments"),
    findKey(
      states.flatMap((state) => objectsIn([own(state, "stateDataFilter") ?? null])),
      "output",
    ),
  ];
}

/** Features of 0.5 that the draft has in another form: renamed events, separate retries, expressions in braces. */
function certainMarksOfVersion05(value: JsonObject, states: readonly JsonObject[]): Marks {
  const actions = actionsIn(states);
  const filters = [
    ...states.flatMap((state) => objectsIn([own(state, "stateDataFilter") ?? null])),
    ...actions.flatMap((action) => objectsIn([own(action, "actionDataFilter") ?? null])),
  ];
  const inBraces = (path: Json): boolean => typeof path === "string" && /^\s*\{\{/.test(path);
  const lists = (key: string) => states.flatMap((state) => objectsIn(own(state, key)));
  return [
    findKey([value], "retries", (retries) => objectsIn(retries).length > 0),
    findKey(states, "onEvents", Array.isArray),
    findKey(states, "onErrors", (errors) => objectsIn(errors).some((error) => Object.hasOwn(error, "error"))),
    ...["dataInputPath", "dataOutputPath", "dataResultsPath"].map((key) => findKey(filters, key, inBraces)),
    findKey(lists("dataConditions"), "condition", inBraces),
    findKey(lists("onError"), "expression", inBraces),
    findKey(lists("eventConditions"), "end"),
    findKey(
      actions.flatMap((action) => objectsIn([own(action, "eventRef") ?? null])),
      "triggerEventRef",
    ),
    ...["events", "functions"].map((key) => findKey([value], key, (path) => typeof path === "string")),
  ];
}

/** Features of 0.5 that a definition in the draft may have by mistake. */
function marksOfVersion05(value: JsonObject, states: readonly JsonObject[]): Marks {
  const conditions = states.flatMap((state) => objectsIn(own(state, "dataConditions")));
  const branches = states.flatMap((state) => objectsIn(own(state, "branches")));
  const loops = states.filter((state) => own(state, "type") === "foreach");
  const has = (key: string) => (value: Json) => isObject(value) && Object.hasOwn(value, key);
  return [
    findKey([value], "retries", () => countKinds(states) === 0),
    findKey(objectsIn(own(value, "functions")), "operation"),
    findKey(conditions, "condition"),
    findKey(states, "default", has("transition")),
    ...["actions", "workflowId"].flatMap((key) => [findKey(branches, key), findKey(loops, key)]),
    findKey(loops, "iterationParam"),
    ...["compensatedBy", "usedForCompensation", "repeat"].map((key) => findKey(states, key)),
    findKey(objectsIn(own(value, "events")), "correlation"),
    findKey([value], "execTimeout"),
  ];
}

/** How many features does the definition have that only the draft of June 2020 has. */
function draftFeatures(value: JsonObject, states: readonly JsonObject[]): number {
  const conditions = states.flatMap((state) => objectsIn(own(state, "dataConditions")));
  const branches = states.flatMap((state) => objectsIn(own(state, "branches")));
  const loops = states.filter((state) => own(state, "type") === "foreach");
  const has = (key: string) => (value: Json) => isObject(value) && Object.hasOwn(value, key);
  const marks = [
    findKey([value], "startsAt"),
    findKey(objectsIn(own(value, "functions")), "resource"),
    findKey(objectsIn(own(value, "events")), "correlationToken"),
    ...["eventsActions", "onError", "retry"].map((key) => findKey(states, key, Array.isArray)),
    ...["path", "operator"].map((key) => findKey(conditions, key)),
    findKey(states, "default", has("nextState")),
    findKey(branches, "states"),
    findKey(loops, "states"),
    findKey(loops, "inputParameter"),
    ...["end", "transition"].map((key) => findKey(states, key, has("produceEvent"))),
  ];
  return marks.filter((mark) => mark !== undefined).length;
}

/** Whether starts and ends have kinds, as until 0.5. */
function countKinds(states: readonly JsonObject[]): number {
  const hasKind = (value: Json): boolean => isObject(value) && Object.hasOwn(value, "kind");
  return ["start", "end"].filter((key) => findKey(states, key, hasKind)).length;
}

function actionsIn(states: readonly JsonObject[]): readonly JsonObject[] {
  const holders = states.flatMap((state) => [
    state,
    ...["onEvents", "eventsActions", "branches"].flatMap((key) => objectsIn(own(state, key))),
  ]);
  return holders.flatMap((holder) => [
    ...objectsIn(own(holder, "actions")),
    ...objectsIn([own(holder, "action") ?? null]),
  ]);
}

function findKey(
  objects: readonly JsonObject[],
  key: string,
  isMark: (value: Json) => boolean = () => true,
): Evidence | undefined {
  const owner = objects.find((object) => Object.hasOwn(object, key) && isMark(object[key]!));
  return owner && { owner, key };
}

const objectsIn = (list: Json | undefined): readonly JsonObject[] => (Array.isArray(list) ? list.filter(isObject) : []);
