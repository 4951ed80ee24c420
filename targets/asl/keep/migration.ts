import { isObject, type Json, type JsonObject, own } from "../../../src/json.ts";
import { type NativeScope, type NativeState, nativeScopesIn } from "./machine.ts";

/**
 * The states in JSONPath with a path or an intrinsic function that may fail. In JSONata, it fails with
 * `States.QueryEvaluationError` instead of `States.Runtime`.
 */
export function migratedStates(machine: JsonObject & NativeScope): readonly string[] {
  if (own(machine, "QueryLanguage") === "JSONata") return [];
  const collect = ({ States }: NativeScope): readonly string[] =>
    Object.entries(States).flatMap(([name, state]) => [
      ...(own(state, "QueryLanguage") !== "JSONata" && readsPaths(state) ? [name] : []),
      ...nativeScopesIn(state).flatMap(collect),
    ]);
  return collect(machine);
}

const templates: ReadonlySet<string> = new Set(["Parameters", "ResultSelector", "ItemSelector", "Assign"]);

function readsPaths(state: NativeState): boolean {
  return Object.entries(state).some(([name, value]) => {
    if (templates.has(name)) return readsInTemplate(value);
    if (name === "Choices" || name === "Catch") return readsInRules(value);
    return name.endsWith("Path") && name !== "ResultPath" && isReading(value);
  });
}

/** Whether a path may find nothing. Whole inputs are always there, and so are the members of the context object. */
const isReading = (value: Json): boolean =>
  typeof value === "string" && value.trim() !== "$" && !contextMember.test(value.trim());

const contextMember =
  /^\$\$(?:\.(?:Execution(?:\.(?:Id|Input|Name|RoleArn|StartTime))?|State(?:\.(?:EnteredTime|Name|RetryCount))?|StateMachine(?:\.(?:Id|Name))?|Task(?:\.Token)?|Map\.Item(?:\.(?:Index|Value))?))?$/;

const readsInTemplate = (value: Json): boolean =>
  typeof value === "object" &&
  value !== null &&
  Object.entries(value as JsonObject).some(([name, part]) =>
    name.endsWith(".$") ? isReading(part) : readsInTemplate(part),
  );

function readsInRules(value: Json): boolean {
  if (Array.isArray(value)) return (value as readonly Json[]).some(readsInRules);
  if (!isObject(value)) return false;
  const isTested = own(value, "IsPresent") !== undefined;
  return Object.entries(value).some(([name, part]) => {
    if (name === "Assign") return readsInTemplate(part);
    if (name === "Variable") return !isTested && isReading(part);
    return name.endsWith("Path") && name !== "ResultPath" ? isReading(part) : readsInRules(part);
  });
}
