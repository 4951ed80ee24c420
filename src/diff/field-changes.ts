import type { NativeForm, Workflow } from "../ir/workflow.ts";
import { equalJson, isObject, type Json, type JsonObject, own, printJson } from "../json.ts";
import type { Aspect, Detail } from "./model.ts";

/** The fields of two definitions in one native form. */
export interface NativeFields {
  readonly old: FieldSet;
  readonly new: FieldSet;
}

type FieldSet = NonNullable<NativeForm["fields"]>;

/** The fields of two workflows, if both are definitions of one native form. */
export function nativeFields(old: Workflow, created: Workflow): NativeFields | undefined {
  const [before, after] = [old.native, created.native];
  return before?.fields && after?.fields && before.format === after.format
    ? { old: before.fields, new: after.fields }
    : undefined;
}

/**
 * The differences between the fields of a construct and its counterpart, by path: `Retry[0].MaxAttempts`. Fields that
 * are equal up to an inserted or removed element of an array are not listed.
 */
export function fieldChanges(old: JsonObject, created: JsonObject): readonly Detail[] {
  const details: Detail[] = [];
  compareMembers(old, created, "", details);
  return details;
}

/** The fields with which an added or removed construct is described. */
export const mainFields = (fields: JsonObject, kind: "added" | "removed"): readonly Detail[] =>
  ["Resource", "Error", "Seconds", "Timestamp"].flatMap((name) => {
    const value = own(fields, name);
    return value === undefined ? [] : [changeAt(name, kind === "added" ? {} : { old: value }, kind, value)];
  });

function changeAt(path: string, { old }: { readonly old?: Json }, kind: "added" | "removed", value: Json): Detail {
  return { aspect: aspectOf(path), kind, text: path, [old === undefined ? "new" : "old"]: { text: printJson(value) } };
}

function compareMembers(old: JsonObject, created: JsonObject, path: string, details: Detail[]): void {
  for (const name of Object.keys({ ...old, ...created }))
    compare(own(old, name), own(created, name), path === "" ? name : `${path}${memberPath(name)}`, details);
}

const memberPath = (name: string): string => (/^[\w-]+(?:\.\$)?$/.test(name) ? `.${name}` : `['${name}']`);

function compare(old: Json | undefined, created: Json | undefined, path: string, details: Detail[]): void {
  if (old !== undefined && created !== undefined && equalJson(old, created)) return;
  if (old !== undefined && created !== undefined && isObject(old) && isObject(created))
    compareMembers(old, created, path, details);
  else if (Array.isArray(old) && Array.isArray(created) && [...old, ...created].some((each) => isObject(each)))
    compareElements(old as readonly Json[], created as readonly Json[], path, details);
  else
    details.push({
      aspect: aspectOf(path),
      kind: old === undefined ? "added" : created === undefined ? "removed" : "changed",
      text: path,
      ...(old === undefined ? {} : { old: { text: printJson(old) } }),
      ...(created === undefined ? {} : { new: { text: printJson(created) } }),
    });
}

/** Equal elements at the start and at the end correspond; between them, elements correspond in order. */
function compareElements(old: readonly Json[], created: readonly Json[], path: string, details: Detail[]): void {
  const least = Math.min(old.length, created.length);
  let start = 0;
  while (start < least && equalJson(old[start]!, created[start]!)) start += 1;
  let end = 0;
  while (end < least - start && equalJson(old.at(-1 - end)!, created.at(-1 - end)!)) end += 1;
  const count = Math.max(old.length, created.length) - start - end;
  for (let i = start; i < start + count; i += 1) {
    const [a, b] = [i < old.length - end ? old[i] : undefined, i < created.length - end ? created[i] : undefined];
    compare(a, b, `${path}[${i}]`, details);
  }
}

/** What a field concerns, by its name. */
function aspectOf(path: string): Aspect {
  if (/^(?:Next|End|Default|StartAt)$|\.Next$/.test(path)) return "transition";
  if (/^Choices\b/.test(path)) return "condition";
  if (/^(?:Retry|Catch|Error|Cause)/.test(path)) return "error";
  if (/^(?:Resource|Parameters|Arguments|TimeoutSeconds|HeartbeatSeconds|Credentials)/.test(path)) return "call";
  if (/^(?:Seconds|Timestamp)/.test(path)) return "wait";
  return "data";
}
