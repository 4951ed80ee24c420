import { union } from "./lattice.ts";
import { alternatives, typeOfPart } from "./members.ts";
import { mergedDeeply, overlaid } from "./merge.ts";
import {
  arrayOf,
  boolean,
  isNever,
  literal,
  type NumberShape,
  never,
  nullShape,
  type ObjectShape,
  type PlainShape,
  type Shape,
  string,
} from "./type.ts";

/** An operator of jq between two values. */
type Operator = "+" | "-" | "*" | "/" | "%" | "==" | "!=" | "<" | "<=" | ">" | ">=";

/** What an operator gives for values of two shapes; where it fails it gives nothing. */
export function calculatedShape(operator: Operator, left: Shape, right: Shape): Shape {
  if (isNever(left) || isNever(right)) return never;
  const [lefts, rights] = [alternatives(left), alternatives(right)];
  switch (operator) {
    case "+":
      return sum(lefts, rights);
    case "-":
      return union(
        numeric(operator, lefts, rights),
        ...(rights.some(({ kind }) => kind === "array") ? arrays(lefts) : []),
      );
    case "*":
      return product(lefts, rights);
    case "/":
      return union(numeric(operator, lefts, rights), texts(lefts) && texts(rights) ? arrayOf(string) : never);
    case "%":
      return numeric(operator, lefts, rights);
    default:
      return comparison(operator, lefts, rights);
  }
}

function sum(lefts: readonly PlainShape[], rights: readonly PlainShape[]): Shape {
  const hasNull = (parts: readonly PlainShape[]) => parts.some(({ kind }) => kind === "null");
  const [a, b] = [arrays(lefts), arrays(rights)];
  return union(
    hasNull(lefts) ? union(...rights) : never,
    hasNull(rights) ? union(...lefts) : never,
    numeric("+", lefts, rights),
    texts(lefts) && texts(rights) ? string : never,
    ...(a.length > 0 && b.length > 0 ? [...a, ...b] : []),
    overlaid(objects(lefts), objects(rights)),
  );
}

/** A text times a number is repeated; a negative number gives null. */
function product(lefts: readonly PlainShape[], rights: readonly PlainShape[]): Shape {
  const isRepeated = (texts(lefts) && numbers(rights).length > 0) || (numbers(lefts).length > 0 && texts(rights));
  return union(
    numeric("*", lefts, rights),
    isRepeated ? union(nullShape, string) : never,
    mergedDeeply(objects(lefts), objects(rights)),
  );
}

const arrays = (parts: readonly PlainShape[]): readonly Shape[] => parts.filter(({ kind }) => kind === "array");

const objects = (parts: readonly PlainShape[]): readonly ObjectShape[] =>
  parts.filter((part) => part.kind === "object");

const texts = (parts: readonly PlainShape[]): boolean =>
  parts.some((part) => part.kind === "string" || (part.kind === "literal" && typeof part.value === "string"));

/** The numbers among shapes. */
const numbers = (parts: readonly PlainShape[]): readonly NumberShape[] =>
  parts.flatMap((part): readonly NumberShape[] => {
    if (part.kind === "number") return [part];
    return part.kind === "literal" && typeof part.value === "number"
      ? [{ kind: "number", integer: Number.isInteger(part.value) }]
      : [];
  });

/** Finite numbers can give an infinite one, and only infinite ones no number. */
function numeric(operator: Operator, lefts: readonly PlainShape[], rights: readonly PlainShape[]): Shape {
  const [a, b] = [numbers(lefts), numbers(rights)];
  if (a.length === 0 || b.length === 0) return never;
  const integer = operator === "%" || (operator !== "/" && [...a, ...b].every((part) => part.integer));
  const [x, y] = [a, b].map((parts) => parts.some(({ beyond }) => beyond !== undefined)) as [boolean, boolean];
  const isNumber = operator === "%" || operator === "*" ? !x && !y : !(x && y);
  const stays = [...a, ...b].every(({ beyond }) => beyond !== "nan");
  return { kind: "number", integer, beyond: isNumber && stays ? "infinite" : "nan" };
}

/** Known where both sides are one scalar; else one of the two. */
/** What a comparison gives: values of two types are never equal, and of two constants it is known whether they are. */
function comparison(operator: Operator, lefts: readonly PlainShape[], rights: readonly PlainShape[]): Shape {
  if (operator !== "==" && operator !== "!=") return boolean;
  const types = new Set(lefts.map(typeOfPart));
  if (!rights.some((part) => types.has(typeOfPart(part)))) return literal(operator === "!=");
  const [left, right] = [lefts[0], rights[0]];
  if (lefts.length + rights.length > 2 || left?.kind !== "literal" || right?.kind !== "literal") return boolean;
  return literal((left.value === right.value) === (operator === "=="));
}
