import { type Block, type Expression as Code, js } from "../../code/index.ts";
import type { Call, Expression, Foreach, Reduce } from "../core/ast.ts";
import { factsOf, outputs } from "../facts/facts.ts";
import { codeOf } from "./code.ts";
import { emit, emitAll, emitBound, variableName } from "./emit.ts";
import {
  bound,
  boundPlace,
  computedAt,
  isAtPath,
  type Place,
  routeCode,
  routeNamed,
  type Sink,
  sinkOf,
  valueSink,
} from "./place.ts";
import { isPlain } from "./plain.ts";
import { isTracked, refuse, type Scope, withDot, withoutPath, withVariable } from "./scope.ts";
import { isGrowth, keepsState } from "./traits.ts";
import { block, counted, exitOf, fresh, helped, leave, notLast, type Site } from "./writer.ts";

/**
 * A loop over the outputs of the source, with the state in a variable, once for each initial one. Where paths are told, the state is a value only: the
 * path is the source's in the update, and the initial one's afterwards, as in jq.
 */
export function emitFold(expression: Reduce | Foreach, outside: Scope, site: Site, sink: Sink): Block {
  const [state, own] = [js.name(fresh(outside.writer, "s")), js.name(fresh(outside.writer, "o"))];
  return forgetting(expression, outside, (scope, forget) =>
    emit(
      expression.initial,
      outside,
      site,
      sinkOf((initial, at) => {
        const dot = initial.path ? computedAt(initial, scope.dot.value, true) : { value: scope.dot.value };
        const step = sinkOf((item, inner) =>
          named(expression.name, item, outside, (variable) => {
            const inside = withVariable(outside, expression.name, variable);
            return expression.kind === "reduce"
              ? reduceStep(expression, state, own, item, inside, inner)
              : foreachStep(expression, state, item, inside, inner, sink);
          }),
        );
        const loop = emit(expression.source, withDot(scope, dot), notLast(at), step);
        const ownsParts = expression.kind === "reduce" && keepsState(expression.update);
        const start = [
          js.variable(state, initial.value),
          ...(ownsParts ? [js.constant(own, js.construct("Set"))] : []),
          ...loop,
          ...forget,
        ];
        if (expression.kind === "foreach") return start;
        return [...start, ...sink.write(initial.path ? computedAt(initial, state, true) : { value: state }, at)];
      }),
    ),
  );
}

/** In jq, the source of `reduce` sees null as the input for all initial values but the first. */
function forgetting(expression: Reduce | Foreach, scope: Scope, use: (scope: Scope, forget: Block) => Block): Block {
  const { initial, source } = expression;
  if (expression.kind === "foreach" || outputs(initial) !== "many" || !factsOf(source).usesInput) return use(scope, []);
  if (isTracked(scope)) refuse(initial, "Several initial values of a `reduce` inside of a path are not supported.");
  const dot = js.name(fresh(scope.writer, "v"));
  const forget = js.assign(dot, js.literal(null));
  return [js.variable(dot, scope.dot.value), ...use(withDot(scope, { value: dot }), [forget])];
}

function named(name: string, item: Place, scope: Scope, use: (variable: Code) => Block): Block {
  if (item.path) return use(item.value);
  const own = js.name(variableName(name, scope.writer));
  return [js.constant(own, item.value), ...use(own)];
}

/** The state with the path that is current. What the value there was apart from is the item, and not the state. */
function stateAt(value: Code, item: Place, { writer }: Scope, use: (place: Place) => Block): Block {
  if (!item.path) return use({ value });
  const place = computedAt(item, value, true);
  if (item.at === undefined || item.copied === true) return use(place);
  return bound(writer, helped(writer, "rejoined", item.at), (at) => use({ ...place, at }));
}

function reduceStep({ update }: Reduce, state: Code, own: Code, item: Place, scope: Scope, site: Site): Block {
  if (!item.path && isGrowth(update)) {
    const added = codeOf(update.right, scope);
    return [js.assign(state, helped(scope.writer, "grown", state, added, own))];
  }
  if (!item.path && isPlain(update)) return [js.assign(state, codeOf(update, withDot(scope, { value: state })))];
  const before = js.name(fresh(scope.writer, "v"));
  const set: Sink = { small: true, write: ({ value }) => [js.assign(state, value)] };
  const owned = own.kind === "identifier" && !item.path && keepsState(update) ? own.name : undefined;
  const reset = outputs(update) === "one" ? [] : [js.assign(state, js.literal(null))];
  const body = stateAt(before, item, scope, (dot) =>
    emit(update, { ...withDot(scope, dot), owned }, notLast(site), set),
  );
  return [js.constant(before, state), ...reset, ...body];
}

