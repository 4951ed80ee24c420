import { isAlias, isMap, isSeq, type Node, type Scalar } from "yaml";
import { duplicateKey, mergeOfNoObject, tooManyAliases } from "../diagnostics/reading.ts";
import { isObject, type Json, setOwn } from "../json.ts";
import { faultLimit } from "./limits.ts";
import { type DataReader, readNode, spanOf, stop } from "./yaml-data.ts";

/** An object whose properties are being read. */
export interface OpenObject {
  readonly value: { [key: string]: Json };
  readonly names: string[];
  /** As in `Places`. */
  readonly offsets: number[];
  /** The properties that came through a merge key, which written ones replace, with their index in `names`. */
  merged: Map<string, number> | undefined;
}

/** Start and end of a key and of its value. */
export type PropertyPlace = readonly [keyStart: number, keyEnd: number, start: number, end: number];

/** An object without properties. */
export function newObject(): OpenObject {
  return { value: {}, names: [], offsets: [], merged: undefined };
}

/** Adds a property that is written in the object itself: it replaces a merged one, but may not stand twice. */
export function addProperty(
  reader: DataReader,
  object: OpenObject,
  name: string,
  value: Json,
  place: PropertyPlace,
): void {
  const merged = object.merged?.get(name);
  if (merged !== undefined) {
    object.merged!.delete(name);
    object.offsets.splice(merged * 4, 4, ...place);
  } else {
    if (Object.hasOwn(object.value, name) && reader.errors < faultLimit)
      reader.report(duplicateOf(reader, object, name, place));
    object.names.push(name);
    object.offsets.push(...place);
  }
  setOwn(object.value, name, value);
}

function duplicateOf(
  { source }: DataReader,
  { names, offsets }: OpenObject,
  name: string,
  [start, end]: PropertyPlace,
) {
  const first = names.indexOf(name) * 4;
  const note = { message: "It stands here first.", span: { source, start: offsets[first]!, end: offsets[first + 1]! } };
  return duplicateKey({ source, start, end }, { name }, [note]);
}

/**
 * Adds what the value of a merge key has: an object, or a list of objects of which the earlier ones prevail. What is
 * written in the object itself prevails over all of them, wherever it stands.
 */
export function mergeInto(reader: DataReader, object: OpenObject, key: Scalar, node: Node | null, depth: number): void {
  const parts = isSeq(node) ? (node.items as Node[]) : [node];
  for (const part of parts) {
    const value = part && (isMap(part) || isAlias(part)) ? readNode(reader, part, depth) : undefined;
    if (reader.isStopped) return;
    const list = Array.isArray(value) && !isSeq(node) ? (value as readonly Json[]) : [value];
    for (const each of list) {
      if (isObject(each)) addMerged(reader, object, each, part!);
      else if (value !== null) reader.report(mergeOfNoObject(spanOf(reader, isWritten(part) ? part : key), {}));
    }
  }
}

function isWritten(node: Node | null | undefined): node is Node {
  return !!node && node.range![0] < node.range![1];
}

function addMerged(reader: DataReader, object: OpenObject, from: { readonly [key: string]: Json }, node: Node): void {
  const places = reader.places.get(from)!;
  const names = places.names!;
  reader.values += names.length;
  if (reader.values > reader.limit) stop(reader, tooManyAliases(spanOf(reader, node), { limit: reader.limit }));
  if (reader.isStopped) return;
  object.merged ??= new Map();
  for (let i = 0; i < names.length; i += 1) {
    const name = names[i]!;
    if (Object.hasOwn(object.value, name)) continue;
    object.merged.set(name, object.names.length);
    object.names.push(name);
    object.offsets.push(...places.offsets.slice(i * 4, i * 4 + 4));
    setOwn(object.value, name, from[name]!);
  }
}
