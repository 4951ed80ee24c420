import { type Block, type JsExpression as Code, js } from "../../js-ast/index.ts";
import { outputs } from "../analysis/effects.ts";
import { copyStateOf, mayReturnInput, pathBehaviorOf, unsupportedInPath } from "../analysis/path-mode.ts";
import type { Access, ArrayConstruction, Expression, Logic, Path, Update } from "../core/ast.ts";
import { formOf, isLogic, sliceBounds } from "../core/views.ts";
import { emit, emitBound } from "./emit.ts";
import {
  addTo,
  bound,
  boundPlace,
  checked,
  computedAt,
  declared,
  emptyRoute,
  firstInto,
  isCopied,
  isSingle,
  type Place,
  type Route,
  routeCode,
  type Sink,
  shared,
  sinkOf,
  slotsOf,
  truthCode,
  valueSink,
} from "./place.ts";
import { isTracked, refuse, type Scope, withDot, withoutPath } from "./scope.ts";
import { changeIn } from "./traits.ts";
import { block, exitOf, fresh, helped, notLast, type Site, type Writer } from "./writer.ts";

/** `path(E)` */
export function emitPath({ args: [body] }: Path, scope: Scope, site: Site, sink: Sink): Block {
  const write = (place: Place, at: Site) => [
    ...checked(scope.writer, place, "checkPathResult"),
    ...sink.write({ value: wholePath(place.path!, scope.writer) }, at),
  ];
  return bound(scope.writer, scope.dot.value, (value) =>
    emit(body, withDot(scope, { value, path: emptyRoute }), site, sinkOf(write)),
  );
}

/** A path that is there: it only is not where none is wanted. */
const wholePath = (route: Route, writer: Writer): Code =>
  route.dynamic ? js.nonNull(routeCode(route, writer)) : routeCode(route, writer);

/**
 * `P |= E`: a draft of the input in which each path is replaced in turn. Paths for which E has no output are deleted at
 * the end.
 */
export function emitUpdate(expression: Update, outside: Scope, site: Site, sink: Sink): Block {
  const [path, value] = expression.args;
  const { writer, owned } = outside;
  const scope = { ...outside, owned: undefined };
  const made = owned !== undefined && changeIn(expression) ? [js.name(owned)] : [];
  if (!isTracked(scope) && isOwnKey(path) && outputs(value) === "one")
    return emitChange(path, value, made, scope, site, sink);
  const [draft, deleted] = [js.name(fresh(writer, "draft")), js.name(fresh(writer, "deleted"))];
  const surely = outputs(value) === "one";
  const replace = sinkOf((place, at) =>
    bound(
      writer,
      wholePath(place.path!, writer),
      (where) => [
        ...checked(writer, place, "checkPathResult"),
        ...emitReplacement(value, { draft, deleted, where }, scope, notLast(at)),
      ],
      "path",
    ),
  );
  return bound(writer, scope.dot.value, (input) => [
    js.constant(draft, helped(writer, "draftOf", input, ...made)),
    ...(surely ? [] : [js.constant(deleted, js.array([]))]),
    ...emit(path, withDot(scope, { value: input, path: emptyRoute }), notLast(site), replace),
    ...sink.write({ value: surely ? js.member(draft, "root") : helped(writer, "finishDraft", draft, deleted) }, site),
  ]);
}

/** `.[K]` for one key. */
const isOwnKey = (path: Expression): path is Access =>
  path.kind === "access" &&
  !path.optional &&
  path.source.kind === "identity" &&
  !sliceBounds(path) &&
  outputs(path.key) === "one";

/** `.[K] |= E`: `setAt(input, key, plus(valueAt(input, key), 1))`, where parts that a fold made are changed in place. */
function emitChange(
  { key }: Access,
  value: Expression,
  owned: readonly Code[],
  scope: Scope,
  site: Site,
  sink: Sink,
): Block {
  const { writer } = scope;
  const [read, set] = owned.length > 0 ? ["takeAt", "putAt"] : ["valueAt", "setAt"];
  return bound(writer, scope.dot.value, (input) =>
    emitBound(key, withDot(scope, { value: input }), site, (name, at) => [
      ...bound(writer, helped(writer, read!, input, name, ...owned), (old) =>
        emit(
          value,
          withDot(scope, { value: old }),
          at,
          valueSink((code, inner) => sink.write({ value: helped(writer, set!, input, name, code, ...owned) }, inner)),
        ),
      ),
    ]),
  );
}

