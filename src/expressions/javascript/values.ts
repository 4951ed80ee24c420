import type { ArrayConstruction, Binary, Expression, Interpolation, ObjectConstruction } from "../core/ast.ts";
import { canFail, factsOf, isTotal } from "../facts/facts.ts";
import { binaryCode, joinedCode } from "./code.ts";
import { emit } from "./emit.ts";
import { bound, type Sink, sinkOf, smallSink } from "./place.ts";
import { isPlain } from "./plain.ts";
import type { Scope } from "./scope.ts";
import { keyCode, quotedText } from "./text.ts";
import { fresh, helper, notLast, type Site } from "./writer.ts";

/** A list that each output is added to. */
export function emitArray({ items }: ArrayConstruction, scope: Scope, site: Site, sink: Sink): string {
  const list = fresh(scope.writer, "r");
  const add = smallSink((value) => `${list}.push(${value});\n`);
  return `const ${list} = [];\n${emit(items!, scope, notLast(site), add)}${sink.write({ value: list }, site)}`;
}

/** The right operand is evaluated first, and varies slowest. */
export function emitBinary(expression: Binary, scope: Scope, site: Site, sink: Sink): string {
  const { left, right } = expression;
  const second: Sink = sinkOf(({ value }, at) => {
    const whole = (b: string) =>
      emit(
        left,
        scope,
        at,
        sinkOf((place, inner) => sink.write({ value: binaryCode(expression, place.value, b, scope.writer) }, inner)),
      );
    return isPlain(left) && isTotal(left) ? whole(value) : bound(scope.writer, value, whole);
  });
  return emit(right, scope, site, second);
}

/** Several values, the first varying slowest: as code that is to be evaluated in that order, without anything in between. */
export function emitAll(
  expressions: readonly Expression[],
  scope: Scope,
  site: Site,
  use: (codes: readonly string[], site: Site) => string,
  codes: readonly string[] = [],
): string {
  const next = expressions[codes.length];
  if (!next) return use(codes, site);
  const rest = expressions.slice(codes.length + 1);
  const goOn = (code: string, at: Site) => emitAll(expressions, scope, at, use, [...codes, code]);
  return emit(
    next,
    scope,
    site,
    sinkOf(({ value }, at) =>
      rest.every(isPlain) ? goOn(value, at) : bound(scope.writer, value, (atom) => goOn(atom, at)),
    ),
  );
}

/** Members in their order; the key of each is checked when its value is there. */
export function emitObject({ entries }: ObjectConstruction, scope: Scope, site: Site, sink: Sink): string {
  const from = (index: number, members: readonly string[], at: Site): string => {
    const entry = entries[index];
    if (!entry) return sink.write({ value: `{ ${members.join(", ")} }` }, at);
    const rest = entries
      .slice(index + 1)
      .every(({ key, value }) => isPlain(key) && isPlain(value) && factsOf(key).type === "string");
    const { key } = entry;
    if (key.kind === "literal" && typeof key.value === "string") {
      const own = key.value;
      const goOn = (code: string, inner: Site) => from(index + 1, [...members, `${keyCode(own)}: ${code}`], inner);
      return emit(
        entry.value,
        scope,
        at,
        sinkOf((place, s) => (rest ? goOn(place.value, s) : bound(scope.writer, place.value, (v) => goOn(v, s)))),
      );
    }
    return emitMember(key, entry.value, scope, at, (member, inner) => from(index + 1, [...members, member], inner));
  };
  return from(0, [], site);
}

function emitMember(
  key: Expression,
  value: Expression,
  scope: Scope,
  site: Site,
  use: (member: string, site: Site) => string,
): string {
  const { writer } = scope;
  return emitAll([key, value], scope, site, ([k, v], at) =>
    bound(writer, k!, (keyAtom) =>
      bound(writer, v!, (valueAtom) => {
        if (factsOf(key).type === "string") return use(`[${keyAtom}]: ${valueAtom}`, at);
        const name = fresh(writer, "k");
        return `const ${name} = ${helper(writer, "objectKey")}(${keyAtom});\n${use(`[${name}]: ${valueAtom}`, at)}`;
      }),
    ),
  );
}

/** The last expression is evaluated first, and varies slowest. */
export function emitInterpolation({ parts }: Interpolation, scope: Scope, site: Site, sink: Sink): string {
  const before = (end: number, codes: readonly string[], at: Site): string => {
    const part = parts[end - 1];
    if (part === undefined) return sink.write({ value: joinedCode(codes) }, at);
    if (typeof part === "string") return before(end - 1, [quotedText(part), ...codes], at);
    const isFree = parts
      .slice(0, end - 1)
      .every((other) => typeof other === "string" || (isPlain(other) && !canFail(other)));
    const goOn = (code: string, inner: Site) => before(end - 1, [code, ...codes], inner);
    return emit(
      part,
      scope,
      at,
      sinkOf(({ value }, s) => (isFree ? goOn(value, s) : bound(scope.writer, value, (v) => goOn(v, s)))),
    );
  };
  return before(parts.length, [], site);
}
