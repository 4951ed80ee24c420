import { jqDiagnostic, precisionLoss } from "../../diagnostics/data.ts";
import {
  call,
  collect,
  comma,
  concatenate,
  conditional,
  type Expression,
  effectsOf,
  firstOr,
  literal,
  object,
  outputs,
  readJq,
  simplify,
  substitute,
  variable,
} from "../../expressions/index.ts";
import { isObject, type Json } from "../../json.ts";
import { withFix } from "../../text/diagnostics.ts";
import { quoteLike } from "../../text/fix.ts";
import { bindInput, bindVariable } from "../shared/jq.ts";
import { spanOf } from "../shared/properties.ts";
import { isArgument, type Row } from "./arguments.ts";
import type { Context } from "./context.ts";
import {
  argumentOutsideRow,
  conditionOfType,
  contextBeforeExport,
  embeddedExpression,
  habitIn,
  severalOutputs,
  singleQuotes,
  unwrappedExpression,
} from "./diagnostics/data.ts";
import { embeddedExpressions, wholeExpression } from "./interpolations.ts";

/** A value in the source. */
export interface ValuePlace {
  readonly owner: object;
  readonly key: string | number;
}

/** The value at a place. */
export const valueAt = ({ owner, key }: ValuePlace): Json => (owner as { readonly [key: string | number]: Json })[key]!;

/** The expression, bare or wrapped, at a place where strings are expressions; null if it is invalid. */
export function expressionAt(context: Context, place: ValuePlace, row: Row): Expression {
  const text = String(valueAt(place));
  const whole = wholeExpression(text) ?? { text, from: 0 };
  return programAt(context, place, whole, row) ?? literal(null);
}

/** The condition at a place: whether the first output is neither false nor null. */
export function conditionAt(context: Context, place: ValuePlace, row: Row): Expression {
  const value = expressionAt(context, place, row);
  if (value.kind === "literal" && (typeof value.value === "boolean" || value.value === null))
    return literal(value.value === true);
  const { type } = effectsOf(value);
  if (type !== undefined && type !== "boolean" && type !== "null")
    context.report(
      conditionOfType(spanOf(context, place.owner, place.key), { type: `${/^[ao]/.test(type) ? "an" : "a"} ${type}` }),
    );
  return type === "boolean" ? value : simplify(conditional(value, literal(true), literal(false)));
}

/** The value at a place where only strings that are wholly `${ … }` are expressions. */
export function templateAt(context: Context, place: ValuePlace, row: Row): Expression {
  const value = valueAt(place);
  if (typeof value === "string") return stringAt(context, place, value, row);
  if (Array.isArray(value)) {
    const items = value.map((_, key) => templateAt(context, { owner: value, key }, row));
    return simplify(collect(items.length === 0 ? undefined : items.length === 1 ? items[0] : comma(...items)));
  }
  if (!isObject(value)) return literal(value);
  return simplify(object(Object.keys(value).map((key) => [key, templateAt(context, { owner: value, key }, row)])));
}

/** A filter: an expression, or an object of expressions and literals. */
export const filterAt = (context: Context, place: ValuePlace, row: Row): Expression =>
  typeof valueAt(place) === "string" ? expressionAt(context, place, row) : templateAt(context, place, row);

/** Whether a value contains an expression. */
export function hasExpression(value: Json): boolean {
  if (typeof value === "string") return wholeExpression(value) !== undefined;
  return typeof value === "object" && value !== null && Object.values(value).some(hasExpression);
}

function stringAt(context: Context, place: ValuePlace, text: string, row: Row): Expression {
  const whole = wholeExpression(text);
  if (whole) return programAt(context, place, whole, row) ?? literal(null);
  const span = spanOf(context, place.owner, place.key);
  const parts = embeddedExpressions(text);
  const [, lead, unclosed] = (!parts && /^(\s*\$\{)([\s\S]*)\}\s*$/.exec(text)) || [];
  if (lead !== undefined && unclosed !== undefined)
    return programAt(context, place, { text: unclosed, from: lead.length }, row) ?? literal(null);
  if (!parts) {
    if (looksLikeExpression(text.trim(), row))
      context.report(
        withFix(unwrappedExpression(span, { text: text.trim() }), quoteLike(span, `\${ ${text.trim()} }`)),
      );
    return literal(text);
  }
  if (context.settings.embedded === "text") {
    const meant = parts
      .map((part) => (part.kind === "text" ? escapeText(part.text) : `\\(${part.text.trim()})`))
      .join("");
    const diagnostic = embeddedExpression(span, { meant: `\${ "${meant}" }` });
    context.report(/[\r\n]/.test(text) ? diagnostic : withFix(diagnostic, quoteLike(span, `\${ "${meant}" }`)));
    return literal(text);
  }
  const texts = parts.map((part) => {
    if (part.kind === "text") return literal(part.text);
    return call("tostring", programAt(context, place, part, row) ?? literal(null));
  });
  return simplify(concatenate(texts));
}

