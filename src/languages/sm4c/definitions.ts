import { type Document, readDocuments } from "../../documents/index.ts";
import { schema, validate } from "../../generated/sm4c.js";
import {
  type EventDefinition,
  type FunctionDefinition,
  type RetryPolicy,
  type StateMachine,
  spelling,
} from "../../generated/sm4c-definition.ts";
import { isObject, type Json, own } from "../../json.ts";
import type { LowerContext } from "../../language.ts";
import { createValidator } from "../../schema/index.ts";
import type { Span } from "../../text/source.ts";
import type { Resource } from "../../text/uris.ts";
import { canonicalize } from "../shared/spelling.ts";
import { circularDefinitions, noDefinitions, unreadableDefinitions } from "./diagnostics/kinds.ts";

/** The definitions of a machine, and a document with their spans. */
export interface Definitions {
  readonly document: Document;
  readonly events: readonly EventDefinition[];
  readonly functions: readonly FunctionDefinition[];
  readonly retries: readonly RetryPolicy[];
}

/** Reads definitions, including those in referenced files. */
export function readDefinitions(document: Document, definition: StateMachine, lowering: LowerContext): Definitions {
  const included: IncludedList[] = [];
  const listed = (key: DefinitionKey): readonly Json[] => {
    const value = (definition[key] ?? []) as string | readonly Json[];
    if (typeof value !== "string") return value;
    const found = readIncluded(key, value, document.spanOf(definition, key), lowering, []);
    if (found) included.push(found);
    return found?.list ?? [];
  };
  const [events, functions, retries] = (["events", "functions", "retries"] as const).map(listed);
  return {
    document: withIncluded(document, included),
    events: events as unknown as readonly EventDefinition[],
    functions: functions as unknown as readonly FunctionDefinition[],
    retries: retries as unknown as readonly RetryPolicy[],
  };
}

/** Why a resource cannot be read, as the end of a sentence. */
export function describeFailure(uri: string, found: Resource | undefined): string {
  if (found && "reason" in found) return found.reason;
  return /^(?!file:)[a-z][a-z\d+.-]+:/i.test(uri)
    ? "Waybill does not fetch files from the network"
    : "the file was not passed to the compiler";
}

type DefinitionKey = "events" | "functions" | "retries";

interface IncludedList {
  readonly list: readonly Json[];
  readonly document: Document;
}

function readIncluded(
  key: DefinitionKey,
  uri: string,
  span: Span,
  lowering: LowerContext,
  before: readonly string[],
): IncludedList | undefined {
  const { report, textAt } = lowering;
  const source = textAt?.(uri, span);
  if (!source || "reason" in source) {
    report(unreadableDefinitions(span, { key, uri, reason: describeFailure(uri, source) }));
    return undefined;
  }
  const from = before.indexOf(source.path);
  if (from >= 0) {
    report(circularDefinitions(span, { cycle: [...before.slice(from), source.path] }));
    return undefined;
  }
  const [document] = readDocuments(source, report);
  if (!document) return undefined;
  const { value } = document;
  const named = isObject(value) ? findKey(value, key) : undefined;
  const given = named === undefined ? value : own(value as { readonly [key: string]: Json }, named);
  if (typeof given === "string" && named !== undefined)
    return readIncluded(key, given, document.spanOf(value, named), lowering, [...before, source.path]);
  if (Array.isArray(given)) return validateList(key, given as readonly Json[], document, lowering);
  report(noDefinitions(span, { key, uri }));
  return undefined;
}

const findKey = (value: { readonly [key: string]: Json }, name: string): string | undefined =>
  Object.keys(value).find((key) => key.toLowerCase() === name);

function validateList(
  key: DefinitionKey,
  list: readonly Json[],
  document: Document,
  { report }: LowerContext,
): IncludedList | undefined {
  const machine = { name: "definitions", version: "1", states: [{ name: "none", start: true }], [key]: list };
  const normal = canonicalize(document.withValue(machine, new Map()), spelling, report);
  if (!createValidator(validate, schema)(normal, report)) return undefined;
  return {
    list: (normal.value as unknown as { readonly [key in DefinitionKey]: readonly Json[] })[key],
    document: normal,
  };
}

function withIncluded(document: Document, included: readonly IncludedList[]): Document {
  if (included.length === 0) return document;
  const owners = new Map<object, Document>();
  const visit = (value: Json, owner: Document): void => {
    if (typeof value !== "object" || value === null) return;
    owners.set(value, owner);
    for (const part of Object.values(value)) visit(part as Json, owner);
  };
  for (const each of included) visit(each.list, each.document);
  const ownerOf = (value: unknown): Document => owners.get(value as object) ?? document;
  return {
    ...document,
    spanOf: (owner, ...rest) => ownerOf(owner).spanOf(owner, ...rest),
    spanWithin: (owner, ...rest) => ownerOf(owner).spanWithin(owner, ...rest),
  };
}
