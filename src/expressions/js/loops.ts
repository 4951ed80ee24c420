import { type Block, type JsExpression as Code, type Identifier, js } from "../../js-ast/index.ts";
import { effectsOf, outputs } from "../analysis/effects.ts";
import type { Call, Expression, Fold } from "../core/ast.ts";
import { emit, emitAll, emitBound, variableName } from "./emit.ts";
import {
  bound,
  boundPlace,
  computedAt,
  isAtPath,
  isCopied,
  type Place,
  routeCode,
  routeNamed,
  type Sink,
  sinkOf,
  smallSink,
  valueSink,
} from "./place.ts";
import { isTracked, refuse, type Scope, withDot, withoutPath, withVariable } from "./scope.ts";
import { changeIn, hasKnownLength, isGrowth, keepsState } from "./traits.ts";
import { singleValueOf } from "./value.ts";
import { block, counted, exitOf, fresh, helped, leave, notLast, type Site } from "./writer.ts";

/**
 * The variables of a fold: the state, the parts that it owns, and if paths are tracked, whether a string or number in
 * it is a copy.
 */
interface State {
  readonly value: Identifier;
  readonly own: Identifier;
  readonly copied: Identifier | undefined;
}

/**
 * A loop over the outputs of the source, with the state in a variable, once for each initial value. If paths are
 * tracked, the state is only a value: as in jq, the path is the source's in the update and the initial value's
 * afterwards.
 */
export function emitFold(expression: Fold, outside: Scope, site: Site, sink: Sink): Block {
  const isScalar = ["number", "string"].includes(effectsOf(expression.initial).type ?? "");
  const ownsParts = !expression.extract && keepsState(expression.update) && !(isScalar && isGrowth(expression.update));
  const state = stateIn(outside);
  return forgetting(expression, outside, (scope, forget) =>
    emit(
      expression.initial,
      outside,
      site,
      sinkOf((initial, at) => {
        const dot = initial.path
          ? computedAt(initial, scope.dot.value, isCopied(scope.dot))
          : { value: scope.dot.value };
        const step = sinkOf((item, inner) =>
          named(expression.name, item, outside, (variable) => {
            const inside = withVariable(outside, expression.name, variable);
            return expression.extract
              ? foreachStep(expression.update, expression.extract, state, item, inside, inner, sink)
              : reduceStep(expression, state, item, inside, inner, ownsParts);
          }),
        );
        const loop = emit(expression.source, withDot(scope, dot), notLast(at), step);
        const start = [
          js.variable(state.value, initial.value),
          ...(state.copied ? [js.variable(state.copied, isCopied(initial))] : []),
          ...(ownsParts ? [js.constant(state.own, { ...js.newExpression("Set"), types: [js.type("Json")] })] : []),
          ...loop,
          ...forget,
        ];
        if (expression.extract) return start;
        return [...start, ...sink.write(stateAt(state, initial), at)];
      }),
    ),
  );
}

function stateIn(scope: Scope): State {
  const [value, own] = [js.name(fresh(scope.writer, "state")), js.name(fresh(scope.writer, "owned"))];
  return { value, own, copied: isTracked(scope) ? js.name(fresh(scope.writer, "copied")) : undefined };
}

/** In jq, the source of `reduce` sees null as the input for all initial values but the first. */
function forgetting(expression: Fold, scope: Scope, use: (scope: Scope, forget: Block) => Block): Block {
  const { initial, source } = expression;
  if (expression.extract || outputs(initial) !== "many" || !effectsOf(source).usesInput) return use(scope, []);
  if (isTracked(scope)) refuse(initial, "Several initial values of a `reduce` inside of a path are not supported.");
  const dot = js.name(fresh(scope.writer, "value", "input"));
  const forget = js.assign(dot, js.literal(null));
  return [js.variable(dot, scope.dot.value), ...use(withDot(scope, { value: dot }), [forget])];
}

function named(name: string, item: Place, scope: Scope, use: (variable: Code) => Block): Block {
  if (item.path) return use(item.value);
  const own = js.name(variableName(name, scope.writer));
  return [js.constant(own, item.value), ...use(own)];
}

/** The state with the path that is current. */
const stateAt = ({ value, copied }: Pick<State, "value" | "copied">, item: Place): Place =>
  item.path ? computedAt(item, value, copied ?? true) : { value };

/** The state is that of a place from now on. */
const setState = (state: State, place: Place): Block => [
  js.assign(state.value, place.value),
  ...(state.copied ? [js.assign(state.copied, isCopied(place))] : []),
];

/** The state is what it is where an update has no output, and was what it is given as. */
function taken(
  state: State,
  { writer }: Scope,
): { readonly before: Pick<State, "value" | "copied">; readonly take: Block } {
  const value = js.name(fresh(writer, "value", "before"));
  if (!state.copied) return { before: { value, copied: undefined }, take: [js.constant(value, state.value)] };
  const copied = js.name(fresh(writer, "copied"));
  return { before: { value, copied }, take: [js.constant(value, state.value), js.constant(copied, state.copied)] };
}

