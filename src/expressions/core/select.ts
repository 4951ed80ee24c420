import { isObject, type Json } from "../../json.ts";
import type { Expression, Segment, Selector } from "../core/ast.ts";
import { raiseLimit } from "../library/failure.ts";

/** The nodes that segments select, in document order (RFC 9535, 2.1.2). */
export function select(value: Json, segments: readonly Segment[], holds: FilterTest): readonly Json[] {
  let nodes: readonly Json[] = [value];
  for (const segment of segments) {
    const found: Json[] = [];
    for (const node of nodes) {
      for (const place of segment.descend ? descendants(node) : [node]) {
        for (const selector of segment.selectors) applySelector(place, selector, holds, found);
      }
      if (found.length > maxNodes) raiseLimit("A path selects too many values.");
    }
    nodes = found;
  }
  return nodes;
}

type FilterTest = (condition: Expression, element: Json) => boolean;

const maxNodes = 1_000_000;

/** In the slice's order (RFC 9535, 2.3.4.2.2). */
function sliceIndexes(slice: Extract<Selector, { kind: "slice" }>, length: number): readonly number[] {
  const step = slice.step ?? 1;
  const clamp = (bound: number, low: number, high: number) =>
    Math.min(Math.max(bound < 0 ? length + bound : bound, low), high);
  const indexes: number[] = [];
  if (step > 0) {
    const end = clamp(slice.end ?? length, 0, length);
    for (let i = clamp(slice.start ?? 0, 0, length); i < end; i += step) indexes.push(i);
  } else if (step < 0) {
    const end = slice.end === undefined ? -1 : clamp(slice.end, -1, length - 1);
    for (let i = clamp(slice.start ?? length - 1, -1, length - 1); i > end; i += step) indexes.push(i);
  }
  return indexes;
}

function* descendants(value: Json): Generator<Json> {
  const waiting: Json[] = [value];
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    yield node;
    const inner = children(node);
    for (let i = inner.length - 1; i >= 0; i--) waiting.push(inner[i]!);
  }
}

function children(value: Json): readonly Json[] {
  if (Array.isArray(value)) return value;
  return isObject(value) ? Object.values(value) : [];
}

function applySelector(value: Json, selector: Selector, holds: FilterTest, found: Json[]): void {
  switch (selector.kind) {
    case "name":
      if (isObject(value) && Object.hasOwn(value, selector.name)) found.push(value[selector.name]!);
      return;
    case "index": {
      const item = Array.isArray(value) ? value.at(selector.index) : undefined;
      if (item !== undefined) found.push(item);
      return;
    }
    case "slice":
      if (Array.isArray(value)) for (const index of sliceIndexes(selector, value.length)) found.push(value[index]);
      return;
    case "wildcard":
      for (const child of children(value)) found.push(child);
      return;
    case "filter":
      for (const child of children(value)) if (holds(selector.condition, child)) found.push(child);
  }
}
