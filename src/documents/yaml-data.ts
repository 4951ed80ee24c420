import {
  type Alias,
  isAlias,
  isMap,
  isScalar,
  isSeq,
  type Node,
  type Scalar,
  type YAMLMap,
  type YAMLSeq,
  type Document as YamlDocument,
} from "yaml";
import {
  cyclicAlias,
  duplicateKey,
  invalidMerge,
  tooDeep,
  tooManyAliases,
  unknownAnchor,
} from "../diagnostics/reading.ts";
import { isObject, type Json, setOwn } from "../json.ts";
import type { Diagnostic, Report } from "../text/diagnostics.ts";
import type { Source, Span } from "../text/source.ts";
import { checkNumber, maxDepth, maxErrors, maxValues } from "./document.ts";
import type { NodePositions, ParsedDocument } from "./positions.ts";

interface DataReader {
  readonly source: Source;
  readonly positions: Map<object, NodePositions>;
  readonly anchors: Map<string, AnchoredValue>;
  readonly report: Report;
  readonly limit: number;
  readonly tags: ReadonlyMap<string, string>;
  errors: number;
  values: number;
  maxLevel: number;
  isStopped: boolean;
}

/** Converts a document to plain data; undefined on error. */
export function readData(
  source: Source,
  document: YamlDocument.Parsed,
  report: Report,
  tags: ReadonlyMap<string, string> = new Map(),
): ParsedDocument | undefined {
  const reader: DataReader = {
    source,
    positions: new Map(),
    anchors: new Map(),
    report: (diagnostic) => {
      if (diagnostic.severity === "error") reader.errors += 1;
      report(diagnostic);
    },
    limit: maxValues(source.text),
    tags,
    errors: 0,
    values: 0,
    maxLevel: 0,
    isStopped: false,
  };
  const node = document.contents!;
  const value = readNode(reader, node, 1);
  const { start, end } = rangeOf(reader, node);
  return reader.errors > 0 ? undefined : { value, start, end, positions: reader.positions };
}

function readNode(reader: DataReader, node: Node, depth: number): Json {
  if (reader.isStopped) return null;
  if (isAlias(node)) return readAlias(reader, node, depth);
  return node.anchor === undefined ? readContent(reader, node, depth) : readAnchored(reader, node, node.anchor, depth);
}

function readContent(reader: DataReader, node: Exclude<Node, { anchor?: never }>, depth: number): Json {
  const tag = reader.tags.size > 0 ? reader.tags.get(node.tag ?? "") : undefined;
  return tag === undefined ? readUntagged(reader, node, depth) : readTagged(reader, node, tag, depth);
}

/** A tagged value as an object with one key. */
function readTagged(reader: DataReader, node: Exclude<Node, { anchor?: never }>, key: string, depth: number): Json {
  const value = { [key]: readUntagged(reader, node, depth + 1) };
  const { start, end } = rangeOf(reader, node);
  reader.positions.set(value, { start, end, names: [key], offsets: [start, end, start, end] });
  return value;
}

function readUntagged(reader: DataReader, node: Exclude<Node, { anchor?: never }>, depth: number): Json {
  reader.values += 1;
  if (isScalar(node)) return readScalar(reader, node);
  if (depth > maxDepth) return stop(reader, tooDeep(startOf(reader, node), { limit: maxDepth }));
  reader.maxLevel = Math.max(reader.maxLevel, depth);
  return isMap(node) ? readMap(reader, node, depth) : readSequence(reader, node as YAMLSeq<Node>, depth);
}

function stop(reader: DataReader, diagnostic: Diagnostic): null {
  reader.isStopped = true;
  reader.report(diagnostic);
  return null;
}

function rangeOf(reader: DataReader, node: Node): { readonly start: number; readonly end: number } {
  const [start, valueEnd] = node.range!;
  const known = isAlias(node) ? reader.anchors.get(node.source) : undefined;
  if (known && !known.isOpen) return known;
  const { text } = reader.source;
  let end = valueEnd;
  while (end > start && text.charCodeAt(end - 1) <= 32) end -= 1;
  return { start, end };
}

function spanOf(reader: DataReader, node: Node): Span {
  return { source: reader.source, start: node.range![0], end: node.range![1] };
}

function startOf(reader: DataReader, node: Node): Span {
  return { source: reader.source, start: node.range![0], end: node.range![0] + 1 };
}

function readScalar(reader: DataReader, node: Scalar): Json {
  const { value } = node;
  if (typeof value === "number" && !Number.isSafeInteger(value)) {
    const diagnostic = checkNumber(spanOf(reader, node), node.source ?? "", value);
    if (diagnostic) reader.report(diagnostic);
  }
  return value as Json;
}

function readSequence(reader: DataReader, node: YAMLSeq<Node>, depth: number): Json {
  const value: Json[] = [];
  const offsets: number[] = [];
  for (const item of node.items) {
    value.push(readNode(reader, item, depth + 1));
    const { start, end } = rangeOf(reader, item);
    offsets.push(start, end);
  }
  reader.positions.set(value, { ...rangeOf(reader, node), names: undefined, offsets });
  return value;
}

function readMap(reader: DataReader, node: YAMLMap, depth: number): Json {
  const object = createObject();
  for (const { key, value } of node.items as readonly { key: Scalar<string>; value: Node | null }[]) {
    readPair(reader, object, key, value, depth);
  }
  const { value, names, offsets } = object;
  reader.positions.set(value, { ...rangeOf(reader, node), names, offsets });
  return value;
}

