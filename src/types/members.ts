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

/** The plain types in a type; every kind of type for `any`. */
export const alternatives = (type: Type): readonly PlainType[] => alternativesWithin(type, 20);

/** Looks up a member of objects. */
export function memberOf(type: Type, name: string): MemberLookup {
  if (type.kind === "object") return lookUpMember(type, name);
  if (type.kind === "any") return anyMember;
  const found = alternatives(type).map((part) => lookUpMember(part, name));
  const presences = new Set(found.map(({ presence }) => presence));
  const [presence = "never"] = presences;
  return { type: union(...found.map((each) => each.type)), presence: presences.size > 1 ? "maybe" : presence };
}

const anyMember: MemberLookup = { type: any, presence: "maybe" };

/** The type of array elements. */
export const elementOf = (type: Type): Type =>
  union(...alternatives(type).map((part) => (part.kind === "array" ? part.items : never)));

/** The type of elements and member values. */
export const childOf = (type: Type): Type => union(...alternatives(type).flatMap(childrenOf));

/** The type of a value and its descendants, as jq's `..` yields. */
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

/** The object types in a type. */
export const objectsOf = (type: Type) => alternatives(type).filter((part) => part.kind === "object");

/** The jq type name of all values, if constant. */
export function typeNameOf(valueType: Type): TypeName | undefined {
  const [first, ...rest] = alternatives(valueType).map(plainTypeName);
  return rest.every((type) => type === first) ? first : undefined;
}

/** The jq type name of a plain type. */
export const plainTypeName = (part: PlainType): TypeName =>
  part.kind === "literal" ? (typeof part.value as TypeName) : part.kind;

/** Whether all values are objects. */
export const areObjects = (type: Type): boolean => alternatives(type).every(({ kind }) => kind === "object");

/** Removes the object types. */
export function withoutObjects(type: Type): Type {
  const parts = alternatives(type);
  const others = parts.filter((part) => part.kind !== "object");
  return type.kind !== "any" && others.length === parts.length ? type : union(...others);
}

/** Whether values are true in jq. */
export function truthOf(type: Type): Truth {
  const parts = alternatives(type);
  if (parts.every((part) => part.kind === "null" || (part.kind === "literal" && part.value === false))) return "never";
  const isTrue = parts.every(
    (part) => part.kind !== "null" && part.kind !== "boolean" && !(part.kind === "literal" && part.value === false),
  );
  return isTrue ? "always" : "maybe";
}

/** The type of a possibly known Boolean. */
export const typeOfTruth = (truth: Truth): Type => (truth === "maybe" ? boolean : literal(truth === "always"));

/** Narrows a type to the true values. */
export function truthyOf(type: Type): Type {
  if (truthOf(type) === "always") return type;
  return union(
    ...alternatives(type).map((part) => {
      if (part.kind === "null" || (part.kind === "literal" && part.value === false)) return never;
      return part.kind === "boolean" ? literal(true) : part;
    }),
  );
}

type TypeName = "null" | "boolean" | "number" | "string" | "array" | "object";

interface MemberLookup {
  readonly type: Type;
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

const maxParts = 500;

type Truth = "always" | "maybe" | "never";
