import {
  missingProperty,
  unknownKind,
  unknownProperty,
  unknownValue,
  wrongShape,
  wrongType,
} from "../diagnostics/reading.ts";
import type { Document } from "../document/index.ts";
import { assertNever, isObject, type Json, type JsonObject, own } from "../json.ts";
import { clip } from "../text/clip.ts";
import type { Diagnostic } from "../text/diagnostics.ts";
import type { Span } from "../text/source.ts";
import { nearest } from "../text/suggest.ts";
import type { Fault, Site } from "./check.ts";

/** Says to people how a value does not fit, at the smallest place that is to blame. */
export function explain(document: Document, fault: Fault): Diagnostic {
  const { site } = fault;
  switch (fault.kind) {
    case "type":
      return wrongType(placeOf(document, site), {
        subject: subjectOf(site),
        found: typeOf(site.value),
        wanted: alternatives(fault.wanted),
      });
    case "value":
      return explainValue(document, site, fault.known);
    case "tag":
      return explainTag(document, site, fault.tag, fault.known);
    case "missing":
      return explainMissing(document, site, fault.title, fault.names, fault.misspelt);
    case "unknown":
      return unknownProperty(document.spanOf(site.value, fault.name, "key"), {
        ...fault,
        noun: withArticle(fault.title),
      });
    case "conflict":
      return explainConflict(document, site, fault.title, fault.names);
    case "companion": {
      const detail = `\`${fault.name}\` needs \`${fault.companion}\` beside it`;
      return wrongShape(document.spanOf(site.value, fault.name, "key"), { detail });
    }
    case "form":
      return wrongShape(placeOf(document, site), { detail: `${subjectOf(site)} ${fault.detail}` });
    default:
      return assertNever(fault);
  }
}

/** The faults with a property that is missing and one beside it that has nearly its name taken as one: the property is misspelt. */
export function joinMisspelt(faults: readonly Fault[]): readonly Fault[] {
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
  return missingProperty(span, { owner: ownerOf(site, title), names, misspelt });
}

function explainTag(document: Document, { value }: Site, tag: string, known: readonly string[]): Diagnostic {
  const name = own(value as JsonObject, tag) as string;
  return unknownKind(document.spanOf(value, tag), { tag, name, known });
}

function explainValue(document: Document, site: Site, known: readonly Json[]): Diagnostic {
  const { value } = site;
  const words = known.map((each) => (typeof each === "string" ? each : JSON.stringify(each)));
  const found =
    typeof value === "object" && value !== null
      ? typeOf(value)
      : `\`${clip(typeof value === "string" ? value : JSON.stringify(value))}\``;
  return unknownValue(placeOf(document, site), {
    subject: subjectOf(site),
    found,
    known: words,
    name: typeof value === "string" ? value : undefined,
  });
}

/** The property that stands last is blamed; the others are noted. */
function explainConflict(document: Document, site: Site, title: string, names: readonly string[]): Diagnostic {
  const keys = names
    .map((name) => ({ name, span: document.spanOf(site.value, name, "key") }))
    .sort((a, b) => a.span.start - b.span.start);
  const notes = keys.slice(0, -1).map(({ name, span }) => ({ message: `\`${name}\` stands here.`, span }));
  const list = names.map((name) => `\`${name}\``).join(" and ");
  return wrongShape(
    keys.at(-1)!.span,
    { detail: `${ownerOf(site, title)} has ${list}, which exclude each other` },
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
  return naming ? `The ${title} \`${clip(naming.name)}\`` : `This ${title}`;
}

function subjectOf({ key }: Site): string {
  if (key === undefined) return "The document";
  return typeof key === "string" ? `\`${clip(key)}\`` : "This entry";
}

function typeOf(value: Json): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "a list";
  return typeNames[typeof value] ?? "a value";
}

const typeNames: { readonly [type: string]: string } = {
  null: "null",
  boolean: "`true` or `false`",
  integer: "a whole number",
  number: "a number",
  string: "a string",
  array: "a list",
  object: "an object",
};

function alternatives(types: readonly string[]): string {
  const names = types.map((type) => typeNames[type] ?? type);
  return names.length < 2 ? names.join("") : `${names.slice(0, -1).join(", ")} or ${names.at(-1)}`;
}

function withArticle(noun: string): string {
  return `${/^[aeiou]/i.test(noun) ? "an" : "a"} ${noun}`;
}

type Missing = Extract<Fault, { kind: "missing" }>;

type Unknown = Extract<Fault, { kind: "unknown" }>;

function meantBy({ name, known }: Unknown, missing: readonly Missing[]): Missing | undefined {
  if (missing.length === 0) return undefined;
  const meant = nearest(name, known);
  return meant === undefined ? undefined : missing.find(({ names }) => names.includes(meant));
}
