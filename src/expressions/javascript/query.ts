import type { Expression, Query, Segment, Selector } from "../core/ast.ts";
import { factsOf } from "../facts/facts.ts";
import { codeOf } from "./code.ts";
import { emit } from "./emit.ts";
import { valueSink } from "./joins.ts";
import { bound, type Sink, smallSink } from "./place.ts";
import { isPlain } from "./plain.ts";
import { type Scope, withDot } from "./scope.ts";
import { numberCode, quotedText } from "./text.ts";
import { block, exitOf, fresh, helper, leave, notLast, type Site } from "./writer.ts";

/** What a JSONPath selects in each output of the source: a loop for each segment, but for names and indices. */
export function emitQuery({ source, segments }: Query, scope: Scope, site: Site, sink: Sink): string {
  return emit(
    source,
    scope,
    site,
    valueSink((code, at) => emitSegments(segments, code, scope, at, sink)),
  );
}

function emitSegments(segments: readonly Segment[], code: string, scope: Scope, site: Site, sink: Sink): string {
  const definite = segments.findIndex((segment) => !isDefinite(segment));
  const steps = definite < 0 ? segments : segments.slice(0, definite);
  const [next, ...rest] = definite < 0 ? [] : segments.slice(definite);
  const further: Sink = next
    ? valueSink((value, at) => emitSegment(next, value, scope, at, emitRest(rest, scope, sink)))
    : sink;
  if (steps.length === 0) return further.write({ value: code }, site);
  const name = fresh(scope.writer, "v");
  const selected = steps.reduce((node, { selectors }) => stepCode(node, selectors[0]!, scope), code);
  return `const ${name} = ${selected};\nif (${name} !== undefined) {\n${further.write({ value: name }, site)}}\n`;
}

const emitRest = (segments: readonly Segment[], scope: Scope, sink: Sink): Sink =>
  segments.length === 0 ? sink : valueSink((value, at) => emitSegments(segments, value, scope, at, sink));

const isDefinite = ({ descend, selectors }: Segment): boolean =>
  !descend && selectors.length === 1 && (selectors[0]!.kind === "name" || selectors[0]!.kind === "index");

/** JavaScript for what a name or an index selects; undefined: nothing. */
function stepCode(node: string, selector: Selector, { writer }: Scope): string {
  if (selector.kind === "name") return `${helper(writer, "named")}(${node}, ${quotedText(selector.name)})`;
  if (selector.kind === "index") return `${helper(writer, "numbered")}(${node}, ${numberCode(selector.index)})`;
  throw new Error(`Not one step: ${selector.kind}`);
}

/** Of several selectors, all that they select in a node is put into a list first. */
function emitSegment({ descend, selectors }: Segment, code: string, scope: Scope, site: Site, sink: Sink): string {
  const { writer } = scope;
  if (descend) {
    const node = fresh(writer, "v");
    const body = emitSegment({ descend: false, selectors }, node, scope, notLast(site), sink);
    return `for (const ${node} of ${helper(writer, "everything")}(${code})) {\n${body}}\n`;
  }
  if (selectors.length === 1) return emitSelector(selectors[0]!, code, scope, site, sink);
  const [list, node] = [fresh(writer, "r"), fresh(writer, "v")];
  const add = smallSink((value) => `${list}.push(${value});\n`);
  return bound(writer, code, (from) => {
    const found = selectors.map((selector) => `{\n${emitSelector(selector, from, scope, notLast(site), add)}}\n`);
    return `const ${list} = [];\n${found.join("")}for (const ${node} of ${list}) {\n${sink.write({ value: node }, notLast(site))}}\n`;
  });
}

function emitSelector(selector: Selector, code: string, scope: Scope, site: Site, sink: Sink): string {
  const { writer } = scope;
  const node = fresh(writer, "v");
  const loop = (values: string, body: string) => `for (const ${node} of ${values}) {\n${body}}\n`;
  switch (selector.kind) {
    case "name":
    case "index":
      return `const ${node} = ${stepCode(code, selector, scope)};\nif (${node} !== undefined) {\n${sink.write({ value: node }, site)}}\n`;
    case "slice": {
      const limit = (bound: number | undefined) => (bound === undefined ? "null" : numberCode(bound));
      const values = `${helper(writer, "sliced")}(${code}, ${limit(selector.start)}, ${limit(selector.end)}, ${numberCode(selector.step ?? 1)})`;
      return loop(values, sink.write({ value: node }, notLast(site)));
    }
    case "wildcard":
      return loop(`${helper(writer, "iteratedIf")}(${code})`, sink.write({ value: node }, notLast(site)));
    case "filter":
      return loop(
        `${helper(writer, "iteratedIf")}(${code})`,
        emitFilter(selector.condition, node, scope, notLast(site), sink),
      );
  }
}

/** A node for which the first output of the condition is true. */
function emitFilter(condition: Expression, node: string, outside: Scope, site: Site, sink: Sink): string {
  const scope = withDot(outside, { value: node });
  const body = sink.write({ value: node }, site);
  if (isPlain(condition)) {
    const code = codeOf(condition, scope);
    return `if (${factsOf(condition).type === "boolean" ? code : `${code} === true`}) {\n${body}}\n`;
  }
  const [holds, exit] = [fresh(scope.writer, "b"), exitOf(scope.writer, site)];
  const decide = smallSink((value, at) => `${holds} = ${value} === true;\n${leave(exit, at)}`);
  return `let ${holds} = false;\n${block(exit, emit(condition, scope, notLast(site), decide))}if (${holds}) {\n${body}}\n`;
}
