import {
  balanced,
  binary,
  bind,
  call,
  conditional,
  type Expression,
  equalExpressions,
  firstOr,
  literal,
  member,
  variable,
} from "../../../expressions/index.ts";
import type { Typescript } from "./parse.ts";

/** The types of JSON values, as in jq. */
export type JsonType = "object" | "array" | "string" | "number" | "boolean" | "null";

/** A JavaScript value; undefined is an expression without output. */
export interface TranslatedValue {
  readonly expression: Expression;
  /** If known; the value is then defined. */
  readonly type?: JsonType | undefined;
  readonly isDefined: boolean;
}

/** A value that is certainly defined. */
export const defined = (expression: Expression, type?: JsonType): TranslatedValue => ({
  expression,
  type,
  isDefined: true,
});
/** A value that may be undefined. */
export const optional = (expression: Expression): TranslatedValue => ({ expression, isDefined: false });

/** The state of a translation: `conditions` make it exact. */
export interface Translation {
  readonly ts: Typescript;
  readonly names: ReadonlyMap<string, TranslatedValue>;
  readonly conditions: Expression[];
  readonly known: readonly { readonly expression: Expression; readonly type: JsonType }[];
}

/** Thrown if no expression is equivalent. */
export const untranslatable = Symbol("untranslatable");

/** Aborts the translation. */
export const giveUp = (): never => {
  throw untranslatable;
};

/** The value; null for undefined. */
export const orNull = ({ expression, isDefined }: TranslatedValue): Expression =>
  isDefined ? expression : firstOr(expression, literal(null));

/** Tests the type of a value. */
export const hasType = (of: TranslatedValue, type: JsonType): Expression =>
  binary("==", call("type", orNull(of)), literal(type));

/** Requires a type, unless known. */
export function requireType(of: TranslatedValue, type: JsonType, translation: Translation): TranslatedValue {
  if (of.type === type) return of;
  if (of.type !== undefined) return giveUp();
  const isKnown = translation.known.some(
    (each) => each.type === type && equalExpressions(each.expression, of.expression),
  );
  if (!isKnown) translation.conditions.push(hasType(of, type));
  return defined(of.expression, type);
}

/** Translates a subexpression; its requirements apply only under the condition. */
export function under(
  condition: Expression,
  known: Translation["known"],
  translation: Translation,
  work: (inner: Translation) => TranslatedValue,
): TranslatedValue {
  const conditions: Expression[] = [];
  const result = work({ ...translation, conditions, known: [...translation.known, ...known] });
  const wanted = balanced("and", conditions);
  if (conditions.length > 0) translation.conditions.push(conditional(condition, wanted, literal(true)));
  return result;
}

/** Requires a value to be defined. */
export function requireDefined({ expression, isDefined }: TranslatedValue, { conditions }: Translation): Expression {
  if (!isDefined) conditions.push(call("exists", expression));
  return expression;
}

/** Tests whether a value is truthy. */
export const truthOf = (of: TranslatedValue): Expression =>
  of.type === "boolean"
    ? of.expression
    : bind(
        "tested",
        orNull(of),
        balanced(
          "and",
          [null, false, 0, ""].map((each) => binary("!=", variable("tested"), literal(each))),
        ),
      );

/** Negates a condition. */
export const not = (condition: Expression): Expression => call("not", condition);

/** One value or the other. */
export const either = (condition: Expression, then: TranslatedValue, otherwise: TranslatedValue): TranslatedValue => ({
  expression: conditional(condition, then.expression, otherwise.expression),
  type: then.type === otherwise.type ? then.type : undefined,
  isDefined: then.isDefined && otherwise.isDefined,
});

/** Whether a value is certainly neither undefined nor null. */
export const isPresent = ({ isDefined, type }: TranslatedValue): boolean =>
  isDefined && type !== undefined && type !== "null";

/** A member of a value; requires the value to be present. */
export function memberOf(of: TranslatedValue, name: string, translation: Translation): TranslatedValue {
  if (!isPresent(of)) translation.conditions.push(binary("!=", orNull(of), literal(null)));
  return optional(selected(of, name));
}

/** A member by a name that is never inherited. */
export const selected = ({ expression }: TranslatedValue, name: string): Expression =>
  inherited.has(name) || name === "length" ? giveUp() : member(expression, name);

const inherited: ReadonlySet<string> = new Set(
  [Object, Array, String, Number, Boolean].flatMap(({ prototype }) => Object.getOwnPropertyNames(prototype)),
);
