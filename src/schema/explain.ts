import {
  constraintViolation,
  disallowedProperty,
  joinAlternatives,
  misplacedProperty,
  missingProperty,
  unknownKind,
  unknownProperty,
  unknownValue,
  wrongType,
} from "../diagnostics/reading.ts";
import type { Document } from "../documents/index.ts";
import { assertNever, isObject, type Json, type JsonObject, own } from "../json.ts";
import { type Diagnostic, withFix } from "../text/diagnostics.ts";
import { quoteLike } from "../text/fix.ts";
import { isTimeSyntaxError, parseDuration } from "../text/iso8601.ts";
import { nearestName, truncate } from "../text/messages.ts";
import type { Span } from "../text/source.ts";
import type { SchemaError, ValueSite } from "./errors.ts";

/** Creates a diagnostic at the smallest span. `unknown`: the severity of unknown properties. */
export function explain(document: Document, error: SchemaError, unknown: "warning" | "error" = "warning"): Diagnostic {
  const { site } = error;
  switch (error.kind) {
    case "type":
      return explainType(document, error);
    case "value":
      return explainValue(document, error);
    case "tag":
      return explainTag(document, error);
    case "missing":
      return explainMissing(document, error);
    case "unknown":
      return explainUnknown(
        document,
        error,
        unknown === "error" || error.replaces ? disallowedProperty : unknownProperty,
      );
    case "misspelt":
      return explainMisspelt(document, error);
    case "misplaced":
      return explainMisplaced(document, error);
    case "conflict":
      return explainConflict(document, site, error.title, error.names);
    case "companion": {
      return constraintViolation(document.spanOf(site.value, error.name, "key"), {
        detail: `\`${error.name}\` requires \`${error.companion}\``,
        hint: `Add \`${error.companion}\`, or remove \`${error.name}\`.`,
      });
    }
    case "form":
      return constraintViolation(spanOfSite(document, site), { detail: `${describeSubject(site)} ${error.detail}` });
    default:
      return assertNever(error);
  }
}

/** Merges errors with a common cause. */
export function mergeErrors(errors: readonly SchemaError[]): readonly SchemaError[] {
  return mergeReplaced(mergeOutdented(mergeMisspelt(errors)));
}

/** An unknown property with a remedy can replace required ones. */
function mergeReplaced(errors: readonly SchemaError[]): readonly SchemaError[] {
  const replaced = new Map(
    errors.flatMap((error) =>
      error.kind === "unknown" && error.replaces ? [[error.site.value, error.replaces] as const] : [],
    ),
  );
  return errors.filter(
    (error) => error.kind !== "missing" || !error.names.some((name) => replaced.get(error.site.value)?.includes(name)),
  );
}

/** Merges a value that must be an object with its siblings that belong to that object. */
export function mergeOutdented(errors: readonly SchemaError[]): readonly SchemaError[] {
  const joined = new Set<SchemaError>();
  const outside = (error: TypeError, names: readonly string[]): Json | undefined =>
    isObject(error.suggestion ?? null) && names.length > 0 && isObject(error.site.owner)
      ? {
          ...(error.suggestion as JsonObject),
          ...Object.fromEntries(names.map((name) => [name, (error.site.owner as JsonObject)[name]!])),
        }
      : error.suggestion;
  const explained = errors.map((error) => {
    if (error.kind !== "type" || !error.outdented?.length) return error;
    const { outdented, site } = error;
    const beside = errors.filter(
      (each) => each.kind === "unknown" && each.site.value === site.owner && outdented.includes(each.name),
    );
    for (const each of beside) joined.add(each);
    const names = beside.flatMap((each) => (each.kind === "unknown" ? [each.name] : []));
    return { ...error, outdented: names, suggestion: outside(error, names) };
  });
  return explained.filter((error) => !joined.has(error));
}