function readPair(
  reader: DataReader,
  object: ObjectBuilder,
  key: Scalar<string>,
  node: Node | null,
  depth: number,
): void {
  if (key.type === "PLAIN" && key.value === "<<") {
    mergeValue(reader, object, key, node, depth);
    return;
  }
  if (key.anchor !== undefined) readAnchored(reader, key, key.anchor, depth);
  const value = node ? readNode(reader, node, depth + 1) : null;
  const keyPlace = rangeOf(reader, key);
  const written = node ? rangeOf(reader, node) : keyPlace;
  const { start, end } = written.start < written.end ? written : keyPlace;
  addProperty(reader, object, key.value, value, [keyPlace.start, keyPlace.end, start, end]);
}

interface AnchoredValue {
  readonly value: Json;
  readonly start: number;
  readonly end: number;
  readonly values: number;
  readonly levels: number;
  /** An alias to it would be circular. */
  readonly isOpen: boolean;
}

function readAnchored(reader: DataReader, node: Scalar | YAMLMap | YAMLSeq, name: string, depth: number): Json {
  const { values, maxLevel: deepest } = reader;
  const place = rangeOf(reader, node);
  reader.anchors.set(name, { value: null, ...place, values: 0, levels: 0, isOpen: true });
  reader.maxLevel = depth - 1;
  const value = readContent(reader, node, depth);
  const levels = reader.maxLevel - (depth - 1);
  reader.anchors.set(name, { value, ...place, values: reader.values - values, levels, isOpen: false });
  reader.maxLevel = Math.max(deepest, reader.maxLevel);
  return value;
}

/** Data is immutable, so aliases share it. */
function readAlias(reader: DataReader, node: Alias, depth: number): Json {
  const anchored = reader.anchors.get(node.source);
  const span = spanOf(reader, node as Node);
  if (!anchored) {
    reader.report(unknownAnchor(span, { name: node.source }));
    return null;
  }
  if (anchored.isOpen) return stop(reader, cyclicAlias(span, { name: node.source }));
  const deepest = depth - 1 + anchored.levels;
  if (deepest > maxDepth) return stop(reader, tooDeep(span, { limit: maxDepth }));
  reader.maxLevel = Math.max(reader.maxLevel, deepest);
  reader.values += anchored.values;
  if (reader.values > reader.limit) return stop(reader, tooManyAliases(span, { limit: reader.limit }));
  return anchored.value;
}

interface ObjectBuilder {
  readonly value: { [key: string]: Json };
  readonly names: string[];
  readonly offsets: number[];
  /** By their index in `names`; explicit ones replace them. */
  merged: Map<string, number> | undefined;
}

type PropertyOffsets = readonly [keyStart: number, keyEnd: number, start: number, end: number];

function createObject(): ObjectBuilder {
  return { value: {}, names: [], offsets: [], merged: undefined };
}

function addProperty(
  reader: DataReader,
  object: ObjectBuilder,
  name: string,
  value: Json,
  place: PropertyOffsets,
): void {
  const merged = object.merged?.get(name);
  if (merged !== undefined) {
    object.merged!.delete(name);
    object.offsets.splice(merged * 4, 4, ...place);
  } else {
    if (Object.hasOwn(object.value, name) && reader.errors < maxErrors)
      reader.report(duplicateError(reader, object, name, place));
    object.names.push(name);
    object.offsets.push(...place);
  }
  setOwn(object.value, name, value);
}

function duplicateError(
  { source }: DataReader,
  { names, offsets }: ObjectBuilder,
  name: string,
  [start, end]: PropertyOffsets,
) {
  const first = names.indexOf(name) * 4;
  const note = { message: "First defined here.", span: { source, start: offsets[first]!, end: offsets[first + 1]! } };
  return duplicateKey({ source, start, end }, { name }, [note]);
}

/** Earlier objects win, explicit properties win over all. */
function mergeValue(reader: DataReader, object: ObjectBuilder, key: Scalar, node: Node | null, depth: number): void {
  const parts = isSeq(node) ? (node.items as Node[]) : [node];
  for (const part of parts) {
    const value = part && (isMap(part) || isAlias(part)) ? readNode(reader, part, depth) : undefined;
    if (reader.isStopped) return;
    const list = Array.isArray(value) && !isSeq(node) ? (value as readonly Json[]) : [value];
    for (const each of list) {
      if (isObject(each)) addMerged(reader, object, each, part!);
      else if (value !== null) reader.report(invalidMerge(spanOf(reader, isPresent(part) ? part : key), {}));
    }
  }
}

function isPresent(node: Node | null | undefined): node is Node {
  return !!node && node.range![0] < node.range![1];
}

function addMerged(
  reader: DataReader,
  object: ObjectBuilder,
  from: { readonly [key: string]: Json },
  node: Node,
): void {
  const positions = reader.positions.get(from)!;
  const names = positions.names!;
  reader.values += names.length;
  if (reader.values > reader.limit) stop(reader, tooManyAliases(spanOf(reader, node), { limit: reader.limit }));
  if (reader.isStopped) return;
  object.merged ??= new Map();
  for (let i = 0; i < names.length; i += 1) {
    const name = names[i]!;
    if (Object.hasOwn(object.value, name)) continue;
    object.merged.set(name, object.names.length);
    object.names.push(name);
    object.offsets.push(...positions.offsets.slice(i * 4, i * 4 + 4));
    setOwn(object.value, name, from[name]!);
  }
}
