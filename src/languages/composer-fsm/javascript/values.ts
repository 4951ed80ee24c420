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

// Values of JavaScript as expressions: undefined is no output.

/** The types of JSON's values, as jq calls them. */
export type JsonType = "object" | "array" | "string" | "number" | "boolean" | "null";

/** A value of JavaScript: the outputs of an expression, of which there is none where it is undefined. */
export interface TranslatedValue {
  readonly expression: Expression;
  /** Where it is surely of that type, and there. */
  readonly type?: JsonType | undefined;
  /** Whether it is surely there. */
  readonly isDefined: boolean;
}

/** A value that is surely there. */
export const defined = (expression: Expression, type?: JsonType): TranslatedValue => ({
  expression,
  type,
  isDefined: true,
});
/** A value that may be undefined. */
export const optional = (expression: Expression): TranslatedValue => ({ expression, isDefined: false });

/** What is being translated, and what has to hold for it. */
export interface Translation {
  readonly ts: Typescript;
  readonly names: ReadonlyMap<string, TranslatedValue>;
  /** What has to hold. */
  readonly conditions: Expression[];
  /** What has been asked before this is come to: expressions that are of a type. */
  readonly known: readonly { readonly expression: Expression; readonly type: JsonType }[];
}

/** Thrown where there is no expression for something. */
export const untranslatable = Symbol("untranslatable");

/** Gives up. */
export const giveUp = (): never => {
  throw untranslatable;
};

/** What is there, or null in its place. */
export const orNull = ({ expression, isDefined: isThere }: TranslatedValue): Expression =>
  isThere ? expression : firstOr(expression, literal(null));

/** Whether a value is of a type. */
export const hasType = (of: TranslatedValue, type: JsonType): Expression =>
  binary("==", call("type", orNull(of)), literal(type));

/** Asks for a value to be of a type, unless it surely is. */
export function requireType(of: TranslatedValue, type: JsonType, translation: Translation): TranslatedValue {
  if (of.type === type) return of;
  if (of.type !== undefined) return giveUp();
  const isKnown = translation.known.some(
    (each) => each.type === type && equalExpressions(each.expression, of.expression),
  );
  if (!isKnown) translation.conditions.push(hasType(of, type));
  return defined(of.expression, type);
}

/** Translates what is only come to under a condition: what it asks for is asked only then. */
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

/** A value that has to be there. */
export function requireDefined(
  { expression, isDefined: isThere }: TranslatedValue,
  { conditions }: Translation,
): Expression {
  if (!isThere) conditions.push(call("exists", expression));
  return expression;
}

/** Whether a value counts as true. */
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

/** Whether a condition does not hold. */
export const not = (condition: Expression): Expression => call("not", condition);

/** The one value or the other; nothing where that is undefined. */
export const either = (condition: Expression, then: TranslatedValue, otherwise: TranslatedValue): TranslatedValue => ({
  expression: conditional(condition, then.expression, otherwise.expression),
  type: then.type === otherwise.type ? then.type : undefined,
  isDefined: then.isDefined && otherwise.isDefined,
});

/** Whether a value is surely there, and not null. */
export const isPresent = ({ isDefined: isThere, type }: TranslatedValue): boolean =>
  isThere && type !== undefined && type !== "null";

/** A member of what must not be null or undefined; of anything but an object there is none. */
export function memberOf(of: TranslatedValue, name: string, translation: Translation): TranslatedValue {
  if (!isPresent(of)) translation.conditions.push(binary("!=", orNull(of), literal(null)));
  return optional(selected(of, name));
}

/** A member of a value by a name that nothing has without having it itself. */
export const selected = ({ expression }: TranslatedValue, name: string): Expression =>
  inherited.has(name) || name === "length" ? giveUp() : member(expression, name);

/** The names that values have without having them themselves. */
const inherited: ReadonlySet<string> = new Set(
  [Object, Array, String, Number, Boolean].flatMap(({ prototype }) => Object.getOwnPropertyNames(prototype)),
);
