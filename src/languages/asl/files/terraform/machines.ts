import { createDocument, type Document, type ReadResult } from "../../../../documents/index.ts";
import { isObject, type Json, type JsonObject, setOwn } from "../../../../json.ts";
import type { EmbeddedDefinition, EmbeddingContext } from "../../../../language.ts";
import type { Report } from "../../../../text/diagnostics.ts";
import type { Source, Span } from "../../../../text/source.ts";
import { remoteDefinition, unreadableTerraform } from "../../diagnostics/kinds.ts";
import { embeddedMachine, member, membersOf, readMachineFile } from "../machines.ts";
import { placedText, readMachineText } from "../texts.ts";
import { findResources, type ResourceBlock, skipExpression, skipSpace } from "./scan.ts";
import { readValue } from "./values.ts";

/** The type of the resources with machines. */
export const machineResource = "aws_sfn_state_machine";

/** Reads a Terraform file as the names of its machines: their definitions are read on demand. */
export function readTerraformFile(source: Source): ReadResult {
  const blocks = findResources(source.text, machineResource);
  const machines: { [name: string]: Json } = {};
  for (const { name } of blocks) setOwn(machines, name, {});
  const resource = { [machineResource]: machines };
  const value = { resource };
  const [start, end] = [blocks[0]?.start ?? 0, blocks.at(-1)?.end ?? source.text.length];
  const names = blocks.map(({ name }) => name);
  const offsets = blocks.flatMap((block) => [block.start, headerEnd(source.text, block), block.start, block.end]);
  const around = (key: string) => ({ start, end, names: [key], offsets: [start, end, start, end] });
  const positions = new Map<object, ReturnType<typeof around>>([
    [value, around("resource")],
    [resource, around(machineResource)],
    [machines, { start, end, names, offsets }],
  ]);
  return {
    documents: blocks.length === 0 ? [] : [createDocument(source, { value, start, end, positions })],
    diagnostics: [],
  };
}

const headerEnd = (text: string, { start, end }: ResourceBlock): number => {
  const brace = text.indexOf("{", start);
  return brace < 0 ? end : text.slice(0, brace).trimEnd().length;
};

/** Finds the machines of a Terraform file, by the names of their resources. */
export function readTerraform(document: Document, context: EmbeddingContext): readonly EmbeddedDefinition[] {
  const { source } = document;
  const machines = member(member(document.value, "resource"), machineResource);
  return findResources(source.text, machineResource).map((block) => {
    const span = document.spanOf(machines, block.name, "key");
    const variables = new Map<string, string>(context.placeholders);
    return embeddedMachine({
      id: block.name,
      name: nameOf(source, block),
      span,
      placeholders: { values: variables, escaped: "$${" },
      read: (report) => readDefinition({ source, block, context, variables }, span, report),
    });
  });
}

function nameOf(source: Source, { attributes }: ResourceBlock): string | undefined {
  const at = attributes.get("name");
  const name = at === undefined ? undefined : readValue(source, at, () => undefined).document.value;
  return typeof name === "string" && !name.includes("${") ? name : undefined;
}

interface MachineReader {
  readonly source: Source;
  readonly block: ResourceBlock;
  readonly context: EmbeddingContext;
  /** Receives the constant variables of `templatefile`. */
  readonly variables: Map<string, string>;
}

function readDefinition(reader: MachineReader, span: Span, report: Report): Document | undefined {
  const { source, block, context, variables } = reader;
  const at = block.attributes.get("definition");
  if (at === undefined) {
    report(remoteDefinition(span, { isMissing: true }));
    return undefined;
  }
  const [opening, name] = /^([a-z]+)\(/.exec(source.text.slice(at, at + 20)) ?? [];
  const inner = { text: source.text, at: at + (opening?.length ?? 0) };
  if (name === "jsonencode") {
    skipSpace(inner);
    const { document } = readValue(source, inner.at, report);
    return document.isRecovered ? undefined : document;
  }
  if (name === "file" || name === "templatefile") {
    const path = readPath(reader, inner.at, name === "templatefile", report);
    return path && readMachineFile(path.text, path.span, context, variables, report);
  }
  const end = { text: source.text, at };
  skipExpression(end);
  if (source.text[at] === '"' || source.text.startsWith("<<", at)) {
    const owner = { definition: readValue(source, at, report).document.value };
    const offsets = [at, at, at, end.at];
    const positions = new Map([[owner as object, { start: at, end: end.at, names: ["definition"], offsets }]]);
    const document = createDocument(source, { value: owner, start: at, end: end.at, positions });
    return readMachineText(placedText(document, owner, "definition"), source, variables, report);
  }
  report(unreadableTerraform({ source, start: at, end: end.at }, { what: "The definition" }));
  return undefined;
}

/** The literal path of a file, and the constant variables of a template. */
function readPath({ source, variables }: MachineReader, at: number, isTemplate: boolean, report: Report) {
  const cursor = { text: source.text, at };
  skipSpace(cursor);
  const { document, end } = readValue(source, cursor.at, report);
  const span = { source, start: cursor.at, end };
  const text = typeof document.value === "string" ? document.value.replace(/^\$\{path\.module\}\//, "") : undefined;
  if (text === undefined || text.includes("${")) {
    report(unreadableTerraform(span, { what: "The path" }));
    return undefined;
  }
  cursor.at = end;
  skipSpace(cursor);
  if (isTemplate && source.text[cursor.at] === ",") {
    cursor.at += 1;
    skipSpace(cursor);
    for (const [name, value] of constantsIn(readValue(source, cursor.at, () => undefined).document.value))
      if (!variables.has(name)) variables.set(name, value);
  }
  return { text, span };
}

const constantsIn = (value: Json): readonly (readonly [string, string])[] =>
  membersOf(isObject(value) ? (value as JsonObject) : {}).flatMap(([name, each]) =>
    (typeof each === "string" && !each.includes("${")) || typeof each === "number"
      ? [[name, String(each)] as const]
      : [],
  );
