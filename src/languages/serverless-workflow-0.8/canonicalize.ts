import type { CopyOrigin, Document } from "../../documents/index.ts";
import { spelling } from "../../generated/serverless-workflow-0.8-definition.ts";
import { isObject, type Json, type JsonObject, own, setOwn } from "../../json.ts";
import type { Report } from "../../text/diagnostics.ts";
import { isFlowResource, versionOf } from "../shared/serverless-workflow-versions.ts";
import { canonicalize as foldSpelling } from "../shared/spelling.ts";
import { disagreeingName, noEffect, numberAsText, olderVersion, wrongSpecVersion } from "./diagnostics/kinds.ts";

/** Opens a resource of kind SonataFlow, folds spellings and short forms, and converts numbers to strings. */
export function canonicalize(written: Document, report: Report): Document {
  const opened = openResource(written, report);
  reportVersion(opened, opened !== written, report);
  return withTexts(foldSpelling(opened, spelling, report), report);
}

/** The workflow of a resource is `spec.flow`, with the name and annotations of the resource. */
function openResource(document: Document, report: Report): Document {
  const { value } = document;
  if (!isObject(value) || !isFlowResource(value)) return document;
  const flow = own(own(value, "spec") as JsonObject, "flow") as JsonObject;
  const metadata = objectAt(value, "metadata");
  const annotations = objectAt(metadata, "annotations");
  const moved = new Map<string, { readonly owner: object; readonly name: string }>();
  const copy: { [key: string]: Json } = { ...flow, dialect: own(flow, "dialect") ?? "sonataflow" };
  const take = (name: string, owner: JsonObject, key: string) => {
    const given = own(owner, key);
    if (typeof given !== "string" && typeof given !== "number") return;
    const other = own(flow, name);
    if (other !== undefined && other !== given && (name === "id" || name === "version"))
      report(disagreeingName(document.spanOf(flow, name), { name, other: String(given) }));
    if (other !== undefined && name !== "id") return;
    setOwn(copy, name, given);
    moved.set(name, { owner, name: key });
  };
  take("id", metadata, "name");
  take("version", annotations, "sonataflow.org/version");
  take("description", annotations, "sonataflow.org/description");
  return document.withValue(copy, new Map([[copy, { of: flow, moved }]]));
}

function objectAt(owner: JsonObject, key: string): JsonObject {
  const value = own(owner, key) ?? null;
  return isObject(value) ? value : {};
}

function reportVersion(document: Document, isResource: boolean, report: Report): void {
  const { value } = document;
  if (!isObject(value)) return;
  const declared = own(value, "specVersion");
  if (declared === undefined) {
    if (!isResource) report(wrongSpecVersion(document.start, { written: undefined }));
    return;
  }
  const span = document.spanOf(value, "specVersion");
  const text = typeof declared === "number" ? declared.toFixed(1) : String(declared);
  if (/^0\.7/.test(text) || versionOf(value)?.version === "0.7") report(olderVersion(span, {}));
  else if (!/^v?0\.8(?:\.|$)/.test(text)) report(wrongSpecVersion(span, { written: text }));
}

/** Converts the number in `version: 1.0` to a string, and removes `end: false`. */
function withTexts(document: Document, report: Report): Document {
  const { value } = document;
  if (!isObject(value)) return document;
  const origins = new Map<object, CopyOrigin>();
  const changed = new Map<string, Json>();
  for (const key of ["version", "id", "name"]) {
    const given = own(value, key);
    if (typeof given !== "number") continue;
    const span = document.spanOf(value, key);
    const text = document.source.text.slice(span.start, span.end);
    report(numberAsText(span, { name: key, text }));
    changed.set(key, text);
  }
  const states = own(value, "states");
  const list = Array.isArray(states) ? (states as readonly Json[]) : [];
  const kept = list.map((state) => withoutFalseEnd(document, state, origins, report));
  if (kept.some((state, index) => state !== list[index])) {
    origins.set(kept, { of: list });
    changed.set("states", kept);
  }
  if (changed.size === 0) return document;
  const copy: { [key: string]: Json } = {};
  for (const key of Object.keys(value)) setOwn(copy, key, changed.get(key) ?? value[key]!);
  origins.set(copy, { of: value });
  return document.withValue(copy, origins);
}

function withoutFalseEnd(document: Document, state: Json, origins: Map<object, CopyOrigin>, report: Report): Json {
  if (!isObject(state) || own(state, "end") !== false) return state;
  report(
    noEffect(document.spanOf(state, "end"), {
      name: "end: false",
      why: "a state without `end` does not end the run either",
    }),
  );
  const copy: { [key: string]: Json } = {};
  for (const key of Object.keys(state)) if (key !== "end") setOwn(copy, key, state[key]!);
  origins.set(copy, { of: state });
  return copy;
}