function mergeMisspelt(errors: readonly SchemaError[]): readonly SchemaError[] {
  const missing = new Map<Json, MissingError[]>();
  for (const error of errors) {
    if (error.kind !== "missing") continue;
    const { value } = error.site;
    missing.set(value, [...(missing.get(value) ?? []), error]);
  }
  const misspelt = new Map<MissingError, UnknownError>();
  for (const error of errors) {
    const match =
      error.kind === "unknown" && !error.replaces
        ? missingMeantBy(error, missing.get(error.site.value) ?? [])
        : undefined;
    if (match && error.kind === "unknown" && !misspelt.has(match)) misspelt.set(match, error);
  }
  const joined = new Set<SchemaError>(misspelt.values());
  return errors.flatMap((error) => {
    if (joined.has(error)) return [];
    const found = error.kind === "missing" ? misspelt.get(error) : undefined;
    return error.kind === "missing" && found ? [{ ...error, misspelt: found.name }] : [error];
  });
}

function explainMissing(document: Document, { site, title, names, misspelt, use }: MissingError): Diagnostic {
  const span = misspelt === undefined ? spanOfName(document, site) : document.spanOf(site.value, misspelt, "key");
  const diagnostic = missingProperty(span, { owner: describeOwner(site, title), names, misspelt, use });
  const [name] = names;
  return misspelt !== undefined && names.length === 1 ? withFix(diagnostic, quoteLike(span, name!)) : diagnostic;
}

function explainMisspelt(document: Document, error: Extract<SchemaError, { kind: "misspelt" }>): Diagnostic {
  const { site, title, name, meant } = error;
  const span = document.spanOf(site.value, name, "key");
  const diagnostic = disallowedProperty(span, { noun: withArticle(title), name, known: [], meant });
  return withFix(diagnostic, quoteLike(span, meant));
}

function explainMisplaced(document: Document, error: Extract<SchemaError, { kind: "misplaced" }>): Diagnostic {
  const { site, title, name, place } = error;
  const span = document.spanOf(site.value, name, "key");
  const target = document.spanOf(place.site.value);
  const isBlock = target.source.text[target.start] !== "{" && isFirstOnLine(span);
  return misplacedProperty(
    span,
    {
      ...{ name, noun: withArticle(title), place: place.label, isOuter: place.isOuter, isBlock },
      sibling: Object.keys(place.site.value as JsonObject)[0],
    },
    [{ message: `${capitalize(place.label)} is here.`, span: spanOfName(document, place.site) }],
  );
}

const isFirstOnLine = ({ source, start }: Span): boolean =>
  /(?:^|\n)[ -]*$/.test(source.text.slice(Math.max(0, start - 200), start));

const capitalize = (text: string): string => `${text[0]!.toUpperCase()}${text.slice(1)}`;

function explainUnknown(
  document: Document,
  { site, name, title, known, suggestion, remedy }: UnknownError,
  kind: typeof unknownProperty,
): Diagnostic {
  const noun = withArticle(title);
  return kind(document.spanOf(site.value, name, "key"), { noun, name, known, meant: suggestion, remedy });
}

function explainType(document: Document, error: Extract<SchemaError, { kind: "type" }>): Diagnostic {
  const { site, wanted } = error;
  const isDuration = error.format === "duration";
  const span = spanOfSite(document, site);
  const written = suggestedText(document, error);
  const diagnostic = wrongType(span, {
    subject: describeSubject(site),
    found: describeType(site.value),
    wanted: joinAlternatives(wanted.map((type) => typeNames[type] ?? type)),
    written:
      written === undefined || error.suggestion === undefined || typeof site.key !== "string"
        ? written
        : `${site.key}: ${written}`,
    outdented: error.outdented,
    duration: isDuration ? durationMeant(error) : undefined,
    isNull: site.value === null,
    isWordForNumber: typeof site.value === "string" && wanted.every((type) => type === "integer" || type === "number"),
    isFraction: typeof site.value === "number" && wanted.includes("integer"),
    description: error.description,
    isListWanted: wanted.length === 1 && wanted[0] === "array" && isObject(site.value),
    required: error.required,
    listName: error.listName,
  });
  if (written === undefined || isDuration) return diagnostic;
  const entries = (error.outdented ?? []).map((name) => entrySpan(document, site.owner, name));
  if (!entries.every((each) => each !== undefined)) return diagnostic;
  return { ...diagnostic, fix: [{ span, text: written }, ...entries.map((each) => ({ span: each, text: "" }))] };
}