function reduceStep({ update }: Fold, state: State, item: Place, scope: Scope, site: Site, ownsParts: boolean): Block {
  const { value, own } = state;
  if (!item.path && isGrowth(update)) {
    const sum = (added: Code) =>
      ownsParts ? helped(scope.writer, "appendTo", value, added, own) : helped(scope.writer, "plus", value, added);
    return emit(
      update.args[1],
      scope,
      site,
      smallSink((added) => [js.assign(value, sum(added))]),
    );
  }
  const next = item.path || changeIn(update) ? undefined : singleValueOf(update, withDot(scope, { value }));
  if (next) return [js.assign(value, next)];
  const isSure = outputs(update) === "one" && !item.path;
  const { before, take } = isSure ? { before: { value, copied: undefined }, take: [] } : taken(state, scope);
  const set: Sink = { small: true, write: (place) => setState(state, place) };
  const owned = !item.path && keepsState(update) ? own.name : undefined;
  const reset = outputs(update) === "one" ? [] : setState(state, noState);
  const inside = { ...withDot(scope, stateAt(before, item)), owned };
  return [...take, ...reset, ...emit(update, inside, notLast(site), set)];
}

function foreachStep(
  update: Expression,
  extract: Expression,
  state: State,
  item: Place,
  scope: Scope,
  site: Site,
  sink: Sink,
): Block {
  const { before, take } = taken(state, scope);
  const next = sinkOf((place, at) =>
    boundPlace(scope.writer, place, (kept) => [
      ...setState(state, kept),
      ...emit(extract, withDot(scope, kept), at, sink),
    ]),
  );
  const updated = emit(update, withDot(scope, stateAt(before, item)), notLast(site), next);
  return [...take, ...setState(state, noState), ...updated];
}

/** The state where an update has no output. */
const noState: Place = { value: js.literal(null) };

/** `limit(n; E)`: E is left when the last output has been put out. */
export function emitLimit(count: Expression, body: Expression, scope: Scope, site: Site, sink: Sink): Block {
  const { writer } = scope;
  return counting("limit", count, scope, site, (left, at) => {
    const exit = exitOf(writer, at);
    const counted = sinkOf((place, inner) =>
      boundPlace(writer, place, (kept) => [
        js.assign(left, helped(writer, "lessOne", left)),
        ...sink.write(kept, notLast(inner)),
        js.ifStatement(js.unary("!", js.binary(left, ">", js.literal(0))), leave(exit, inner)),
      ]),
    );
    const limited = block(exit, emit(body, scope, notLast(at), counted));
    return [js.ifStatement(js.binary(left, "!==", js.literal(0)), limited)];
  });
}

/** `skip(n; E)` */
export function emitSkip(count: Expression, body: Expression, scope: Scope, site: Site, sink: Sink): Block {
  const { writer } = scope;
  return counting("skip", count, scope, site, (left, at) => {
    const counted = sinkOf((place, inner) =>
      boundPlace(writer, place, (kept) => [
        js.assign(left, helped(writer, "lessOne", left)),
        js.ifStatement(js.binary(left, "<", js.literal(0)), sink.write(kept, inner)),
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
      const left = js.name(fresh(writer, "count"));
      return [js.variable(left, helped(writer, "countOf", code, js.literal(name))), ...use(left, at)];
    }),
  );
}

/** `range(from; upTo; by)`: a loop for each combination, the first varying slowest. */
export function emitRange(call: Call, scope: Scope, site: Site, sink: Sink): Block {
  const { writer } = scope;
  const { args } = call;
  const isNumber = args.map((argument) => argument.kind === "literal" && typeof argument.value === "number");
  return emitAll(args, scope, site, (codes, at) => {
    const kinds = ["bound", "bound", "bound", "index"] as const;
    const names = kinds.map((kind) => js.name(fresh(writer, kind)));
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
        body: [...(hasKnownLength(call) ? [] : counted(writer)), ...sink.write({ value: i }, notLast(at))],
      },
    ];
  });
}

/** `getpath(P)` with tracked paths: from a value that is no longer at its path, it yields one without a path. */
export function emitGetPath(path: Expression, scope: Scope, site: Site, sink: Sink): Block {
  const { writer, dot } = scope;
  return emitBound(path, scope, site, (keys, at) =>
    bound(writer, helped(writer, "getPath", dot.value, keys), (value) => {
      const route = dot.path!;
      const root = fresh(writer, "path");
      const before = routeCode(route, writer);
      const further = route.dynamic ? helped(writer, "extended", before, keys) : js.method(before, "concat", [keys]);
      if (isAtPath(dot))
        return [js.constant(root, further), ...sink.write({ value, path: routeNamed(root, route) }, at)];
      const [same, place] = [js.name(fresh(writer, "flag", "isSame")), js.name(fresh(writer, "at"))];
      const copied = js.name(fresh(writer, "copied"));
      const isWhole = js.binary(js.member(keys, "length"), "===", js.literal(0));
      const found: Place = { value, path: routeNamed(root, route), at: place, copied };
      return [
        js.constant(same, helped(writer, "isAtPath", dot.value, dot.at!, isCopied(dot))),
        js.constant(root, js.conditional(same, further, before)),
        js.constant(place, js.conditional(same, value, dot.at!)),
        js.constant(copied, js.or(same, js.conditional(isWhole, isCopied(dot), js.undefinedName))),
        ...sink.write(found, at),
      ];
    }),
  );
}
