import {
  joinAlternatives,
  missingProperty,
  disallowedProperty,
  unknownKind,
  unknownProperty,
  unknownValue,
  constraintViolation,
  wrongType,
} from "../diagnostics/reading.ts";
import type { Document } from "../documents/index.ts";
import { assertNever, isObject, type Json, type JsonObject, own } from "../json.ts";
import { type Diagnostic, withFix } from "../text/diagnostics.ts";
import { quoteLike } from "../text/fix.ts";
import { nearestName, truncate } from "../text/messages.ts";
import type { Span } from "../text/source.ts";
import type { Fault, Site } from "./check.ts";

/** Says to people how a value does not fit, at the smallest place that is to blame. `unknown`: what unknown properties are. */
export function explain(document: Document, fault: Fault, unknown: "warning" | "error" = "warning"): Diagnostic {
  const { site } = fault;
  switch (fault.kind) {
    case "type":
      return explainType(document, fault);
    case "value":
      return explainValue(document, fault);
    case "tag":
      return explainTag(document, site, fault.tag, fault.known);
    case "missing":
      return explainMissing(document, site, fault.title, fault.names, fault.misspelt);
    case "unknown":
      return explainUnknown(document, fault, unknown === "error" ? disallowedProperty : unknownProperty);
    case "conflict":
      return explainConflict(document, site, fault.title, fault.names);
    case "companion": {
      const detail = `\`${fault.name}\` requires \`${fault.companion}\``;
      return constraintViolation(document.spanOf(site.value, fault.name, "key"), { detail });
    }
    case "form":
      return constraintViolation(placeOf(document, site), { detail: `${subjectOf(site)} ${fault.detail}` });
    default:
      return assertNever(fault);
  }
}

/**
 * The faults, with those of one mistake taken as one: a property that is missing and one beside it that has nearly its name, or a word for its value; a value
 * that is missing and what would belong to it beside it.
 */
export function joinFaults(faults: readonly Fault[]): readonly Fault[] {
  return joinOutdented(joinMisspelt(faults));
}

function joinOutdented(faults: readonly Fault[]): readonly Fault[] {
  const joined = new Set<Fault>();
  const explained = faults.map((fault) => {
    if (fault.kind !== "type" || !fault.outdented?.length) return fault;
    const { outdented, site } = fault;
    const beside = faults.filter(
      (each) => each.kind === "unknown" && each.site.value === site.owner && outdented.includes(each.name),
    );
    for (const each of beside) joined.add(each);
    return { ...fault, outdented: beside.flatMap((each) => (each.kind === "unknown" ? [each.name] : [])) };
  });
  return explained.filter((fault) => !joined.has(fault));
}

function joinMisspelt(faults: readonly Fault[]): readonly Fault[] {
  const missing = new Map<Json, Missing[]>();
  for (const fault of faults) {
    if (fault.kind !== "missing") continue;
    const { value } = fault.site;
    missing.set(value, [...(missing.get(value) ?? []), fault]);
  }
  const misspelt = new Map<Missing, Unknown>();
  for (const fault of faults) {
    const meant = fault.kind === "unknown" ? meantBy(fault, missing.get(fault.site.value) ?? []) : undefined;
    if (meant && fault.kind === "unknown" && !misspelt.has(meant)) misspelt.set(meant, fault);
  }
  const joined = new Set<Fault>(misspelt.values());
  return faults.flatMap((fault) => {
    if (joined.has(fault)) return [];
    const found = fault.kind === "missing" ? misspelt.get(fault) : undefined;
    return fault.kind === "missing" && found ? [{ ...fault, misspelt: found.name }] : [fault];
  });
}

/** Where a property of nearly that name is there, it is blamed; else the object. */
function explainMissing(
  document: Document,
  site: Site,
  title: string,
  names: readonly string[],
  misspelt: string | undefined,
): Diagnostic {
  const span = misspelt === undefined ? namePlaceOf(document, site) : document.spanOf(site.value, misspelt, "key");
  const diagnostic = missingProperty(span, { owner: ownerOf(site, title), names, misspelt });
  const [name] = names;
  return misspelt !== undefined && names.length === 1 ? withFix(diagnostic, quoteLike(span, name!)) : diagnostic;
}

function explainUnknown(
  document: Document,
  { site, name, title, known, meant, remedy }: Unknown,
  kind: typeof unknownProperty,
): Diagnostic {
  const noun = withArticle(title);
  return kind(document.spanOf(site.value, name, "key"), { noun, name, known, meant, remedy });
}