/** The lines of a property in YAML's block style, if nothing else is on them. */
function entrySpan(document: Document, owner: Json | undefined, name: string): Span | undefined {
  const key = document.spanOf(owner, name, "key");
  const { end } = document.spanOf(owner, name);
  const { text } = key.source;
  const start = text.lastIndexOf("\n", key.start - 1) + 1;
  const lineEnd = text.indexOf("\n", end);
  const rest = text.slice(end, lineEnd < 0 ? text.length : lineEnd);
  if (text.slice(start, key.start).trim() !== "" || rest.trim() !== "" || end < key.end) return undefined;
  return { source: key.source, start, end: lineEnd < 0 ? text.length : lineEnd + 1 };
}

function suggestedText(document: Document, error: Extract<SchemaError, { kind: "type" }>): string | undefined {
  const { site, wanted, suggestion, format, seconds } = error;
  const { value, owner, key } = site;
  if (suggestion !== undefined) {
    const isInJson = typeof key === "string" ? isQuoted(document, owner, key) : isJson(document);
    return printInline(suggestion, isInJson);
  }
  if (wanted.length === 1 && wanted[0] === "boolean" && typeof value === "string" && booleanWords.test(value))
    return String(/^(?:true|yes|on|y)$/i.test(value));
  if (format === "duration" || seconds !== undefined) {
    const duration = seconds && durationMeant(error);
    return duration && JSON.stringify(duration);
  }
  if (format !== undefined && (typeof value === "number" || typeof value === "boolean")) {
    const { source, start, end } = spanOfSite(document, site);
    return JSON.stringify(source.text.slice(start, end));
  }
  const isNumber = typeof value === "string" && /^\d{1,9}$/.test(value);
  return isNumber && wanted.some((type) => type === "integer" || type === "number") ? String(Number(value)) : undefined;
}

/** The duration that a number of seconds means; undefined if the language rejects it. */
export function durationMeant({ site, format, seconds }: TypeError): string | undefined {
  const { value } = site;
  if (typeof value !== "number" || !/^\d+(?:\.\d+)?$/.test(String(value))) return undefined;
  if (seconds) return value >= seconds[0] && value <= seconds[1] ? `${value}s` : undefined;
  const written = `PT${value}S`;
  return format === "duration" && !isTimeSyntaxError(parseDuration(written)) ? written : undefined;
}

const booleanWords = /^(?:true|false|yes|no|on|off|y|n)$/i;

const isJson = ({ source, span }: Document): boolean => source.text[span.start] === "{";

const isQuoted = (document: Document, owner: Json | undefined, key: string): boolean => {
  const { source, start } = document.spanOf(owner, key, "key");
  return source.text[start] === '"';
};

function printInline(value: Json, quoted: boolean): string {
  if (typeof value === "string" && !quoted && /^[A-Za-z][\w-]*(?: [\w-]+)*$/.test(value) && !yamlWords.test(value))
    return value;
  if (!isObject(value)) return JSON.stringify(value);
  const members = Object.entries(value).map(
    ([key, each]) => `${printInline(key, quoted)}: ${printInline(each, quoted)}`,
  );
  return `{ ${members.join(", ")} }`;
}

const yamlWords = /^(?:true|false|null|yes|no|on|off|y|n)$/i;

function explainTag(document: Document, error: Extract<SchemaError, { kind: "tag" }>): Diagnostic {
  const { site, tag, known, suggestion } = error;
  const name = own(site.value as JsonObject, tag) as string;
  const span = document.spanOf(site.value, tag);
  const diagnostic = unknownKind(span, { tag, name, known, meant: suggestion });
  return suggestion === undefined ? diagnostic : withFix(diagnostic, quoteLike(span, suggestion));
}

