import { union } from "./lattice.ts";
import {
  any,
  anyArray,
  anyObject,
  boolean,
  isNever,
  literal,
  never,
  nullShape,
  number,
  type PlainShape,
  type Shape,
  string,
} from "./type.ts";

/** The shapes that a shape consists of, references followed; of `any` all that there are. */
export const alternatives = (shape: Shape): readonly PlainShape[] => alternativesWithin(shape, 20);

/** What values of a shape have under a name: other values than objects have nothing there. */
export function memberOf(shape: Shape, name: string): Found {
  if (shape.kind === "object") return foundIn(shape, name);
  const found = alternatives(shape).map((part) => foundIn(part, name));
  const presences = new Set(found.map(({ presence }) => presence));
  const [presence = "never"] = presences;
  return { shape: union(...found.map((each) => each.shape)), presence: presences.size > 1 ? "maybe" : presence };
}

/** What the elements of arrays of a shape are; other values have none. */
export const elementOf = (shape: Shape): Shape =>
  union(...alternatives(shape).map((part) => (part.kind === "array" ? part.items : never)));

/** What the elements and the values of the members of values are. */
export const childOf = (shape: Shape): Shape => union(...alternatives(shape).flatMap(childrenOf));

/** What values of a shape, and all that is in them, are. */
export function withinOf(shape: Shape): Shape {
  const seen = new Set<Shape>();
  const waiting: Shape[] = [shape];
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    if (next.kind === "any" || seen.size > mostParts) return any;
    if (seen.has(next)) continue;
    seen.add(next);
    if (next.kind === "reference") waiting.push(next.definition.shape);
    else if (next.kind === "union") waiting.push(...next.of);
    else waiting.push(...childrenOf(next));
  }
  return union(...seen);
}

/** The objects among the values of a shape: their shapes. */
export const objectsOf = (shape: Shape) => alternatives(shape).filter((part) => part.kind === "object");

/** The type of all values of a shape, by jq's name, where they have one in common. */
export function typeOfShape(shape: Shape): PlainType | undefined {
  const [first, ...rest] = alternatives(shape).map(typeOfPart);
  return rest.every((type) => type === first) ? first : undefined;
}

/** jq's name of the type of all values of a shape that is no union. */
export const typeOfPart = (part: PlainShape): PlainType =>
  part.kind === "literal" ? (typeof part.value as PlainType) : part.kind;

/** Whether all values of a shape are objects. */
export const areObjects = (shape: Shape): boolean => alternatives(shape).every(({ kind }) => kind === "object");

/** A shape without its objects. */
export function withoutObjects(shape: Shape): Shape {
  const parts = alternatives(shape);
  const others = parts.filter((part) => part.kind !== "object");
  return shape.kind !== "any" && others.length === parts.length ? shape : union(...others);
}

/** Null and false are false, everything else is true. */
export function truthOf(shape: Shape): Truth {
  const parts = alternatives(shape);
  if (parts.every((part) => part.kind === "null" || (part.kind === "literal" && part.value === false))) return "never";
  const isTrue = parts.every(
    (part) => part.kind !== "null" && part.kind !== "boolean" && !(part.kind === "literal" && part.value === false),
  );
  return isTrue ? "always" : "maybe";
}

/** Whether something holds, as a shape. */
export const truthShape = (truth: Truth): Shape => (truth === "maybe" ? boolean : literal(truth === "always"));

/** The values of a shape that are true. */
export function trueOf(shape: Shape): Shape {
  if (truthOf(shape) === "always") return shape;
  return union(
    ...alternatives(shape).map((part) => {
      if (part.kind === "null" || (part.kind === "literal" && part.value === false)) return never;
      return part.kind === "boolean" ? literal(true) : part;
    }),
  );
}

/** A type of JSON values. */
type PlainType = "null" | "boolean" | "number" | "string" | "array" | "object";

/** What is found under a name. */
interface Found {
  /** What is there, where something is. */
  readonly shape: Shape;
  /** Whether something is there in every value, in some perhaps, or in none. */
  readonly presence: "always" | "maybe" | "never";
}

function alternativesWithin(shape: Shape, depth: number): readonly PlainShape[] {
  switch (shape.kind) {
    case "any":
      return everything;
    case "union":
      return shape.of.flatMap((part) => alternativesWithin(part, depth));
    case "reference":
      return depth === 0 ? everything : alternativesWithin(shape.definition.shape, depth - 1);
    default:
      return [shape];
  }
}

const everything: readonly PlainShape[] = [nullShape, boolean, number, string, anyArray, anyObject];

function foundIn(part: PlainShape, name: string): Found {
  if (part.kind !== "object") return { shape: never, presence: "never" };
  const { shape, required } = part.members.get(name) ?? { shape: part.rest, required: false };
  return { shape, presence: required ? "always" : isNever(shape) ? "never" : "maybe" };
}

function childrenOf(part: PlainShape): readonly Shape[] {
  if (part.kind === "array") return [part.items];
  return part.kind === "object" ? [...Array.from(part.members.values(), (member) => member.shape), part.rest] : [];
}

/** How many different parts of a shape are looked at to find all that is in it. */
const mostParts = 500;

/** Whether jq takes values of a shape for true: all of them, none, or some perhaps. */
type Truth = "always" | "maybe" | "never";
