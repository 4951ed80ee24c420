import { isObject, type Json, type JsonObject, own } from "../../json.ts";
import type { Evidence } from "../../language.ts";

/** A version of CNCF Serverless Workflow; `draft` is that of June 2020. */
export type FamilyVersion = "1.0" | "0.9" | "0.8" | "0.7" | "0.6" | "0.5" | "draft" | "0.1" | "2019";

/** A definition's version. */
export interface DetectedVersion {
  readonly version: FamilyVersion;
  /** What shows the version. */
  readonly mark: Evidence;
  /** Whether no other language has the mark. */
  readonly isCertain: boolean;
  /** Whether it is a Kubernetes resource, with the workflow in `spec.flow`. */
  readonly isResource?: boolean | undefined;
}

/** What a version that Waybill does not read is called, and what to do. */
export const unreadVersions: {
  readonly [version in FamilyVersion]?: { readonly name: string; readonly advice: string };
} = {
  "0.9": {
    name: "Serverless Workflow 0.9",
    advice: "No engine runs 0.9. Write the definition in 0.8, or in 1.0.",
  },
  "0.6": {
    name: "Serverless Workflow 0.6",
    advice:
      "Write it in 0.8: `sleep` and `duration` for `delay` and `timeDelay`, `defaultCondition` for `default`, `allOf` or `atLeast` with `numCompleted` for `and`, `xor` or `n_of_m` with `n`, an action with `subFlowRef` for a subflow state, `errorRef` and top-level `errors` for `error` and `code`, `retryRef` in the action, `specVersion: '0.8'`, `batchSize` for `max`.",
  },
  "0.5": {
    name: "Serverless Workflow 0.5",
    advice:
      "Write it in 0.8: jq between a dollar sign and braces for `{{ $.order }}`, a top-level `start`, `end: true`, `transition: Ship`, `actions` for `workflowId`, `specVersion: '0.8'`.",
  },
  "0.1": {
    name: "release 0.1 of Serverless Workflow",
    advice:
      "Write it in the draft of June 2020, or in 0.8: `dataConditions` for `choices`, lower-case types of states.",
  },
  "2019": {
    name: "one of the Serverless Workflow drafts of autumn 2019",
    advice:
      "Write it in the draft of June 2020, or in 0.8: camel case, `dataConditions` for `choices`, `functionRef` for `function`, an `end` without a status.",
  },
};

/** Finds the version of a definition by what it declares, otherwise by features of single versions. */
export function versionOf(value: JsonObject): DetectedVersion | undefined {
  const document = own(value, "document");
  if (isObject(document) && Object.hasOwn(document, "dsl"))
    return { version: "1.0", mark: { owner: document, key: "dsl" }, isCertain: true };
  if (isFlowResource(value))
    return { version: "0.8", mark: { owner: value, key: "kind" }, isCertain: true, isResource: true };
  const parts = partsOf(value);
  if (parts.state.length === 0 && !Array.isArray(own(value, "states"))) return undefined;
  return declaredVersion(value, parts) ?? versionByMarks(parts);
}

/** Whether a value is a Kubernetes resource of SonataFlow. */
export function isFlowResource(value: JsonObject): boolean {
  const spec = own(value, "spec");
  return own(value, "kind") === "SonataFlow" && isObject(spec) && isObject(own(spec, "flow"));
}

/** Whether a document holds only definitions that workflows refer to. */
export function isDefinitionsFile(value: Json): boolean {
  if (!isObject(value)) return false;
  const keys = Object.keys(value).filter((key) => !/^(?:x-|id$|name$|version$|description$)/.test(key));
  return keys.length > 0 && keys.every((key) => definitionLists.test(key) && objectsIn(value[key]).length > 0);
}

const definitionLists = /^(?:functions|events|errors|retries|secrets)$/;

function declaredVersion(value: JsonObject, parts: DocumentParts): DetectedVersion | undefined {
  const declared = own(value, "specVersion");
  if (declared === undefined) return undefined;
  const text = typeof declared === "number" ? declared.toFixed(1) : String(declared);
  const [, number = ""] = /(\d+\.\d+)/.exec(text) ?? [];
  const mark = { owner: value, key: "specVersion" };
  if (/^0\.[5-9]$/.test(number)) return { version: number as FamilyVersion, mark, isCertain: true };
  // Definitions of SonataFlow declare 1.0 by mistake.
  const others = versionByMarks(parts);
  return others && others.version !== "draft"
    ? { ...others, isCertain: true }
    : { version: "1.0", mark, isCertain: true };
}

