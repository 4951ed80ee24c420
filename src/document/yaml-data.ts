import {
  isAlias,
  isMap,
  isScalar,
  type Node,
  type Scalar,
  type YAMLMap,
  type YAMLSeq,
  type Document as YamlDocument,
} from "yaml";
import { tooDeep } from "../diagnostics/reading.ts";
import type { Json } from "../json.ts";
import type { Diagnostic, Report } from "../text/diagnostics.ts";
import type { Source, Span } from "../text/source.ts";
import { depthLimit, valueLimit } from "./limits.ts";
import { numberFault } from "./numbers.ts";
import type { Places, Reading } from "./places.ts";
import { type Anchored, readAlias, readAnchored } from "./yaml-aliases.ts";
import { addProperty, mergeInto, newObject, type OpenObject } from "./yaml-objects.ts";

/** A composed document that is being made plain data. */
export interface DataReader {
  readonly source: Source;
  readonly places: Map<object, Places>;
  readonly anchors: Map<string, Anchored>;
  readonly report: Report;
  /** How many values there may be with all aliases written out. */
  readonly limit: number;
  /** How many errors there are so far. */
  errors: number;
  /** How many values there are so far. */
  values: number;
  /** The number of the deepest level reached; the outermost object or list is level 1. */
  deepest: number;
  /** Set with a fault after which the rest is not looked at. */
  isStopped: boolean;
}

/** The plain data of a composed document that has no syntax errors; undefined when it reports an error. */
export function plainData(source: Source, document: YamlDocument.Parsed, report: Report): Reading | undefined {
  const reader: DataReader = {
    source,
    places: new Map(),
    anchors: new Map(),
    report: (fault) => {
      if (fault.severity === "error") reader.errors += 1;
      report(fault);
    },
    limit: valueLimit(source.text),
    errors: 0,
    values: 0,
    deepest: 0,
    isStopped: false,
  };
  const node = document.contents!;
  const value = readNode(reader, node, 1);
  const { start, end } = placeOf(reader, node);
  return reader.errors > 0 ? undefined : { value, start, end, places: reader.places };
}

/** The plain data of a node, which stands at level `depth`; null where it reports an error. */
export function readNode(reader: DataReader, node: Node, depth: number): Json {
  if (reader.isStopped) return null;
  if (isAlias(node)) return readAlias(reader, node, depth);
  return node.anchor === undefined ? readContent(reader, node, depth) : readAnchored(reader, node, node.anchor, depth);
}

/** The plain data of a node that is no alias, whether it has an anchor or not. */
export function readContent(reader: DataReader, node: Exclude<Node, { anchor?: never }>, depth: number): Json {
  reader.values += 1;
  if (isScalar(node)) return readScalar(reader, node);
  if (depth > depthLimit) return stop(reader, tooDeep(startOf(reader, node), { limit: depthLimit }));
  reader.deepest = Math.max(reader.deepest, depth);
  return isMap(node) ? readMap(reader, node, depth) : readSequence(reader, node as YAMLSeq<Node>, depth);
}

/** Reports a fault after which the rest is not looked at. */
export function stop(reader: DataReader, fault: Diagnostic): null {
  reader.isStopped = true;
  reader.report(fault);
  return null;
}

/** Where the value of a node is written: for an alias, at its anchor. Block collections end with their last character that is no white space. */
export function placeOf(reader: DataReader, node: Node): { readonly start: number; readonly end: number } {
  const [start, valueEnd] = node.range!;
  const known = isAlias(node) ? reader.anchors.get(node.source) : undefined;
  if (known && !known.isOpen) return known;
  const { text } = reader.source;
  let end = valueEnd;
  while (end > start && text.charCodeAt(end - 1) <= 32) end -= 1;
  return { start, end };
}

/** The whole of a node, as a span. */
export function spanOf(reader: DataReader, node: Node): Span {
  return { source: reader.source, start: node.range![0], end: node.range![1] };
}

function startOf(reader: DataReader, node: Node): Span {
  return { source: reader.source, start: node.range![0], end: node.range![0] + 1 };
}

function readScalar(reader: DataReader, node: Scalar): Json {
  const { value } = node;
  if (typeof value === "number" && !Number.isSafeInteger(value)) {
    const fault = numberFault(spanOf(reader, node), node.source ?? "", value);
    if (fault) reader.report(fault);
  }
  return value as Json;
}

function readSequence(reader: DataReader, node: YAMLSeq<Node>, depth: number): Json {
  const value: Json[] = [];
  const offsets: number[] = [];
  for (const item of node.items) {
    value.push(readNode(reader, item, depth + 1));
    const { start, end } = placeOf(reader, item);
    offsets.push(start, end);
  }
  reader.places.set(value, { ...placeOf(reader, node), names: undefined, offsets });
  return value;
}

function readMap(reader: DataReader, node: YAMLMap, depth: number): Json {
  const object = newObject();
  for (const { key, value } of node.items as readonly { key: Scalar<string>; value: Node | null }[]) {
    readPair(reader, object, key, value, depth);
  }
  const { value, names, offsets } = object;
  reader.places.set(value, { ...placeOf(reader, node), names, offsets });
  return value;
}

function readPair(reader: DataReader, object: OpenObject, key: Scalar<string>, node: Node | null, depth: number): void {
  if (key.type === "PLAIN" && key.value === "<<") {
    mergeInto(reader, object, key, node, depth);
    return;
  }
  if (key.anchor !== undefined) readAnchored(reader, key, key.anchor, depth);
  const value = node ? readNode(reader, node, depth + 1) : null;
  const keyPlace = placeOf(reader, key);
  const written = node ? placeOf(reader, node) : keyPlace;
  const { start, end } = written.start < written.end ? written : keyPlace;
  addProperty(reader, object, key.value, value, [keyPlace.start, keyPlace.end, start, end]);
}