function foreachStep(expression: Foreach, state: Code, item: Place, scope: Scope, site: Site, sink: Sink): Block {
  const before = js.name(fresh(scope.writer, "v"));
  const next = sinkOf((place, at) =>
    boundPlace(scope.writer, place, (kept) => [
      js.assign(state, kept.value),
      ...emit(expression.extract, withDot(scope, kept), at, sink),
    ]),
  );
  return [
    js.constant(before, state),
    js.assign(state, js.literal(null)),
    ...stateAt(before, item, scope, (dot) => emit(expression.update, withDot(scope, dot), notLast(site), next)),
  ];
}

/** `limit(n; E)`: E is left when the last output has been put out. */
export function emitLimit(count: Expression, body: Expression, scope: Scope, site: Site, sink: Sink): Block {
  const { writer } = scope;
  return counting("limit", count, scope, site, (left, at) => {
    const exit = exitOf(writer, at);
    const counted = sinkOf((place, inner) =>
      boundPlace(writer, place, (kept) => [
        js.assign(left, helped(writer, "lessOne", left)),
        ...sink.write(kept, notLast(inner)),
        js.when(js.unary("!", js.binary(left, ">", js.literal(0))), leave(exit, inner)),
      ]),
    );
    const limited = block(exit, emit(body, scope, notLast(at), counted));
    return [js.when(js.binary(left, "!==", js.literal(0)), limited)];
  });
}

/** `skip(n; E)` */
export function emitSkip(count: Expression, body: Expression, scope: Scope, site: Site, sink: Sink): Block {
  const { writer } = scope;
  return counting("skip", count, scope, site, (left, at) => {
    const counted = sinkOf((place, inner) =>
      boundPlace(writer, place, (kept) => [
        js.assign(left, helped(writer, "lessOne", left)),
        js.when(js.binary(left, "<", js.literal(0)), sink.write(kept, inner)),
      ]),
    );
    return emit(body, scope, at, counted);
  });
}

function counting(
  name: string,
  count: Expression,
  scope: Scope,
  site: Site,
  use: (left: Code, site: Site) => Block,
): Block {
  const { writer } = scope;
  return emit(
    count,
    withoutPath(scope),
    site,
    valueSink((code, at) => {
      const left = js.name(fresh(writer, "n"));
      return [js.variable(left, helped(writer, "countOf", code, js.literal(name))), ...use(left, at)];
    }),
  );
}

/** `range(from; upTo; by)`: a loop for each combination, the first varying slowest. */
export function emitRange({ args }: Call, scope: Scope, site: Site, sink: Sink): Block {
  const { writer } = scope;
  const isNumber = args.map((argument) => argument.kind === "literal" && typeof argument.value === "number");
  return emitAll(args, scope, site, (codes, at) => {
    const names = ["n", "n", "n", "i"].map((stem) => js.name(fresh(writer, stem)));
    const [from, upTo, by, i] = names as [Code, Code, Code, Code];
    const numbers = codes.map((code, k) => (isNumber[k] ? code : helped(writer, "rangeBound", code)));
    const isBelow = js.binary(i, "<", upTo);
    const isAbove = js.and(js.binary(by, "<", js.literal(0)), js.binary(i, ">", upTo));
    const isUp = args[2]!.kind === "literal" && Number(args[2]!.value) > 0;
    return [
      ...numbers.map((number, k) => js.constant(names[k]!, number)),
      {
        kind: "for",
        initial: js.variable(names[3]!, from),
        test: isUp ? isBelow : js.conditional(js.binary(by, ">", js.literal(0)), isBelow, isAbove),
        update: js.assignment(i, by, "+="),
        body: [...counted(writer), ...sink.write({ value: i }, notLast(at))],
      },
    ];
  });
}

/** `getpath(P)` where paths are told: a value that is not at its path any more gives one that stands nowhere. */
export function emitGetPath(path: Expression, scope: Scope, site: Site, sink: Sink): Block {
  const { writer, dot } = scope;
  return emitBound(path, scope, site, (keys, at) =>
    bound(writer, helped(writer, "getPath", dot.value, keys), (value) => {
      const route = dot.path!;
      const root = fresh(writer, "p");
      const before = routeCode(route, writer);
      const further = route.dynamic ? helped(writer, "extended", before, keys) : js.method(before, "concat", [keys]);
      if (isAtPath(dot))
        return [js.constant(root, further), ...sink.write({ value, path: routeNamed(root, route) }, at)];
      const [same, place] = [js.name(fresh(writer, "b")), js.name(fresh(writer, "w"))];
      const found: Place = { value, path: routeNamed(root, route), at: place, copied: true };
      return [
        js.constant(same, helped(writer, "isSame", dot.value, dot.at!, js.literal(dot.copied ?? true))),
        js.constant(root, js.conditional(same, further, before)),
        js.constant(place, js.conditional(same, value, dot.at!)),
        ...sink.write(found, at),
      ];
    }),
  );
}