/** The draft, the list of paths to be deleted, and a path. */
interface Replacing {
  readonly draft: Code;
  readonly deleted: Code;
  readonly where: Code;
}

/** Replaces what is at a path by the first output of an expression; without one, it is to be deleted. */
function emitReplacement(value: Expression, { draft, deleted, where }: Replacing, scope: Scope, site: Site): Block {
  const { writer } = scope;
  const before = js.name(fresh(writer, "value", "old"));
  const read = js.constant(before, helped(writer, "readAt", draft, where));
  const write = (code: Code) => [js.expressionStatement(helped(writer, "writeAt", draft, where, code))];
  const inside = withDot(scope, { value: before });
  if (outputs(value) === "one") return [read, ...emit(value, inside, site, valueSink(write))];
  const slots = slotsOf(inside, false);
  const exit = exitOf(writer, site);
  const computed = emit(value, inside, site, isSingle(outputs(value)) ? slots.fill : firstInto(slots, exit));
  const isMissing = js.binary(slots.place.value, "===", js.undefinedName);
  const remove = [js.expressionStatement(js.method(deleted, "push", [where]))];
  return [
    read,
    ...declared(slots),
    ...block(exit, computed),
    js.ifStatement(isMissing, remove, write(slots.place.value)),
  ];
}

/** Whether outputs of an expression have paths if those of its parts have; others compute values without paths. */
export function tellsPaths(expression: Expression): boolean {
  switch (expression.kind) {
    case "literal":
    case "variable":
    case "array":
    case "object":
    case "query":
      return false;
    case "call":
      if (expression.isLocal) return true;
      if (formOf(expression)) return expression.name === "alternative" || expression.name === "recurse";
      return ["choice", "path", "failure"].includes(pathBehaviorOf(expression)?.kind ?? "");
    default:
      return true;
  }
}

/**
 * A value computed with tracked paths. jq also tracks paths inside of arrays and conditions, and fails there if one is
 * missing.
 */
export function emitComputed(expression: Expression, scope: Scope, site: Site, sink: Sink): Block {
  if (expression.kind === "array") return emitTrackedArray(expression, scope, site, sink);
  if (isLogic(expression)) return emitTrackedLogic(expression, scope, site, sink);
  const reason = unsupportedInPath(expression, scope.dot.at === undefined);
  if (reason !== undefined) refuse(expression, reason);
  const copied =
    expression.kind === "call" && mayReturnInput(expression) ? isCopied(scope.dot) : copyStateOf(expression);
  const write: Sink = sinkOf(({ value }, at) =>
    bound(scope.writer, value, (atom) => sink.write(computedAt(scope.dot, atom, copied), at)),
  );
  return emit(expression, withoutPath(scope), site, write);
}

function emitTrackedArray({ items }: ArrayConstruction, scope: Scope, site: Site, sink: Sink): Block {
  const list = fresh(scope.writer, "list");
  return [
    js.constant(list, js.array([])),
    ...(items ? emit(items, scope, notLast(site), addTo(list)) : []),
    ...sink.write(computedAt(scope.dot, js.name(list), false), site),
  ];
}

/** The right side sees the path that the left side led to. */
function emitTrackedLogic({ name: operator, args: [left, right] }: Logic, scope: Scope, site: Site, sink: Sink): Block {
  const { writer } = scope;
  return shared(scope, site, sink, (to) => {
    const first = sinkOf((place, at) =>
      boundPlace(writer, place, (kept) => {
        const decided = to.write(computedAt(kept, js.literal(operator === "or"), false), at);
        const second = sinkOf((other, inner) =>
          boundPlace(writer, other, (last) =>
            bound(writer, truthCode(right, last.value, writer), (value) =>
              to.write(computedAt(last, value, false), inner),
            ),
          ),
        );
        const rest = emit(right, withDot(scope, computedAt(kept, scope.dot.value, isCopied(scope.dot))), at, second);
        const condition = truthCode(left, kept.value, writer);
        return [
          operator === "and" ? js.ifStatement(condition, rest, decided) : js.ifStatement(condition, decided, rest),
        ];
      }),
    );
    return emit(left, scope, site, first);
  });
}
