import { equalJson, isObject, type Json } from "../json.ts";
import type { Diagnostic, Fix } from "../text/diagnostics.ts";
import { applyFixes, type FixedSource } from "../text/fix.ts";
import type { Source } from "../text/source.ts";
import { type Document, type ReadResult, readWithDiagnostics } from "./index.ts";

/** With more fixes, all are applied or none. */
const maxSeparateFixes = 100;

/**
 * Applies the fixes that change nothing but what they replace: the fixed source is read again and compared with the
 * original. A fix after which the source reads otherwise, or not at all, is not applied.
 */
export function applySafeFixes(source: Source, diagnostics: readonly Diagnostic[]): FixedSource {
  const whole = applyFixes(source, diagnostics);
  if (whole.applied.length === 0) return whole;
  const before = readWithDiagnostics(source, { recovers: true });
  const isSafe = (fixed: FixedSource): boolean => readsAsIntended(source, before, fixed);
  if (isSafe(whole)) return whole;
  const unchanged = { text: source.text, applied: [] };
  if (whole.applied.length === 1 || whole.applied.length > maxSeparateFixes) return unchanged;
  return whole.applied.reduce<FixedSource>((sofar, diagnostic) => {
    const next = applyFixes(source, [...sofar.applied, diagnostic]);
    return isSafe(next) ? next : sofar;
  }, unchanged);
}

function readsAsIntended(source: Source, before: ReadResult, { text, applied }: FixedSource): boolean {
  const after = readWithDiagnostics({ path: source.path, text }, { recovers: true });
  const errors = countErrors(before);
  const isOfReading = applied.some((each) => before.diagnostics.some(({ code }) => code === each.code));
  if (countErrors(after) > (isOfReading ? Math.max(0, errors - 1) : errors)) return false;
  if (errors > 0) return true;
  const edits = applied.flatMap(({ fix = [] }) => fix).sort((a, b) => a.span.start - b.span.start);
  const moved = rangesAfter(edits);
  const [old, now] = [nodesOf(before.documents), nodesOf(after.documents)];
  const replaced = edits.map(({ span }) => span);
  if (!equalJson(untouched(old, replaced), untouched(now, moved))) return false;
  return edits.every(({ span, text: written }, i) => {
    const isNode = (node: DataNode): boolean => node.start === span.start && node.end === span.end;
    if (!old.some(isNode)) return true;
    const { start, end } = moved[i]!;
    const expected = readValue(source, written);
    return now.some((node) => node.start === start && node.end === end && equalJson(node.value, expected ?? []));
  });
}

const countErrors = ({ diagnostics }: ReadResult): number =>
  diagnostics.filter(({ severity }) => severity === "error").length;

interface Range {
  readonly start: number;
  readonly end: number;
}

function rangesAfter(edits: Fix): readonly Range[] {
  let shift = 0;
  return edits.map(({ span, text }) => {
    const start = span.start + shift;
    shift += text.length - (span.end - span.start);
    return { start, end: start + text.length };
  });
}

/** The value of a replacement alone; undefined if it has none. */
function readValue({ path }: Source, text: string): Json | undefined {
  const { documents, diagnostics } = readWithDiagnostics({ path: `${path}.yaml`, text });
  return diagnostics.length > 0 || documents.length !== 1 ? undefined : documents[0]!.value;
}

/** A key or a value. `depth` is the number of objects and arrays around it. */
interface DataNode extends Range {
  readonly value: Json;
  readonly depth: number;
  readonly isLeaf: boolean;
}

function nodesOf(documents: readonly Document[]): readonly DataNode[] {
  return documents.flatMap((document) => {
    const nodes: DataNode[] = [];
    const visit = (value: Json, { start, end }: Range, depth: number): void => {
      const members = typeof value === "object" && value !== null ? Object.entries(value) : [];
      nodes.push({ start, end, value, depth, isLeaf: members.length === 0 });
      for (const [key, member] of members as readonly (readonly [string, Json])[]) {
        if (isObject(value)) {
          const { start, end } = document.spanOf(value, key, "key");
          nodes.push({ start, end, value: key, depth, isLeaf: true });
        }
        visit(member, document.spanOf(value, key), depth + 1);
      }
    };
    visit(document.value, document.span, 0);
    return nodes;
  });
}

/** The leaves outside of the ranges, in their order. */
function untouched(nodes: readonly DataNode[], ranges: readonly Range[]): Json {
  const touches = (node: DataNode): boolean => ranges.some(({ start, end }) => node.start < end && start < node.end);
  return nodes.filter((node) => node.isLeaf && !touches(node)).map(({ value, depth }) => [value, depth]);
}
