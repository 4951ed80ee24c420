import { union } from "./lattice.ts";
import {
  any,
  anyArray,
  anyObject,
  boolean,
  isNever,
  literal,
  never,
  nullType,
  number,
  type PlainType,
  string,
  type Type,
} from "./type.ts";

/** The shapes that a shape consists of, references followed; of `any` all that there are. */
export const alternatives = (type: Type): readonly PlainType[] => alternativesWithin(type, 20);

/** What values of a shape have under a name: other values than objects have nothing there. */
export function memberOf(type: Type, name: string): MemberLookup {
  if (type.kind === "object") return lookUpMember(type, name);
  const found = alternatives(type).map((part) => lookUpMember(part, name));
  const presences = new Set(found.map(({ presence }) => presence));
  const [presence = "never"] = presences;
  return { type: union(...found.map((each) => each.type)), presence: presences.size > 1 ? "maybe" : presence };
}

/** What the elements of arrays of a shape are; other values have none. */
export const elementOf = (type: Type): Type =>
  union(...alternatives(type).map((part) => (part.kind === "array" ? part.items : never)));

/** What the elements and the values of the members of values are. */
export const childOf = (type: Type): Type => union(...alternatives(type).flatMap(childrenOf));

/** What values of a shape, and all that is in them, are. */
export function descendantOf(type: Type): Type {
  const seen = new Set<Type>();
  const waiting: Type[] = [type];
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    if (next.kind === "any" || seen.size > maxParts) return any;
    if (seen.has(next)) continue;
    seen.add(next);
    if (next.kind === "reference") waiting.push(next.definition.type);
    else if (next.kind === "union") waiting.push(...next.of);
    else waiting.push(...childrenOf(next));
  }
  return union(...seen);
}

/** The objects among the values of a shape: their shapes. */
export const objectsOf = (type: Type) => alternatives(type).filter((part) => part.kind === "object");

/** The type of all values of a shape, by jq's name, where they have one in common. */
export function typeNameOf(valueType: Type): TypeName | undefined {
  const [first, ...rest] = alternatives(valueType).map(plainTypeName);
  return rest.every((type) => type === first) ? first : undefined;
}

/** jq's name of the type of all values of a shape that is no union. */
export const plainTypeName = (part: PlainType): TypeName =>
  part.kind === "literal" ? (typeof part.value as TypeName) : part.kind;

/** Whether all values of a shape are objects. */
export const areObjects = (type: Type): boolean => alternatives(type).every(({ kind }) => kind === "object");

/** A shape without its objects. */
export function withoutObjects(type: Type): Type {
  const parts = alternatives(type);
  const others = parts.filter((part) => part.kind !== "object");
  return type.kind !== "any" && others.length === parts.length ? type : union(...others);
}

/** Null and false are false, everything else is true. */
export function truthOf(type: Type): Truth {
  const parts = alternatives(type);
  if (parts.every((part) => part.kind === "null" || (part.kind === "literal" && part.value === false))) return "never";
  const isTrue = parts.every(
    (part) => part.kind !== "null" && part.kind !== "boolean" && !(part.kind === "literal" && part.value === false),
  );
  return isTrue ? "always" : "maybe";
}

/** Whether something holds, as a shape. */
export const typeOfTruth = (truth: Truth): Type => (truth === "maybe" ? boolean : literal(truth === "always"));

/** The values of a shape that are true. */
export function truthyOf(type: Type): Type {
  if (truthOf(type) === "always") return type;
  return union(
    ...alternatives(type).map((part) => {
      if (part.kind === "null" || (part.kind === "literal" && part.value === false)) return never;
      return part.kind === "boolean" ? literal(true) : part;
    }),
  );
}

/** A type of JSON values. */
type TypeName = "null" | "boolean" | "number" | "string" | "array" | "object";

/** What is found under a name. */
interface MemberLookup {
  /** What is there, where something is. */
  readonly type: Type;
  /** Whether something is there in every value, in some perhaps, or in none. */
  readonly presence: "always" | "maybe" | "never";
}

function alternativesWithin(type: Type, depth: number): readonly PlainType[] {
  switch (type.kind) {
    case "any":
      return everything;
    case "union":
      return type.of.flatMap((part) => alternativesWithin(part, depth));
    case "reference":
      return depth === 0 ? everything : alternativesWithin(type.definition.type, depth - 1);
    default:
      return [type];
  }
}

const everything: readonly PlainType[] = [nullType, boolean, number, string, anyArray, anyObject];

function lookUpMember(part: PlainType, name: string): MemberLookup {
  if (part.kind !== "object") return { type: never, presence: "never" };
  const { type, required } = part.members.get(name) ?? { type: part.rest, required: false };
  return { type, presence: required ? "always" : isNever(type) ? "never" : "maybe" };
}

function childrenOf(part: PlainType): readonly Type[] {
  if (part.kind === "array") return [part.items];
  return part.kind === "object" ? [...Array.from(part.members.values(), (member) => member.type), part.rest] : [];
}

/** How many different parts of a shape are looked at to find all that is in it. */
const maxParts = 500;

/** Whether jq takes values of a shape for true: all of them, none, or some perhaps. */
type Truth = "always" | "maybe" | "never";