function versionByMarks(parts: DocumentParts): DetectedVersion | undefined {
  const found = (version: string) => marks.get(version)!.flatMap((mark) => locate(mark, parts));
  const result = (version: FamilyVersion, mark: Evidence, isCertain = false) => ({ version, mark, isCertain });
  for (const version of ["2019", "0.1"] as const) {
    const [mark] = found(version);
    if (mark) return result(version, mark, certainKeys.has(mark.key ?? ""));
  }
  if (parts.listed!.length === 0) return undefined;
  const counts = ["0.9", "0.8", "0.7", "0.6", "since 0.6", "0.5"].map((name) => ({ name, marks: found(name) }));
  const [renamed] = found("0.5 or draft, certainly");
  const total = counts.reduce((sum, each) => sum + each.marks.length, 0);
  const latest = counts.find((each) => each.marks.length > 0);
  if (!latest) return renamed && result("0.5", renamed);
  const draft = found("draft");
  if (!renamed && draft.length + (latest.name === "0.5" ? 0 : kindsOf(parts)) > total)
    return result("draft", draft[0]!);
  const isOld = (latest.name === "since 0.6" || latest.name === "0.6") && kindsOf(parts) > 0;
  if (isOld && renamed) return result("0.5", renamed);
  // What 0.6, 0.7 and 0.8 have in common means the same in each.
  const version = latest.name === "since 0.6" ? "0.8" : (latest.name as FamilyVersion);
  return result(version, latest.marks[0]!);
}

/** The objects of a document by their place. */
interface DocumentParts {
  readonly [place: string]: readonly JsonObject[];
  readonly state: readonly JsonObject[];
}

/** A feature that shows a version. */
interface VersionMark {
  readonly version: string;
  readonly place: string;
  readonly key: string;
  readonly holds: (value: Json) => boolean;
}

const locate = ({ place, key, holds }: VersionMark, parts: DocumentParts): readonly Evidence[] => {
  const owner = parts[place]?.find((each) => Object.hasOwn(each, key) && holds(each[key]!));
  return owner ? [{ owner, key }] : [];
};

const has =
  (...keys: readonly string[]) =>
  (value: Json): boolean =>
    isObject(value) && keys.some((key) => Object.hasOwn(value, key));
const is =
  (...words: readonly Json[]) =>
  (value: Json): boolean =>
    words.includes(value);
