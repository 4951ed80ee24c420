import type { Alias, Node, Scalar, YAMLMap, YAMLSeq } from "yaml";
import { cyclicAlias, tooDeep, tooManyAliases, unknownAnchor } from "../diagnostics/reading.ts";
import type { Json } from "../json.ts";
import { depthLimit } from "./limits.ts";
import { type DataReader, placeOf, readContent, spanOf, stop } from "./yaml-data.ts";

/** What an anchor names. */
export interface Anchored {
  readonly value: Json;
  readonly start: number;
  readonly end: number;
  /** How many values it has, itself and what its aliases repeat included. */
  readonly values: number;
  /** How many levels of lists and objects it has. */
  readonly levels: number;
  /** Whether it is still being read, so that an alias of it is a part of it. */
  readonly isOpen: boolean;
}

/** Reads a node that has an anchor, for its aliases to find. */
export function readAnchored(reader: DataReader, node: Scalar | YAMLMap | YAMLSeq, name: string, depth: number): Json {
  const { values, deepest } = reader;
  const place = placeOf(reader, node);
  reader.anchors.set(name, { value: null, ...place, values: 0, levels: 0, isOpen: true });
  reader.deepest = depth - 1;
  const value = readContent(reader, node, depth);
  const levels = reader.deepest - (depth - 1);
  reader.anchors.set(name, { value, ...place, values: reader.values - values, levels, isOpen: false });
  reader.deepest = Math.max(deepest, reader.deepest);
  return value;
}

/** The value that an alias repeats: the very same one, since nothing is ever changed. */
export function readAlias(reader: DataReader, node: Alias, depth: number): Json {
  const anchored = reader.anchors.get(node.source);
  const span = spanOf(reader, node as Node);
  if (!anchored) {
    reader.report(unknownAnchor(span, { name: node.source }));
    return null;
  }
  if (anchored.isOpen) return stop(reader, cyclicAlias(span, { name: node.source }));
  const deepest = depth - 1 + anchored.levels;
  if (deepest > depthLimit) return stop(reader, tooDeep(span, { limit: depthLimit }));
  reader.deepest = Math.max(reader.deepest, deepest);
  reader.values += anchored.values;
  if (reader.values > reader.limit) return stop(reader, tooManyAliases(span, { limit: reader.limit }));
  return anchored.value;
}
