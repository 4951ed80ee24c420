import { assertNever, printJson } from "../json.ts";
import type { Span } from "../text/source.ts";
import { alternatives, memberOf } from "./members.ts";
import { isNever, type ObjectType, type PlainType, type Type, type TypeDefinition } from "./type.ts";

/** Prints a type in TypeScript's syntax plus `integer`. References are names. */
export const printType = (type: Type): string => print(type, maxDepth, { left: maxParts });

/** Prints the definitions that types need, one per line. */
export function printDefinitions(...types: readonly Type[]): readonly string[] {
  return definitionsOf(types).map(({ name, type }) => `${name} = ${printType(type)}`);
}

/** The definitions that types need, in order of first use. */
export function definitionsOf(types: readonly Type[]): readonly TypeDefinition[] {
  const found = new Set<TypeDefinition>();
  const seen = new Set<Type>();
  const waiting = [...types].reverse();
  for (let type = waiting.pop(); type; type = waiting.pop()) {
    if (seen.has(type)) continue;
    seen.add(type);
    if (type.kind === "reference") found.add(type.definition);
    waiting.push(...partsOf(type).reverse());
  }
  return [...found];
}

/** Explains why no value of a type has the wanted one; undefined if some may. */
export function findMismatch(type: Type, wanted: Type, path: readonly string[] = []): Mismatch | undefined {
  const [parts, goals] = [alternatives(type), alternatives(wanted)];
  if (parts.length === 0 || goals.length === 0) return undefined;
  if (!parts.some((part) => goals.some((goal) => hasSameName(part, goal)))) {
    return { path, found: generalNouns(parts), wanted: generalNouns(goals), origin: goals[0]!.origin };
  }
  const [goal] = goals;
  if (goals.length > 1 || goal?.kind !== "object" || path.length >= maxMismatchDepth) return undefined;
  const mismatches = parts.map((part) =>
    part.kind === "object" ? memberMismatch(part, goal, path) : findMismatch(part, goal, path),
  );
  return mismatches.every((mismatch) => mismatch !== undefined) ? mismatches[0] : undefined;
}

/** The nouns for plain types, such as "a string". */
export const nounsOf = (parts: readonly PlainType[]): readonly string[] => [...new Set(parts.map(nounOf))];

const maxDepth = 12;

const maxParts = 400;

function partsOf(type: Type): Type[] {
  switch (type.kind) {
    case "reference":
      return [type.definition.type];
    case "union":
      return [...type.of];
    case "array":
      return [type.items];
    case "object":
      return [...Array.from(type.members.values(), (member) => member.type), type.rest];
    default:
      return [];
  }
}

interface PrintBudget {
  left: number;
}

function print(type: Type, depth: number, room: PrintBudget): string {
  room.left -= 1;
  if (depth === 0 || room.left < 0) return "…";
  switch (type.kind) {
    case "any":
    case "null":
    case "boolean":
    case "string":
      return type.kind;
    case "number":
      return type.integer ? "integer" : "number";
    case "literal":
      return printJson(type.value);
    case "array":
      return isNever(type.items) ? "[]" : `${parenthesize(type.items, depth, room)}[]`;
    case "object":
      return printObject(type, depth, room);
    case "union":
      return isNever(type) ? "never" : type.of.map((part) => print(part, depth, room)).join(" | ");
    case "reference":
      return type.definition.name;
    default:
      return assertNever(type);
  }
}

const parenthesize = (type: Type, depth: number, room: PrintBudget): string =>
  type.kind === "union" && type.of.length > 1 ? `(${print(type, depth - 1, room)})` : print(type, depth - 1, room);

function printObject({ members, rest }: ObjectType, depth: number, room: PrintBudget): string {
  const listed = Array.from(
    members,
    ([name, { type, required }]) => `${printKey(name)}${required ? "" : "?"}: ${print(type, depth - 1, room)}`,
  );
  const others = rest.kind === "any" ? ["…"] : isNever(rest) ? [] : [`…: ${print(rest, depth - 1, room)}`];
  const parts = [...listed, ...others];
  return parts.length === 0 ? "{}" : `{ ${parts.join(", ")} }`;
}

const printKey = (name: string): string => (/^[\p{L}_$][\p{L}\p{N}_$]*$/u.test(name) ? name : printJson(name));

interface Mismatch {
  readonly path: readonly string[];
  readonly found: readonly string[];
  readonly wanted: readonly string[];
  readonly origin: Span | undefined;
}

const maxMismatchDepth = 8;

const generalNouns = (parts: readonly PlainType[]): readonly string[] =>
  nounsOf(parts).map((noun) => (noun === "this object" ? "an object" : noun));

const typeNameOfPart = (part: PlainType): string => (part.kind === "literal" ? typeof part.value : part.kind);

const hasSameName = (part: PlainType, goal: PlainType): boolean => typeNameOfPart(part) === typeNameOfPart(goal);

function memberMismatch(object: ObjectType, goal: ObjectType, path: readonly string[]): Mismatch | undefined {
  for (const [name, wanted] of goal.members) {
    const { type, presence } = memberOf(object, name);
    const inner = [...path, name];
    if (presence === "never" && wanted.required)
      return { path: inner, found: ["missing"], wanted: generalNouns(alternatives(wanted.type)), origin: goal.origin };
    const mismatch = presence === "always" ? findMismatch(type, wanted.type, inner) : undefined;
    if (mismatch) return mismatch;
  }
  if (!isNever(goal.rest)) return undefined;
  for (const [name, { required, type }] of object.members) {
    if (required && !goal.members.has(name))
      return {
        path: [...path, name],
        found: generalNouns(alternatives(type)),
        wanted: ["allowed"],
        origin: goal.origin,
      };
  }
  return undefined;
}

function nounOf(part: PlainType): string {
  if (part.kind === "literal") return nouns[typeof part.value as "boolean" | "number" | "string"];
  return nouns[part.kind];
}

const nouns = {
  null: "null",
  boolean: "a boolean",
  number: "a number",
  string: "a string",
  array: "an array",
  object: "this object",
} as const;
