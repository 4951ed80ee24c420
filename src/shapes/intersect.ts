import { type Fuel, spend } from "./fuel.ts";
import {
  type Definition,
  isNever,
  type LiteralShape,
  type Member,
  never,
  type ObjectShape,
  objectOf,
  type Shape,
} from "./shape.ts";
import { unite } from "./union.ts";

/** What a definition stands for; undefined where that is not known yet. */
export type Resolve = (definition: Definition) => Shape | undefined;

/** Alternatives of two sides, multiplied, beyond which only the first side is kept. */
const mostPairs = 256;
/** References are followed that deep. */
const deepest = 12;

/** The values of both shapes. May allow for more of those of the first: where that is too much work, and for what is not known. */
export function intersect(a: Shape, b: Shape, resolve: Resolve, fuel: Fuel, depth = deepest): Shape {
  if (a === b || b.kind === "any") return a;
  if (a.kind === "any") return b;
  if (!spend(fuel)) return a;
  if (a.kind === "reference" || b.kind === "reference") return ofReferences(a, b, resolve, fuel, depth);
  const [left, right] = [partsOf(a), partsOf(b)];
  if (left.length === 1 && right.length === 1) return both(left[0]!, right[0]!, resolve, fuel, depth);
  if (left.length * right.length > mostPairs) return a;
  return unite(
    left.flatMap((x) => right.map((y) => intersect(x, y, resolve, fuel, depth))),
    fuel,
  );
}

const partsOf = (shape: Shape): readonly Shape[] => (shape.kind === "union" ? shape.of : [shape]);

function ofReferences(a: Shape, b: Shape, resolve: Resolve, fuel: Fuel, depth: number): Shape {
  if (a.kind === "reference" && b.kind === "reference" && a.definition === b.definition) return a;
  if (depth === 0) return a;
  const known = (shape: Shape) => (shape.kind === "reference" ? resolve(shape.definition) : shape);
  const [x, y] = [known(a), known(b)];
  if (!x || !y) return y === undefined ? a : b;
  return intersect(x, y, resolve, fuel, depth - 1);
}

function both(a: Shape, b: Shape, resolve: Resolve, fuel: Fuel, depth: number): Shape {
  if (a.kind === "literal") return holds(b, a) ? a : never;
  if (b.kind === "literal") return holds(a, b) ? b : never;
  if (a.kind === "number" && b.kind === "number") return a.integer ? a : b;
  if (a.kind === "array" && b.kind === "array")
    return { ...a, items: intersect(a.items, b.items, resolve, fuel, depth) };
  if (a.kind === "object" && b.kind === "object") return bothObjects(a, b, resolve, fuel, depth);
  return a.kind === b.kind ? a : never;
}

function holds(shape: Shape, { value }: LiteralShape): boolean {
  switch (shape.kind) {
    case "literal":
      return shape.value === value;
    case "number":
      return typeof value === "number" && (!shape.integer || Number.isInteger(value));
    default:
      return shape.kind === typeof value;
  }
}

function bothObjects(a: ObjectShape, b: ObjectShape, resolve: Resolve, fuel: Fuel, depth: number): Shape {
  const members = new Map<string, Member>();
  for (const name of new Set([...a.members.keys(), ...b.members.keys()])) {
    const [x, y] = [a, b].map((object) => object.members.get(name) ?? { shape: object.rest, required: false }) as [
      Member,
      Member,
    ];
    const documentation = x.documentation ?? y.documentation;
    const shape = intersect(x.shape, y.shape, resolve, fuel, depth);
    members.set(name, {
      shape,
      required: x.required || y.required,
      ...(documentation === undefined ? {} : { documentation }),
    });
  }
  const rest = intersect(a.rest, b.rest, resolve, fuel, depth);
  const closing = isNever(b.rest) && !isNever(a.rest) ? [b, a] : [a, b];
  const origin = closing.find((object) => object.origin)?.origin;
  return objectOf(members, rest, origin);
}
