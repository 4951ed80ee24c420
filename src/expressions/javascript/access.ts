import type { Access, Expression, Iterate, Slice } from "../core/ast.ts";
import { isTotal } from "../facts/facts.ts";
import { accessCode } from "./code.ts";
import { emit, emitBound } from "./emit.ts";
import { bound, checked, type Place, routeTo, type Sink, sinkOf } from "./place.ts";
import { isPlain } from "./plain.ts";
import { isTracked, type Scope, withoutPath } from "./scope.ts";
import { fresh, helper, notLast, type Site } from "./writer.ts";

/** The key is evaluated first; with another place for each of its outputs, and of the source's. */
export function emitAccess(expression: Access, scope: Scope, site: Site, sink: Sink): string {
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
            const code = (from: string) => accessCode(expression, from, keyCode, scope.writer);
            if (place.path) return trackedAccess(place, keyCode, optional, scope, inner, sink, code(place.value));
            return optional
              ? present(code(place.value), scope, inner, sink)
              : sink.write({ value: code(place.value) }, inner);
          }),
        ),
      ),
    ),
  );
}

/** Code that was to be evaluated before an expression: as it is where that makes no difference. */
export function keptBefore(code: string, next: Expression, scope: Scope, use: (code: string) => string): string {
  return !isTracked(scope) && isPlain(next) && isTotal(next) ? use(code) : bound(scope.writer, code, use);
}

/** A value that is there unless it is undefined. */
function present(code: string, scope: Scope, site: Site, sink: Sink): string {
  const name = fresh(scope.writer, "v");
  return `const ${name} = ${code};\nif (${name} !== undefined) {\n${sink.write({ value: name }, site)}}\n`;
}

function trackedAccess(
  place: Place,
  key: string,
  optional: boolean,
  scope: Scope,
  site: Site,
  sink: Sink,
  code: string,
): string {
  const name = fresh(scope.writer, "v");
  const check = checked(scope.writer, place, "checkAccess", key);
  const written = sink.write({ value: name, path: routeTo(place.path!, key) }, site);
  return `${check}const ${name} = ${code};\n${optional ? `if (${name} !== undefined) {\n${written}}\n` : written}`;
}

/** The bounds are evaluated first, the lower one before the upper one. */
export function emitSlice(expression: Slice, scope: Scope, site: Site, sink: Sink): string {
  const { source, from, upTo, optional } = expression;
  const boundOf = (part: Expression | undefined, at: Site, use: (atom: string, site: Site) => string) =>
    part === undefined ? use("null", at) : emitBound(part, scope, at, use);
  return boundOf(from, site, (start, s) =>
    boundOf(upTo, s, (end, t) =>
      bound(scope.writer, `{ start: ${start}, end: ${end} }`, (key) =>
        emit(
          source,
          scope,
          t,
          sinkOf((place, inner) => {
            const code = `${helper(scope.writer, optional ? "valueIf" : "valueAt")}(${place.value}, ${key})`;
            if (place.path) return trackedAccess(place, key, optional, scope, inner, sink, code);
            return optional ? present(code, scope, inner, sink) : sink.write({ value: code }, inner);
          }),
        ),
      ),
    ),
  );
}

/** A loop over what each output of the source has inside. */
export function emitIterate({ source, optional }: Iterate, scope: Scope, site: Site, sink: Sink): string {
  return emit(
    source,
    scope,
    site,
    sinkOf((place, at) => {
      if (place.path) return trackedIteration(place, optional, scope, at, sink);
      const name = fresh(scope.writer, "v");
      const values = `${helper(scope.writer, optional ? "iteratedIf" : scope.writer.seesMessages ? "iterated" : "elements")}(${place.value})`;
      return `for (const ${name} of ${values}) {\n${sink.write({ value: name }, notLast(at))}}\n`;
    }),
  );
}

function trackedIteration(place: Place, optional: boolean, scope: Scope, site: Site, sink: Sink): string {
  const [key, name] = [fresh(scope.writer, "k"), fresh(scope.writer, "v")];
  const keys = `${helper(scope.writer, optional ? "keysInIf" : "keysIn")}(${place.value})`;
  const body = sink.write({ value: name, path: routeTo(place.path!, key) }, notLast(site));
  return `${checked(scope.writer, place, "checkIteration")}for (const ${key} of ${keys}) {\nconst ${name} = ${place.value}[${key}];\n${body}}\n`;
}
