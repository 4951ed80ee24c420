import { type Block, type JsExpression as Code, js } from "../../js-ast/index.ts";
import { outputs } from "../analysis/effects.ts";
import type { Expression, Query, Segment, Selector } from "../core/ast.ts";
import { emit } from "./emit.ts";
import { addTo, bound, isDefined, type Sink, smallSink, valueSink } from "./place.ts";
import { type Scope, withDot } from "./scope.ts";
import { valueFormOf } from "./value.ts";
import { block, exitOf, fresh, helped, leave, notLast, type Site } from "./writer.ts";

/** What a JSONPath selects in each output of the source: a loop for each segment, but for names and indices. */
export function emitQuery({ source, segments }: Query, scope: Scope, site: Site, sink: Sink): Block {
  return emit(
    source,
    scope,
    site,
    valueSink((code, at) => emitSegments(segments, code, scope, at, sink)),
  );
}

function emitSegments(segments: readonly Segment[], code: Code, scope: Scope, site: Site, sink: Sink): Block {
  const definite = segments.findIndex((segment) => !isDefinite(segment));
  const steps = definite < 0 ? segments : segments.slice(0, definite);
  const [next, ...rest] = definite < 0 ? [] : segments.slice(definite);
  const further: Sink = next
    ? valueSink((value, at) => emitSegment(next, value, scope, at, emitRest(rest, scope, sink)))
    : sink;
  if (steps.length === 0) return further.write({ value: code }, site);
  const selected = steps.reduce((node, { selectors }) => stepCode(node, selectors[0]!, scope), code);
  return ifFound(selected, scope, (value) => further.write({ value }, site));
}

/** Statements for a value that is there: `const v1 = named(input, "a"); if (v1 !== undefined) { … }`. */
function ifFound(code: Code, { writer }: Scope, use: (value: Code) => Block): Block {
  const name = js.name(fresh(writer, "value"));
  return [js.constant(name, code), js.ifStatement(isDefined(name), use(name))];
}

const emitRest = (segments: readonly Segment[], scope: Scope, sink: Sink): Sink =>
  segments.length === 0 ? sink : valueSink((value, at) => emitSegments(segments, value, scope, at, sink));

const isDefinite = ({ descend, selectors }: Segment): boolean =>
  !descend && selectors.length === 1 && (selectors[0]!.kind === "name" || selectors[0]!.kind === "index");

/** What a name or an index selects: `named(input, "a")`; undefined: nothing. */
function stepCode(node: Code, selector: Selector, { writer }: Scope): Code {
  if (selector.kind === "name") return helped(writer, "memberOf", node, js.literal(selector.name));
  if (selector.kind === "index") return helped(writer, "elementOf", node, js.literal(selector.index));
  throw new Error(`Not one step: ${selector.kind}`);
}

/** Several selectors first collect their nodes in an array. */
function emitSegment({ descend, selectors }: Segment, code: Code, scope: Scope, site: Site, sink: Sink): Block {
  const { writer } = scope;
  if (descend) {
    const node = fresh(writer, "item");
    const body = emitSegment({ descend: false, selectors }, js.name(node), scope, notLast(site), sink);
    return [js.forOf(node, helped(writer, "everything", code), body)];
  }
  if (selectors.length === 1) return emitSelector(selectors[0]!, code, scope, site, sink);
  const [list, node] = [fresh(writer, "list"), fresh(writer, "item")];
  return bound(writer, code, (from) => [
    js.constant(list, js.array([])),
    ...selectors.map((selector) => js.block(emitSelector(selector, from, scope, notLast(site), addTo(list)))),
    js.forOf(node, js.name(list), sink.write({ value: js.name(node) }, notLast(site))),
  ]);
}

function emitSelector(selector: Selector, code: Code, scope: Scope, site: Site, sink: Sink): Block {
  const { writer } = scope;
  if (selector.kind === "name" || selector.kind === "index")
    return ifFound(stepCode(code, selector, scope), scope, (value) => sink.write({ value }, site));
  const node = fresh(writer, "item");
  const value = js.name(node);
  switch (selector.kind) {
    case "slice": {
      const limit = (limited: number | undefined) => js.literal(limited ?? null);
      const { start, end, step = 1 } = selector;
      const values = helped(writer, "sliced", code, limit(start), limit(end), js.literal(step));
      return [js.forOf(node, values, sink.write({ value }, notLast(site)))];
    }
    case "wildcard":
      return [js.forOf(node, helped(writer, "itemsOf", code), sink.write({ value }, notLast(site)))];
    case "filter": {
      const body = emitFilter(selector.condition, value, scope, notLast(site), sink);
      return [js.forOf(node, helped(writer, "itemsOf", code), body)];
    }
  }
}

/** A node for which the first output of the condition is true. */
function emitFilter(condition: Expression, node: Code, outside: Scope, site: Site, sink: Sink): Block {
  const scope = withDot(outside, { value: node });
  const body = sink.write({ value: node }, site);
  const isTrue = (code: Code) => js.binary(code, "===", js.literal(true));
  const value = outputs(condition) === "one" ? valueFormOf(condition, scope) : undefined;
  if (value && !value.isOptional)
    return [js.ifStatement(value.type === "boolean" ? value.code : isTrue(value.code), body)];
  const [holds, exit] = [fresh(scope.writer, "flag", "holds"), exitOf(scope.writer, site)];
  const decide = smallSink((value, at) => [js.assign(holds, isTrue(value)), ...leave(exit, at)]);
  return [
    js.variable(holds, js.literal(false)),
    ...block(exit, emit(condition, scope, notLast(site), decide)),
    js.ifStatement(js.name(holds), body),
  ];
}
