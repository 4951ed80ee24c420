import { jqDiagnostic, precisionLoss } from "../../diagnostics/data.ts";
import {
  binary,
  bind,
  call,
  collect,
  comma,
  conditional,
  type Expression,
  firstOr,
  literal,
  object,
  outputs,
  readJq,
  variable,
} from "../../expressions/index.ts";
import { isObject, type Json } from "../../json.ts";
import type { ReadContext } from "./properties.ts";

/** The program in `${ … }`, and where it begins in the string; undefined for other strings. */
export function programIn(text: string): { readonly text: string; readonly from: number } | undefined {
  const [, before, program] = /^(\s*\$\{)([\s\S]*)\}\s*$/.exec(text) ?? [];
  return program === undefined ? undefined : { text: program, from: before!.length };
}

/** Finding a span takes time linear in its offset. */
const maxTracedLength = 4_000;

/** Reads the jq program at `from` in the string `owner[key]`; reports its errors. */
export function jqAt(
  { document, report }: ReadContext,
  owner: object,
  key: string | number,
  { text, from }: { readonly text: string; readonly from: number },
  variables: readonly string[],
): Expression | undefined {
  const spanAt = (start: number, end: number) => document.spanWithin(owner, key, from + start, from + end);
  const program = readJq(text, { variables, spanAt: from + text.length > maxTracedLength ? undefined : spanAt });
  if (!("expression" in program)) {
    for (const fault of program) report(jqDiagnostic(spanAt(fault.from, fault.to), fault));
    return undefined;
  }
  for (const { from: start, to, message } of program.warnings) report(precisionLoss(spanAt(start, to), { message }));
  return program.expression;
}

/** The only output of an expression: null without one, and of several the first (`first`) or an array of them. */
export function singleOutput(expression: Expression, several: "first" | "array"): Expression {
  if (outputs(expression) === "one") return expression;
  if (several === "first") return firstOr(expression, literal(null));
  const results = variable("results");
  const isOne = binary("==", call("length", results), literal(1));
  const only: Expression = { kind: "access", source: results, key: literal(0), optional: false };
  const isNone = binary("==", call("length", results), literal(0));
  return bind("results", collect(expression), conditional(isOne, only, conditional(isNone, literal(null), results)));
}

/** Builds the value in `owner[key]`, with `stringAt` for each string in it. */
export function valueWith(
  owner: object,
  key: string | number,
  stringAt: (owner: object, key: string | number) => Expression,
): Expression {
  const value = (owner as { readonly [key: string | number]: Json })[key]!;
  if (typeof value === "string") return stringAt(owner, key);
  if (Array.isArray(value)) {
    const items = value.map((_, index) => valueWith(value, index, stringAt));
    return collect(items.length === 0 ? undefined : items.length === 1 ? items[0] : comma(...items));
  }
  if (!isObject(value)) return literal(value);
  return object(Object.keys(value).map((name) => [name, valueWith(value, name, stringAt)] as const));
}