const isText = (value: Json): boolean => typeof value === "string";
const isInBraces = (value: Json): boolean => typeof value === "string" && /^\s*\{\{/.test(value);
const anyValue = (): boolean => true;

/** Marks of the same version and place; a string of names, or names with the values that are marks. */
const table = (
  version: string,
  place: string,
  names: string,
  holds: (value: Json) => boolean = anyValue,
): readonly VersionMark[] => names.split(" ").map((key) => ({ version, place, key, holds }));

const certainKeys: ReadonlySet<string> = new Set(["starts-at", "exec-status", "execStatus", "triggerDefs"]);

const marks: ReadonlyMap<string, readonly VersionMark[]> = Map.groupBy(
  [
    ...table("2019", "document", "starts-at exec-status execStatus triggerDefs"),
    ...table("2019", "state", "wait-for-completion loop"),
    ...table("2019", "withList", "trigger-defs"),
    ...table("2019", "listed", "action-mode event-actions events-actions"),
    ...table("0.1", "listed", "choices", Array.isArray),
    ...table("2019", "listed", "end", has("status")),
    ...table("2019", "listed", "events", (list) => objectsIn(list).some(has("eventExpression", "event-expression"))),
    ...table("2019", "listedAction", "function"),
    ...table("0.1", "listed", "type", is("RELAY")),
    ...table("2019", "choice", "single and or not"),
    ...table("0.9", "document", "errors", has("definitions", "handlers", "policies")),
    ...table("0.9", "function", "type", is("http")),
    ...table("0.9", "action", "publish subscribe"),
    ...table("0.9", "state", "onErrors", isText),
    ...table("0.8", "action", "condition"),
    ...table("0.8", "reference", "invoke onParentComplete resultEventTimeout"),
    ...table("0.8", "filter", "useResults useData"),
    ...table("0.8", "function", "type", is("custom")),
    ...table("0.8", "extension", "extensionid"),
    ...table("0.7", "document", "timeouts auth secrets constants autoRetries continueAs"),
    ...table("0.7", "document", "errors", (errors) => objectsIn(errors).length > 0),
    ...table("0.7", "document", "dataInputSchema", has("failOnValidationErrors")),
    ...table("0.7", "state", "defaultCondition timeouts numCompleted"),
    ...table("0.7", "state", "type", is("sleep")),
    ...table("0.7", "state", "completionType", is("allOf", "atLeast")),
    ...table("0.7", "foreach", "mode batchSize"),
    ...table("0.7", "action", "subFlowRef retryRef retryableErrors nonRetryableErrors sleep"),
    ...table("0.7", "onError", "errorRef errorRefs"),
    ...table("0.6", "document", "schemaVersion execTimeout"),
    ...table("0.6", "foreign06", "type", is("delay", "subflow")),
    ...table("since 0.6", "document", "start", (start) => isText(start) || has("stateName")(start)),
    ...table("since 0.6", "state", "end", (end) => typeof end === "boolean"),
    ...table("since 0.6", "state", "transition", isText),
    ...table("since 0.6", "stateFilter", "input output"),
    ...table("since 0.6", "reference", "arguments"),
    ...table("since 0.6", "action", "functionRef", isText),
    ...table("0.5 or draft, certainly", "document", "retries", (retries) => objectsIn(retries).length > 0),
    ...table("0.5 or draft, certainly", "state", "onEvents", Array.isArray),
    ...table("0.5 or draft, certainly", "state", "onErrors", (errors) => objectsIn(errors).some(has("error"))),
    ...table("0.5 or draft, certainly", "filter", "dataInputPath dataOutputPath dataResultsPath", isInBraces),
    ...table("0.5 or draft, certainly", "dataCondition", "condition", isInBraces),
    ...table("0.5 or draft, certainly", "onErrorOfDraft", "expression", isInBraces),
    ...table("0.5 or draft, certainly", "eventCondition", "end"),
    ...table("0.5 or draft, certainly", "reference", "triggerEventRef"),
    ...table("0.5 or draft, certainly", "document", "events functions", isText),
    ...table("0.5", "withoutKinds", "retries"),
    ...table("0.5", "function", "operation"),
    ...table("0.5", "dataCondition", "condition"),
    ...table("0.5", "state", "default", has("transition")),
    ...table("0.5", "branch", "actions workflowId"),
    ...table("0.5", "foreach", "actions workflowId iterationParam"),
    ...table("0.5", "state", "compensatedBy usedForCompensation repeat"),
    ...table("0.5", "event", "correlation"),
    ...table("draft", "document", "startsAt"),
    ...table("draft", "function", "resource"),
    ...table("draft", "event", "correlationToken"),
    ...table("draft", "state", "eventsActions onError retry", Array.isArray),
    ...table("draft", "dataCondition", "path operator"),
    ...table("draft", "state", "default", has("nextState")),
    ...table("draft", "branch", "states"),
    ...table("draft", "foreach", "states inputParameter"),
    ...table("draft", "state", "end transition", has("produceEvent")),
  ],
  ({ version }) => version,
);

/** How many of starts and ends have kinds, as until 0.5. */
const kindsOf = ({ state }: DocumentParts): number =>
  ["start", "end"].filter((key) => state.some((each) => has("kind")(own(each, key) ?? null))).length;

function partsOf(value: JsonObject): DocumentParts {
  const states = own(value, "states");
  const listed = Array.isArray(states)
    ? objectsIn(states)
    : isObject(states)
      ? Object.values(states).filter(isObject)
      : [];
  const state = listed.filter((each) => Object.hasOwn(each, "type"));
  const lists = (owners: readonly JsonObject[], ...keys: readonly string[]) =>
    owners.flatMap((owner) => keys.flatMap((key) => objectsIn(own(owner, key))));
  const members = (owners: readonly JsonObject[], ...keys: readonly string[]) =>
    owners.flatMap((owner) => keys.map((key) => own(owner, key) ?? null).filter(isObject));
  const holders = [...state, ...lists(state, "onEvents", "eventsActions", "branches")];
  const action = [...lists(holders, "actions"), ...members(holders, "action")];
  const isArray = Array.isArray(states);
  const stateFilter = members(state, "stateDataFilter");
  const onError = lists(state, "onErrors");
  const parts: DocumentParts = {
    document: [value],
    state,
    listed: isArray ? state : [],
    withList: isArray ? [value] : [],
    action,
    listedAction: isArray ? action : [],
    choice: isArray ? lists(state, "choices") : [],
    function: lists([value], "functions"),
    event: lists([value], "events"),
    extension: lists([value], "extensions"),
    reference: members(action, "functionRef", "subFlowRef", "eventRef"),
    stateFilter,
    filter: [
      ...stateFilter,
      ...members(action, "actionDataFilter"),
      ...members([...state, ...lists(state, "onEvents", "eventConditions")], "eventDataFilter"),
    ],
    branch: lists(state, "branches"),
    foreach: state.filter((each) => own(each, "type") === "foreach"),
    onError,
    onErrorOfDraft: lists(state, "onError"),
    dataCondition: lists(state, "dataConditions"),
    eventCondition: lists(state, "eventConditions"),
  };
  const hasKinds = kindsOf(parts) > 0;
  return {
    ...parts,
    withoutKinds: hasKinds ? [] : [value],
    foreign06: hasKinds
      ? []
      : state.filter((each) => own(each, "end") === true || isText(own(each, "transition") ?? null)),
  };
}

const objectsIn = (list: Json | undefined): readonly JsonObject[] => (Array.isArray(list) ? list.filter(isObject) : []);
