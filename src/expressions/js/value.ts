import { type Block, type JsExpression as Code, js } from "../../js-ast/index.ts";
import { lookUp } from "../analysis/substitute.ts";
import type { Expression } from "../core/ast.ts";
import { bound, isDefined, returnsAt, type Sink } from "./place.ts";
import { write } from "./readable/write.ts";
import {
  type Lines,
  noLines,
  type PrintedExpression,
  printedExpression,
  type Scope as ValueScope,
} from "./readable/written.ts";
import { isTracked, type Scope } from "./scope.ts";
import { changeIn } from "./traits.ts";
import { constantFor, fresh, helperNamed, type Site, type Writer } from "./writer.ts";

/** The expression of JavaScript for an expression with at most one output, without statements; undefined if it needs some. */
export const valueFormOf = (expression: Expression, scope: Scope): PrintedExpression | undefined =>
  valueWith(expression, scope, undefined);

/** The same for an expression with one output. */
export function singleValueOf(expression: Expression, scope: Scope): Code | undefined {
  const value = valueFormOf(expression, scope);
  return value && !value.isOptional ? value.code : undefined;
}

/** Statements for an expression that is one of JavaScript, after constants that keep the order of evaluation; undefined if it needs other statements. */
export function emitValue(expression: Expression, scope: Scope, site: Site, sink: Sink): Block | undefined {
  if (isTracked(scope) || (scope.owned !== undefined && changeIn(expression))) return undefined;
  const lines = noLines([]);
  const value = valueWith(expression, scope, lines);
  if (!value) return undefined;
  const { code, isOptional } = value;
  const { writer } = scope;
  const isReturned = returnsAt(sink, site) && site.tail && sink.mayReturnNothing;
  if (isOptional && !isReturned && code.kind === "conditional") return undefined;
  const written =
    !isOptional || isReturned
      ? sink.write({ value: code }, site)
      : bound(writer, code, (found) => [js.ifStatement(isDefined(found), sink.write({ value: found }, site))]);
  return [...lines.statements, ...written];
}

function valueWith(expression: Expression, scope: Scope, lines: Lines | undefined): PrintedExpression | undefined {
  const { withoutValue } = scope.writer;
  if (withoutValue.has(expression)) return undefined;
  const value = write(expression, valueScope(scope, lines));
  if (!value && lines) withoutValue.add(expression);
  return value;
}

/** The scope of a value: that of the statements around it. */
export function valueScope({ writer, dot, variables }: Scope, lines?: Lines): ValueScope {
  return {
    input: named(dot.value, writer),
    lines,
    hasLoops: true,
    variable(name) {
      const code = lookUp(variables, name);
      return code && named(code, writer);
    },
    helper: (name) => helperNamed(writer, name),
    fresh: (wanted) => fresh(writer, "value", wanted),
    accessor:
      writer.accessor ?? (writer.isReadable ? undefined : (key, isTotal) => js.name(accessorOf(key, isTotal, writer))),
    engine: writer.isReadable ? undefined : { constant: (code) => js.name(constantFor(writer, code)) },
  };
}

/** A value with what is known of its type. */
const named = (code: Code, { types, reductions }: Writer): PrintedExpression =>
  code.kind === "identifier"
    ? printedExpression(code, { inferred: types.get(code.name), reduced: reductions.get(code.name) })
    : printedExpression(code);

/** A function for one key: engines learn where to find it. */
function accessorOf(key: string, isTotal: boolean | undefined, writer: Writer): string {
  const separator = isTotal ? "$" : "_";
  const known = writer.accessors.get(separator + key);
  if (known !== undefined) return known;
  const name = `${writer.name}${separator}${key.length > 40 ? writer.constants.length : key}`;
  writer.accessors.set(separator + key, name);
  const x = js.name("x");
  if (isTotal) {
    const isPresent = js.binary(x, "!=", js.literal(null));
    writer.constants.push({
      name,
      value: js.arrow(["x"], js.conditional(isPresent, js.member(x, key), js.undefinedName)),
    });
    return name;
  }
  const isThere = js.and(js.binary(x, "!==", js.literal(null)), js.binary(js.member(x, key), "!==", js.undefinedName));
  const otherwise = js.call(helperNamed(writer, "absent"), [x, js.literal(key)]);
  writer.constants.push({ name, value: js.arrow(["x"], js.conditional(isThere, js.member(x, key), otherwise)) });
  return name;
}