/** What is likely meant by a value of another type is said, and where that is the same value differently written, it is mended. */
function explainType(document: Document, fault: Extract<Fault, { kind: "type" }>): Diagnostic {
  const { site, wanted, format } = fault;
  const span = placeOf(document, site);
  const written = meantText(document, fault);
  const seconds = format === "duration" && typeof site.value === "number" ? site.value : undefined;
  const diagnostic = wrongType(span, {
    subject: subjectOf(site),
    found: typeOf(site.value),
    wanted: joinAlternatives(wanted.map((type) => typeNames[type] ?? type)),
    written: written === undefined || fault.meant === undefined ? written : `${String(site.key)}: ${written}`,
    outdented: fault.outdented,
    duration: seconds === undefined || seconds < 0 ? undefined : `PT${seconds}S`,
    isNull: site.value === null,
    isWordForNumber: typeof site.value === "string" && wanted.every((type) => type === "integer" || type === "number"),
    isListWanted: wanted.length === 1 && wanted[0] === "array" && isObject(site.value),
  });
  return written === undefined || seconds !== undefined ? diagnostic : withFix(diagnostic, written);
}

/** The text of what is meant, if the value is that in another form. */
function meantText(document: Document, fault: Extract<Fault, { kind: "type" }>): string | undefined {
  const { site, wanted, meant, format } = fault;
  const { value, owner, key } = site;
  if (meant !== undefined) return typeof key === "string" ? flowText(meant, isQuoted(document, owner, key)) : undefined;
  if (format !== undefined && (typeof value === "number" || typeof value === "boolean")) {
    const { source, start, end } = placeOf(document, site);
    return JSON.stringify(source.text.slice(start, end));
  }
  const isNumber = typeof value === "string" && /^\d{1,9}$/.test(value);
  return isNumber && wanted.some((type) => type === "integer" || type === "number") ? String(Number(value)) : undefined;
}

/** Whether keys stand in quotes, as they do in JSON. */
const isQuoted = (document: Document, owner: Json | undefined, key: string): boolean => {
  const { source, start } = document.spanOf(owner, key, "key");
  return source.text[start] === '"';
};

/** A value on one line: as in YAML, or as in JSON. */
function flowText(value: Json, quoted: boolean): string {
  if (typeof value === "string" && !quoted && /^[A-Za-z][\w-]*(?: [\w-]+)*$/.test(value) && !yamlWords.test(value))
    return value;
  if (!isObject(value)) return JSON.stringify(value);
  const members = Object.entries(value).map(([key, each]) => `${flowText(key, quoted)}: ${flowText(each, quoted)}`);
  return `{ ${members.join(", ")} }`;
}

/** Words that YAML reads as something else than text. */
const yamlWords = /^(?:true|false|null|yes|no|on|off|y|n)$/i;

function explainTag(document: Document, { value }: Site, tag: string, known: readonly string[]): Diagnostic {
  const name = own(value as JsonObject, tag) as string;
  return unknownKind(document.spanOf(value, tag), { tag, name, known });
}

function explainValue(document: Document, { site, known, meant }: Extract<Fault, { kind: "value" }>): Diagnostic {
  const { value } = site;
  const words = known.map((each) => (typeof each === "string" ? each : JSON.stringify(each)));
  const found =
    typeof value === "object" && value !== null
      ? typeOf(value)
      : `\`${truncate(typeof value === "string" ? value : JSON.stringify(value))}\``;
  const span = placeOf(document, site);
  const name = typeof value === "string" ? value : undefined;
  const diagnostic = unknownValue(span, { subject: subjectOf(site), found, known: words, name, meant });
  return meant === undefined ? diagnostic : withFix(diagnostic, quoteLike(span, meant));
}

/** The property that stands last is blamed; the others are noted. */
function explainConflict(document: Document, site: Site, title: string, names: readonly string[]): Diagnostic {
  const keys = names
    .map((name) => ({ name, span: document.spanOf(site.value, name, "key") }))
    .sort((a, b) => a.span.start - b.span.start);
  const notes = keys.slice(0, -1).map(({ name, span }) => ({ message: `\`${name}\` is here.`, span }));
  const list = names.map((name) => `\`${name}\``).join(" and ");
  return constraintViolation(
    keys.at(-1)!.span,
    { detail: `${ownerOf(site, title)} has ${list}, which are mutually exclusive` },
    notes,
  );
}

function placeOf(document: Document, { owner, key }: Site): Span {
  return key === undefined ? document.start : document.spanOf(owner, key);
}

/** Where to blame an object for what it lacks: its name, or else the key that it stands under. */
function namePlaceOf(document: Document, { value, owner, key }: Site): Span {
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

function ownerOf({ value }: Site, title: string): string {
  const naming = namingOf(value);
  return naming ? `The ${title} \`${truncate(naming.name)}\`` : `This ${title}`;
}

function subjectOf({ key }: Site): string {
  if (key === undefined) return "The document";
  return typeof key === "string" ? `\`${truncate(key)}\`` : "This item";
}

function typeOf(value: Json): string {
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

type Missing = Extract<Fault, { kind: "missing" }>;

type Unknown = Extract<Fault, { kind: "unknown" }>;

function meantBy({ name, known, meant: elsewhere }: Unknown, missing: readonly Missing[]): Missing | undefined {
  if (missing.length === 0) return undefined;
  const meant = elsewhere ?? nearestName(name, known);
  return missing.find(({ names, misspelt }) => misspelt === name || (meant !== undefined && names.includes(meant)));
}