/** Whether a string is a path of members, or a variable with members. */
export function looksLikeExpression(text: string, row: Row): boolean {
  const [, path, name] = /^(?:((?:\.[A-Za-z_]\w*(?:\[\d*\])?)+)|\$([A-Za-z_]\w*)(?:\.\w+|\[\d+\])*)$/.exec(text) ?? [];
  return path !== undefined || (name !== undefined && (row.variables.has(name) || isArgument(name) !== undefined));
}

const escapeText = (text: string): string => JSON.stringify(text).slice(1, -1);

/** Finding a span takes time linear in its offset. */
const maxTracedLength = 4_000;

interface ProgramText {
  readonly text: string;
  readonly from: number;
}

function programAt(context: Context, place: ValuePlace, source: ProgramText, row: Row): Expression | undefined {
  const { document, report } = context;
  const { owner, key } = place;
  const { text, from } = source;
  if (text.trim() === "") return row.input;
  const spanAt = (start: number, end: number) => document.spanWithin(owner, key, from + start, from + end);
  const names = [...row.variables.keys()];
  const program = readJq(text, {
    variables: names,
    spanAt: from + text.length > maxTracedLength ? undefined : spanAt,
  });
  if (!("expression" in program)) {
    const habit = /\$(?:CONST|SECRETS|WORKFLOW)\b|\bfn:/.exec(text);
    if (habit) {
      report(habitIn(spanAt(habit.index, habit.index + habit[0].length), { word: habit[0] }));
      return undefined;
    }
    if (/'[^']*'/.test(text) && !text.includes('"') && isReadable(text.replaceAll("'", '"'), names)) {
      const span = spanOf(context, owner, key);
      const fixed = String(valueAt(place)).replaceAll("'", '"');
      report(withFix(singleQuotes(span, {}), quoteLike(span, fixed)));
      return undefined;
    }
    for (const fault of program) {
      const name = /\$([A-Za-z_]\w*)/.exec(text.slice(fault.from, fault.to))?.[1] ?? "";
      const span = spanAt(fault.from, fault.to);
      if (isArgument(name) && !names.includes(name))
        report(argumentOutsideRow(span, { name, where: isArgument(name)! }));
      else report(jqDiagnostic(span, fault));
    }
    return undefined;
  }
  for (const { from: start, to, message } of program.warnings) report(precisionLoss(spanAt(start, to), { message }));
  if (!context.hasExports && effectsOf(program.expression).free.has("context"))
    report(contextBeforeExport(spanOf(context, owner, key), {}));
  return bindRow(context, firstOutput(context, place, program.expression), row);
}

const isReadable = (text: string, variables: readonly string[]): boolean => "expression" in readJq(text, { variables });

function firstOutput(context: Context, { owner, key }: ValuePlace, program: Expression): Expression {
  const count = outputs(program);
  if (count === "one") return program;
  if (count === "none" || count === "many")
    context.report(severalOutputs(spanOf(context, owner, key), { isNone: count === "none" }));
  return firstOr(program, literal(null));
}

/** Binds `.` and the arguments. Names get a mark first, so that no value is taken for an argument. */
function bindRow(context: Context, program: Expression, row: Row): Expression {
  const { free } = effectsOf(program);
  const used = [...row.variables].filter(([name]) => free.has(name));
  const marked = substitute(program, new Map(used.map(([name]) => [name, variable(`$${name}`)])));
  let bound = bindInput(marked, { value: row.input });
  for (const [name, argument] of used) {
    const { whole, ...members } = argument(context);
    const rest = `$whole ${name}`;
    bound = bindVariable(bound, `$${name}`, whole ? { ...members, whole: () => variable(rest) } : members);
    if (whole && effectsOf(bound).free.has(rest)) bound = bindVariable(bound, rest, { value: whole(literal(null)) });
  }
  return simplify(bound);
}
