import type { Document } from "../../documents/index.ts";
import { isObject, type JsonObject, own } from "../../json.ts";
import type { DiagnosticKind, Report } from "../../text/diagnostics.ts";
import type { ResourceReader } from "../../text/uris.ts";
import type { Place } from "../model.ts";

/** What the readers of a definition share. */
export interface ReaderContext {
  readonly definition: JsonObject;
  /** Of SonataFlow: bare programs in arguments are expressions. */
  readonly isSonataFlow: boolean;
  /** The secrets that expressions read. */
  readonly secrets: Set<string>;
  readonly functions: ReadonlyMap<string, JsonObject>;
  readonly events: ReadonlyMap<string, JsonObject>;
  readonly retries: ReadonlyMap<string, JsonObject>;
  readonly errors: ReadonlyMap<string, JsonObject>;
  /** URIs by the names that SonataFlow's extension `workflow-uri-definitions` gives them. */
  readonly uris: ReadonlyMap<string, string>;
  tell<Args>(kind: DiagnosticKind<Args>, place: Place, args: Args): void;
}

/** How a definition is read. */
export interface ReaderOptions {
  readonly isSonataFlow: boolean;
  readonly read: ResourceReader | undefined;
}

/** Creates a context. */
export function contextOf(
  document: Document,
  definition: JsonObject,
  { isSonataFlow }: ReaderOptions,
  report: Report,
): ReaderContext {
  return {
    definition,
    isSonataFlow,
    secrets: new Set(),
    functions: named(definition, "functions"),
    events: named(definition, "events"),
    retries: named(definition, "retries"),
    errors: named(definition, "errors"),
    uris: urisOf(definition),
    tell: (kind, { owner, key }, args) =>
      report(kind(document.spanOf(owner, key, key === undefined ? undefined : "key"), args)),
  };
}

function named(definition: JsonObject, key: string): ReadonlyMap<string, JsonObject> {
  const list = objectsAt(definition, key);
  return new Map(list.map((each) => [textAt(each, "name") ?? "", each]));
}

function urisOf(definition: JsonObject): ReadonlyMap<string, string> {
  const extensions = objectsAt(definition, "extensions");
  const found = extensions.find((each) => textAt(each, "extensionid") === "workflow-uri-definitions");
  const definitions = (found && objectAt(found, "definitions")) ?? {};
  return new Map(Object.keys(definitions).map((name) => [name, textAt(definitions, name) ?? name]));
}

/** The objects of an array property. */
export function objectsAt(owner: JsonObject, key: string): readonly JsonObject[] {
  const value = own(owner, key);
  return Array.isArray(value) ? value.filter(isObject) : [];
}

/** An object property. */
export function objectAt(owner: JsonObject, key: string): JsonObject | undefined {
  const value = own(owner, key);
  return isObject(value) ? value : undefined;
}

/** A string property; numbers and booleans as strings. */
export function textAt(owner: JsonObject, key: string): string | undefined {
  const value = own(owner, key);
  return value === null || value === undefined || typeof value === "object" ? undefined : String(value);
}

/** A number property, also written as a string. */
export function numberAt(owner: JsonObject, key: string): number | undefined {
  const text = textAt(owner, key);
  return text === undefined || Number.isNaN(Number(text)) ? undefined : Number(text);
}
