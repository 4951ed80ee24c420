import { isObject, type Json, type JsonObject } from "../../../src/json.ts";
import { migrate } from "../../../src/migration/index.ts";
import type { Diagnostic } from "../../../src/text/diagnostics.ts";
import type { CaseChange, EquivalenceCase } from "../case.ts";

/** The definition in Serverless Workflow 1.0, if the migration is exact for the data of the case. */
export const migrated: CaseChange = {
  name: "migrate",
  renamesErrors: true,
  change(original) {
    const [main, ...subflows] = original.definitions;
    if (typeof main === "string" || subflows.length > 0) return undefined;
    const { text, diagnostics } = migrate(
      { path: "workflow.json", text: JSON.stringify(main) },
      { language: original.language, settings: original.options },
    );
    if (text === undefined || !diagnostics.every(isExact) || !hasPlainData(original)) return undefined;
    return { ...original, language: "serverless-workflow-1.0", definitions: [text], options: {} };
  },
};

/** Whether what a diagnostic assumes holds if all data are plain. */
function isExact({ code, message }: Diagnostic): boolean {
  if (code === "WB0704" || code === "WB0706") return true;
  if (code === "WB0702") return /^The attribute `kogitoproc/.test(message);
  if (code !== "WB0703") return false;
  if (/` is an object or null/.test(message)) return false;
  if (/result is an object or null/.test(message)) return /[`(]\.(?:\[0\])? \/\/ \{\}\)?`/.test(message);
  return /describes the function|no array of the same name|have no array where these/.test(message);
}

/** Whether data have no arrays, functions and events have objects, and filters select something. */
function hasPlainData({ definitions, scenarios }: EquivalenceCase): boolean {
  const { states } = definitions[0] as JsonObject;
  const text = JSON.stringify(states).replaceAll(/"arguments":\{"first":"[^"]*","list":\[[^\]]*\]\}/g, "");
  return !/\[\.|\.list|\[\]|"data":[^}]*\[|\{ empty \}|"output":"\$\{ \.b/.test(text) && scenarios.every(isPlain);
}

function isPlain({ input = {}, functions = {}, events = [] }: JsonObject): boolean {
  const returned = Object.values(functions as JsonObject)
    .flat()
    .map((response) => (response as JsonObject)["returns"]);
  const received = (events as readonly { readonly event: JsonObject }[]).map(({ event }) => event["data"]);
  const isPlainObject = (value: Json | undefined): boolean =>
    value === undefined || (isObject(value) && !JSON.stringify(value).includes("["));
  return [input, ...returned, ...received].every(isPlainObject);
}
