import { union } from "./lattice.ts";
import { alternatives, plainTypeName } from "./members.ts";
import { deepMerge, shallowMerge } from "./merge.ts";
import {
  arrayOf,
  boolean,
  isNever,
  literal,
  type NumberType,
  never,
  nullType,
  type ObjectType,
  type PlainType,
  possiblyEmpty,
  string,
  type Type,
} from "./type.ts";

type Operator = "+" | "-" | "*" | "/" | "%" | "==" | "!=" | "<" | "<=" | ">" | ">=";

/** The type of a jq operator's results; failing operands contribute nothing. */
export function typeOfOperation(operator: Operator, left: Type, right: Type): Type {
  if (isNever(left) || isNever(right)) return never;
  const [lefts, rights] = [alternatives(left), alternatives(right)];
  switch (operator) {
    case "+":
      return typeOfSum(lefts, rights);
    case "-":
      return union(
        typeOfNumericResult(operator, lefts, rights),
        ...(rights.some(({ kind }) => kind === "array") ? lefts.flatMap(partsOfArray) : []),
      );
    case "*":
      return typeOfProduct(lefts, rights);
    case "/":
      return union(
        typeOfNumericResult(operator, lefts, rights),
        mayBeString(lefts) && mayBeString(rights) ? arrayOf(string) : never,
      );
    case "%":
      return typeOfNumericResult(operator, lefts, rights);
    default:
      return typeOfComparison(operator, lefts, rights);
  }
}

function typeOfSum(lefts: readonly PlainType[], rights: readonly PlainType[]): Type {
  const hasNull = (parts: readonly PlainType[]) => parts.some(({ kind }) => kind === "null");
  const [a, b] = [arraysIn(lefts), arraysIn(rights)];
  return union(
    hasNull(lefts) ? union(...rights) : never,
    hasNull(rights) ? union(...lefts) : never,
    typeOfNumericResult("+", lefts, rights),
    mayBeString(lefts) && mayBeString(rights) ? string : never,
    ...(a.length > 0 && b.length > 0 ? [...a, ...b] : []),
    shallowMerge(objectsIn(lefts), objectsIn(rights)),
  );
}

/** Repeats a string; a negative number gives null. */
function typeOfProduct(lefts: readonly PlainType[], rights: readonly PlainType[]): Type {
  const isRepeated =
    (mayBeString(lefts) && numbersIn(rights).length > 0) || (numbersIn(lefts).length > 0 && mayBeString(rights));
  return union(
    typeOfNumericResult("*", lefts, rights),
    isRepeated ? union(nullType, string) : never,
    deepMerge(objectsIn(lefts), objectsIn(rights)),
  );
}

/** The type of arrays with some of the elements. */
const partsOfArray = (part: PlainType): readonly Type[] => (part.kind === "array" ? [possiblyEmpty(part)] : []);

const arraysIn = (parts: readonly PlainType[]): readonly Type[] => parts.filter(({ kind }) => kind === "array");

const objectsIn = (parts: readonly PlainType[]): readonly ObjectType[] =>
  parts.filter((part) => part.kind === "object");

const mayBeString = (parts: readonly PlainType[]): boolean =>
  parts.some((part) => part.kind === "string" || (part.kind === "literal" && typeof part.value === "string"));

const numbersIn = (parts: readonly PlainType[]): readonly NumberType[] =>
  parts.flatMap((part): readonly NumberType[] => {
    if (part.kind === "number") return [part];
    return part.kind === "literal" && typeof part.value === "number"
      ? [{ kind: "number", integer: Number.isInteger(part.value) }]
      : [];
  });

/** The type of the numbers in a type, or of their whole parts. */
export function typeOfNumbers(type: Type, areWhole = false): Type {
  return union(
    ...numbersIn(alternatives(type)).map((part) => (areWhole || part.integer ? { ...part, integer: true } : part)),
  );
}

/** Finite operands may overflow; only infinite ones give NaN. */
function typeOfNumericResult(operator: Operator, lefts: readonly PlainType[], rights: readonly PlainType[]): Type {
  const [a, b] = [numbersIn(lefts), numbersIn(rights)];
  if (a.length === 0 || b.length === 0) return never;
  const integer = operator === "%" || (operator !== "/" && [...a, ...b].every((part) => part.integer));
  const [x, y] = [a, b].map((parts) => parts.some(({ special }) => special !== undefined)) as [boolean, boolean];
  const isNumber = operator === "%" || operator === "*" ? !x && !y : !(x && y);
  const isNeverNan = [...a, ...b].every(({ special }) => special !== "nan");
  return { kind: "number", integer, special: isNumber && isNeverNan ? "infinite" : "nan" };
}

/** Values of different types differ; constants are compared. */
function typeOfComparison(operator: Operator, lefts: readonly PlainType[], rights: readonly PlainType[]): Type {
  if (operator !== "==" && operator !== "!=") return boolean;
  const types = new Set(lefts.map(plainTypeName));
  if (!rights.some((part) => types.has(plainTypeName(part)))) return literal(operator === "!=");
  const [left, right] = [lefts[0], rights[0]];
  if (lefts.length + rights.length > 2 || left?.kind !== "literal" || right?.kind !== "literal") return boolean;
  return literal((left.value === right.value) === (operator === "=="));
}
