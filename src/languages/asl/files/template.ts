import type { Document } from "../../../documents/index.ts";
import { isObject, type Json, type JsonObject, own } from "../../../json.ts";
import type { EmbeddedDefinition, EmbeddingContext } from "../../../language.ts";
import type { Report } from "../../../text/diagnostics.ts";
import type { Span } from "../../../text/source.ts";
import { remoteDefinition, unreadableFunction } from "../diagnostics/kinds.ts";
import { hasPlaceholder, intrinsicIn, replacePlaceholders, stringOf } from "./intrinsics.ts";
import { embeddedMachine, member, membersOf, readMachineFile } from "./machines.ts";
import type { Placeholders } from "./resolve.ts";
import { joinTexts, type PlacedText, placedAt, placedText, readMachineText } from "./texts.ts";

const types: ReadonlySet<unknown> = new Set(["AWS::Serverless::StateMachine", "AWS::StepFunctions::StateMachine"]);

/** The machines among the resources of a template of CloudFormation or AWS SAM, by logical id. */
export const machinesOfTemplate = (value: Json): readonly (readonly [string, JsonObject])[] =>
  membersOf(member(value, "Resources")).filter((entry): entry is readonly [string, JsonObject] =>
    types.has(member(entry[1], "Type")),
  );

/** Finds the machines of a template. */
export function readTemplate(document: Document, context: EmbeddingContext): readonly EmbeddedDefinition[] {
  const machines = machinesOfTemplate(document.value);
  const ids = new Set(machines.map(([id]) => id));
  const mappings = member(document.value, "Mappings") ?? null;
  return machines.map(([id, resource]) => {
    const properties = own(resource, "Properties") ?? null;
    const owner = isObject(properties) ? properties : resource;
    const span = document.spanOf(member(document.value, "Resources"), id);
    const given = member(owner, "StateMachineName") ?? member(owner, "Name");
    const name = given === undefined ? undefined : stringOf(given, mappings);
    const substitutions = substitutionsOf(owner, mappings, context.placeholders);
    const placeholders: Placeholders = {
      values: context.placeholders,
      substitutions,
      machines: ids,
      mappings,
      escaped: "${!",
    };
    const known = [...context.placeholders, ...substitutions];
    const constants = new Map(known.filter(([, text]) => !hasPlaceholder(text)));
    return embeddedMachine({
      id,
      name: name?.includes("${") ? undefined : name,
      span,
      placeholders,
      read: (report) => readProperties({ document, context, owner, mappings, constants }, span, report),
    });
  });
}

/** The values of `DefinitionSubstitutions`, and of `Fn::Sub` around the definition, with the given values inserted. */
function substitutionsOf(
  owner: JsonObject,
  mappings: Json,
  given: ReadonlyMap<string, string>,
): ReadonlyMap<string, string> {
  const substituted = member(own(owner, "DefinitionString"), "Fn::Sub") ?? null;
  const values = Array.isArray(substituted) ? (substituted as readonly Json[])[1] : undefined;
  return new Map(
    [...membersOf(values), ...membersOf(own(owner, "DefinitionSubstitutions"))].flatMap(([name, value]) => {
      const text = stringOf(value, mappings);
      return text === undefined ? [] : [[name, replacePlaceholders(text, given)] as const];
    }),
  );
}

interface PropertyReader {
  readonly document: Document;
  readonly context: EmbeddingContext;
  /** The object with the properties. */
  readonly owner: JsonObject;
  readonly mappings: Json;
  /** Values of placeholders outside of strings. */
  readonly constants: ReadonlyMap<string, string>;
}

function readProperties(reader: PropertyReader, span: Span, report: Report): Document | undefined {
  const { document, context, owner, constants } = reader;
  const placeOf = (key: string): Span => document.spanOf(owner, key);
  const uri = own(owner, "DefinitionUri");
  if (Object.hasOwn(owner, "Definition")) {
    const inline = owner["Definition"]!;
    if (!isObject(inline) || intrinsicIn(inline) === undefined) return document.part(owner, "Definition");
    report(unreadableFunction(placeOf("Definition"), { name: intrinsicIn(inline)! }));
    return undefined;
  }
  if (Object.hasOwn(owner, "DefinitionString")) return readString(reader, "DefinitionString", report);
  if (typeof uri === "string" && !uri.startsWith("s3:"))
    return readMachineFile(uri, placeOf("DefinitionUri"), context, constants, report);
  const remote = ["DefinitionUri", "DefinitionS3Location"].find((key) => Object.hasOwn(owner, key));
  report(remoteDefinition(remote === undefined ? span : placeOf(remote), { isMissing: remote === undefined }));
  return undefined;
}

/** Reads a definition in a string, which may be joined from several. */
function readString({ document, owner, mappings, constants }: PropertyReader, key: string, report: Report) {
  const placed = textOf(document, owner, key, mappings, report);
  return placed && readMachineText(placed, document.source, constants, report);
}

function textOf(
  document: Document,
  owner: object,
  key: string | number,
  mappings: Json,
  report: Report,
): PlacedText | undefined {
  const value = (owner as { readonly [key: string | number]: Json })[key]!;
  if (typeof value === "string") return placedText(document, owner, key);
  const name = isObject(value) ? intrinsicIn(value) : undefined;
  const argument = name === undefined ? undefined : own(value as JsonObject, name);
  if (name === "Fn::Sub" && typeof argument === "string") return placedText(document, value as object, name);
  if (name === "Fn::Sub" && Array.isArray(argument) && typeof argument[0] === "string")
    return placedText(document, argument, 0);
  const [separator, parts] = name === "Fn::Join" && Array.isArray(argument) ? (argument as readonly Json[]) : [];
  if (typeof separator === "string" && Array.isArray(parts)) {
    const texts = parts.map((_, at) => textOf(document, parts, at, mappings, report));
    if (texts.some((text) => text === undefined)) return undefined;
    const between = placedAt(separator, document.spanOf(argument, 0));
    return joinTexts((texts as readonly PlacedText[]).flatMap((text, i) => (i === 0 ? [text] : [between, text])));
  }
  const text = stringOf(value, mappings);
  if (text !== undefined) return placedAt(text, document.spanOf(owner, key));
  report(unreadableFunction(document.spanOf(owner, key), { name: name ?? "This value" }));
  return undefined;
}
