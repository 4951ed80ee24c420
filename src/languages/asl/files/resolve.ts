import type { CopyOrigin, Document } from "../../../documents/index.ts";
import { isObject, type Json, type JsonObject, setOwn } from "../../../json.ts";
import type { Report } from "../../../text/diagnostics.ts";
import { unreadableFunction } from "../diagnostics/kinds.ts";
import { hasPlaceholder, intrinsicIn, isCompound, replacePlaceholders, stringOf } from "./intrinsics.ts";

/** What the placeholders of a machine stand for. */
export interface Placeholders {
  /** The values that the configuration gives, by name. */
  readonly values: ReadonlyMap<string, string>;
  /** The values of `DefinitionSubstitutions`, by name. */
  readonly substitutions?: ReadonlyMap<string, string> | undefined;
  /** The machines of the file: a substitution with a reference to one replaces its placeholder. */
  readonly machines?: ReadonlySet<string> | undefined;
  /** How a string writes `${` that is not a placeholder. */
  readonly escaped?: string | undefined;
  /** Whether objects such as `{ "Ref": "Table" }` are calls of intrinsic functions; then what `Fn::FindInMap` reads. */
  readonly mappings?: Json | undefined;
}

/**
 * Replaces placeholders that have a value, and intrinsic functions by strings. A substitution with references replaces
 * the `Resource` of a task if it is more than one reference; elsewhere such a placeholder stays as it is.
 */
export function resolvePlaceholders(document: Document, placeholders: Placeholders, report: Report): Document {
  const { values, substitutions = new Map<string, string>(), machines, mappings, escaped } = placeholders;
  if (values.size === 0 && substitutions.size === 0 && mappings === undefined && escaped === undefined) return document;
  const isMachine = (text: string): boolean => machines?.has(/^\$\{([^{}.]+)/.exec(text)?.[1] ?? "") === true;
  const constants = new Map([...substitutions].filter(([, text]) => !hasPlaceholder(text) || isMachine(text)));
  const resources = new Map([...substitutions].filter(([, text]) => isCompound(text)));
  const resolver: Resolver = { document, report, mappings, escaped, values, constants, resources, origins: new Map() };
  const value = resolve(resolver, document.value);
  return value === document.value ? document : document.withValue(value, resolver.origins);
}

interface Resolver {
  readonly document: Document;
  readonly report: Report;
  readonly mappings: Json | undefined;
  readonly escaped: string | undefined;
  readonly values: ReadonlyMap<string, string>;
  readonly constants: ReadonlyMap<string, string>;
  readonly resources: ReadonlyMap<string, string>;
  readonly origins: Map<object, CopyOrigin>;
}

function resolve(resolver: Resolver, value: Json): Json {
  if (typeof value !== "object" || value === null) return value;
  const copy: Json[] | { [key: string]: Json } = Array.isArray(value) ? [] : {};
  let isChanged = false;
  for (const [key, part] of Object.entries(value as JsonObject)) {
    const resolved = resolveMember(resolver, value, key, part);
    isChanged ||= resolved !== part;
    if (Array.isArray(copy)) copy.push(resolved);
    else setOwn(copy, key, resolved);
  }
  if (!isChanged) return value;
  resolver.origins.set(copy, { of: value });
  return copy;
}

function resolveMember(resolver: Resolver, owner: object, key: string, value: Json): Json {
  if (typeof value === "string") return resolveText(resolver, key, value);
  if (resolver.mappings === undefined || !isObject(value)) return resolve(resolver, value);
  const name = intrinsicIn(value);
  if (name === undefined) return resolve(resolver, value);
  const text = stringOf(value, resolver.mappings);
  if (text !== undefined) return resolveText(resolver, key, text);
  const property = Array.isArray(owner) ? Number(key) : key;
  resolver.report(unreadableFunction(resolver.document.spanOf(owner, property), { name }));
  return "";
}

function resolveText({ values, constants, resources, escaped }: Resolver, key: string, text: string): string {
  const unescaped = escaped === undefined ? text : text.replaceAll(escaped, "${");
  const given = replacePlaceholders(replacePlaceholders(unescaped, values), constants);
  return key === "Resource" ? replacePlaceholders(given, resources) : given;
}
