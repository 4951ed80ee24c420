import { type Block, type JsExpression as Code, js } from "../../js-ast/index.ts";
import { isTotal } from "../analysis/effects.ts";
import type { Access, Expression, Iterate } from "../core/ast.ts";
import { sliceBounds } from "../core/views.ts";
import { emit, emitBound } from "./emit.ts";
import { bound, checked, isDefined, type Place, routeTo, type Sink, sinkOf } from "./place.ts";
import { accessCode } from "./readable/write.ts";
import { isTracked, type Scope, withoutPath } from "./scope.ts";
import { valueFormOf, valueScope } from "./value.ts";
import { singularOfCode } from "./words.ts";
import { fresh, helped, notLast, type Site } from "./writer.ts";

/** The key is evaluated first; with another place for each of its outputs, and of the source's. */
export function emitAccess(expression: Access, scope: Scope, site: Site, sink: Sink): Block {
  const bounds = sliceBounds(expression);
  if (bounds) return emitSlice(expression, bounds, scope, site, sink);
  const { source, key, optional } = expression;
  return emit(
    key,
    withoutPath(scope),
    site,
    sinkOf(({ value }, at) =>
      keptBefore(value, source, scope, (keyCode) =>
        emit(
          source,
          scope,
          at,
          sinkOf((place, inner) => {
            const code = accessCode(expression, place.value, keyCode, valueScope(scope));
            return emitAccessed(place, keyCode, optional, code, scope, inner, sink);
          }),
        ),
      ),
    ),
  );
}

/** Binds code that must be evaluated before an expression, unless the order makes no difference. */
function keptBefore(code: Code, next: Expression, scope: Scope, use: (code: Code) => Block): Block {
  return !isTracked(scope) && isTotal(next) && valueFormOf(next, scope) ? use(code) : bound(scope.writer, code, use);
}

/** The value under a key, with its path if paths are tracked; only an optional access may be undefined. */
function emitAccessed(
  place: Place,
  key: Code,
  optional: boolean,
  code: Code,
  { writer }: Scope,
  site: Site,
  sink: Sink,
): Block {
  if (!place.path && !optional) return sink.write({ value: code }, site);
  const name = js.name(fresh(writer, "value"));
  const check = place.path ? checked(writer, place, "checkAccess", key) : [];
  const written = sink.write({ value: name, path: place.path && routeTo(place.path, key) }, site);
  return [...check, js.constant(name, code), ...(optional ? [js.ifStatement(isDefined(name), written)] : written)];
}

/** The bounds are evaluated first, the lower one before the upper one. */
function emitSlice(
  { source, optional }: Access,
  [from, upTo]: readonly [Expression, Expression],
  scope: Scope,
  site: Site,
  sink: Sink,
): Block {
  const { writer } = scope;
  return emitBound(from, scope, site, (start, s) =>
    emitBound(upTo, scope, s, (end, t) =>
      bound(writer, js.record({ start, end }), (key) =>
        emit(
          source,
          scope,
          t,
          sinkOf((place, inner) => {
            const code = helped(writer, optional ? "valueIf" : "valueAt", place.value, key);
            return emitAccessed(place, key, optional, code, scope, inner, sink);
          }),
        ),
      ),
    ),
  );
}

/** A loop over what each output of the source has inside. */
export function emitIterate({ source, optional }: Iterate, scope: Scope, site: Site, sink: Sink): Block {
  const { writer } = scope;
  return emit(
    source,
    scope,
    site,
    sinkOf((place, at) => {
      if (place.path) return trackedIteration(place, optional, scope, at, sink);
      const isExact = writer.isReadable || writer.seesMessages;
      const values = helped(writer, optional ? "itemsOf" : isExact ? "elementsOf" : "elements", place.value);
      const name = fresh(writer, "item", singularOfCode(values));
      return [js.forOf(name, values, sink.write({ value: js.name(name) }, notLast(at)))];
    }),
  );
}

function trackedIteration(place: Place, optional: boolean, { writer }: Scope, site: Site, sink: Sink): Block {
  const [key, name] = [js.name(fresh(writer, "key")), js.name(fresh(writer, "item"))];
  const keys = helped(writer, optional ? "keysInIf" : "keysIn", place.value);
  const body = sink.write({ value: name, path: routeTo(place.path!, key) }, notLast(site));
  return [
    ...checked(writer, place, "checkIteration"),
    js.forOf(key, keys, [js.constant(name, helped(writer, "childOf", place.value, key)), ...body]),
  ];
}
