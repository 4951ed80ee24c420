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
export type Type = "object" | "array" | "string" | "number" | "boolean" | "null";

/** A value of JavaScript: the outputs of an expression, of which there is none where it is undefined. */
export interface Value {
  readonly expression: Expression;
  /** Where it is surely of that type, and there. */
  readonly type?: Type | undefined;
  /** Whether it is surely there. */
  readonly isThere: boolean;
}

/** A value that is surely there. */
export const value = (expression: Expression, type?: Type): Value => ({ expression, type, isThere: true });
/** A value that may be undefined. */
export const perhaps = (expression: Expression): Value => ({ expression, isThere: false });

/** What is being translated, and what has to hold for it. */
export interface Translation {
  readonly ts: Typescript;
  readonly names: ReadonlyMap<string, Value>;
  /** What has to hold. */
  readonly conditions: Expression[];
  /** What has been asked before this is come to: expressions that are of a type. */
  readonly known: readonly { readonly expression: Expression; readonly type: Type }[];
}

/** Thrown where there is no expression for something. */
export const untranslatable = Symbol("untranslatable");

/** Gives up. */
export const give = (): never => {
  throw untranslatable;
};

/** What is there, or null in its place. */
export const orNull = ({ expression, isThere }: Value): Expression =>
  isThere ? expression : firstOr(expression, literal(null));

/** Whether a value is of a type. */
export const isOf = (of: Value, type: Type): Expression => binary("==", call("type", orNull(of)), literal(type));

/** Asks for a value to be of a type, unless it surely is. */
export function required(of: Value, type: Type, translation: Translation): Value {
  if (of.type === type) return of;
  if (of.type !== undefined) return give();
  const isKnown = translation.known.some(
    (each) => each.type === type && equalExpressions(each.expression, of.expression),
  );
  if (!isKnown) translation.conditions.push(isOf(of, type));
  return value(of.expression, type);
}

/** Translates what is only come to under a condition: what it asks for is asked only then. */
export function under(
  condition: Expression,
  known: Translation["known"],
  translation: Translation,
  work: (inner: Translation) => Value,
): Value {
  const conditions: Expression[] = [];
  const result = work({ ...translation, conditions, known: [...translation.known, ...known] });
  const wanted = balanced("and", conditions);
  if (conditions.length > 0) translation.conditions.push(conditional(condition, wanted, literal(true)));
  return result;
}

/** A value that has to be there. */
export function present({ expression, isThere }: Value, { conditions }: Translation): Expression {
  if (!isThere) conditions.push(call("exists", expression));
  return expression;
}

/** Whether a value counts as true. */
export const truthOf = (of: Value): Expression =>
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
export const either = (condition: Expression, then: Value, otherwise: Value): Value => ({
  expression: conditional(condition, then.expression, otherwise.expression),
  type: then.type === otherwise.type ? then.type : undefined,
  isThere: then.isThere && otherwise.isThere,
});

/** Whether a value is surely there, and not null. */
export const isPresent = ({ isThere, type }: Value): boolean => isThere && type !== undefined && type !== "null";

/** A member of what must not be null or undefined; of anything but an object there is none. */
export function memberOf(of: Value, name: string, translation: Translation): Value {
  if (!isPresent(of)) translation.conditions.push(binary("!=", orNull(of), literal(null)));
  return perhaps(selected(of, name));
}

/** A member of a value by a name that nothing has without having it itself. */
export const selected = ({ expression }: Value, name: string): Expression =>
  inherited.has(name) || name === "length" ? give() : member(expression, name);

/** The names that values have without having them themselves. */
const inherited: ReadonlySet<string> = new Set(
  [Object, Array, String, Number, Boolean].flatMap(({ prototype }) => Object.getOwnPropertyNames(prototype)),
);