function explainValue(
  document: Document,
  { site, known, suggestion, remedy }: Extract<SchemaError, { kind: "value" }>,
): Diagnostic {
  const { value } = site;
  const words = known.map((each) => (typeof each === "string" ? each : JSON.stringify(each)));
  const found =
    typeof value === "object" && value !== null
      ? describeType(value)
      : `\`${truncate(typeof value === "string" ? value : JSON.stringify(value))}\``;
  const span = spanOfSite(document, site);
  const name = typeof value === "string" ? value : undefined;
  const diagnostic = unknownValue(span, {
    subject: describeSubject(site),
    found,
    known: words,
    name,
    meant: suggestion,
    remedy,
  });
  return suggestion === undefined ? diagnostic : withFix(diagnostic, quoteLike(span, suggestion));
}

function explainConflict(document: Document, site: ValueSite, title: string, names: readonly string[]): Diagnostic {
  const keys = names
    .map((name) => ({ name, span: document.spanOf(site.value, name, "key") }))
    .sort((a, b) => a.span.start - b.span.start);
  const notes = keys.slice(0, -1).map(({ name, span }) => ({ message: `\`${name}\` is here.`, span }));
  const list = names.map((name) => `\`${name}\``).join(" and ");
  return constraintViolation(
    keys.at(-1)!.span,
    {
      detail: `${describeOwner(site, title)} has ${list}, which are mutually exclusive`,
      hint: names.length === 2 ? "Remove one of the two." : "Remove all but one.",
    },
    notes,
  );
}

function spanOfSite(document: Document, { owner, key }: ValueSite): Span {
  return key === undefined ? document.start : document.spanOf(owner, key);
}

function spanOfName(document: Document, { value, owner, key }: ValueSite): Span {
  const naming = namingOf(value);
  if (naming) return document.spanOf(value, naming.property);
  if (key === undefined) return document.start;
  return typeof key === "string" ? document.spanOf(owner, key, "key") : document.spanOf(owner, key);
}

function namingOf(value: Json): { readonly property: string; readonly name: string } | undefined {
  if (!isObject(value)) return undefined;
  for (const property of ["name", "id"]) {
    const name = own(value, property);
    if (typeof name === "string" && name !== "") return { property, name };
  }
  return undefined;
}

/** The name that an object has in messages. */
export function nameOf(value: Json): string | undefined {
  const naming = namingOf(value);
  return naming && truncate(naming.name);
}

function describeOwner({ value }: ValueSite, title: string): string {
  const naming = namingOf(value);
  return naming ? `The ${title} \`${truncate(naming.name)}\`` : `This ${title}`;
}

function describeSubject({ key }: ValueSite): string {
  if (key === undefined) return "The document";
  return typeof key === "string" ? `\`${truncate(key)}\`` : "This item";
}

function describeType(value: Json): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "an array";
  return typeNames[typeof value] ?? "a value";
}

const typeNames: { readonly [type: string]: string } = {
  null: "null",
  boolean: "a boolean",
  integer: "an integer",
  number: "a number",
  string: "a string",
  array: "an array",
  object: "an object",
};

function withArticle(noun: string): string {
  return `${/^[aeiou]/i.test(noun) ? "an" : "a"} ${noun}`;
}

type TypeError = Extract<SchemaError, { kind: "type" }>;

type MissingError = Extract<SchemaError, { kind: "missing" }>;

type UnknownError = Extract<SchemaError, { kind: "unknown" }>;

function missingMeantBy(
  { name, known, suggestion }: UnknownError,
  missing: readonly MissingError[],
): MissingError | undefined {
  if (missing.length === 0) return undefined;
  const wanted = suggestion ?? nearestName(name, known);
  return missing.find(({ names, misspelt }) => misspelt === name || (wanted !== undefined && names.includes(wanted)));
}
