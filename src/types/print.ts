import { assertNever, printJson } from "../json.ts";
import type { Span } from "../text/source.ts";
import { alternatives, memberOf } from "./members.ts";
import { type Definition, isNever, type ObjectShape, type PlainShape, type Shape } from "./type.ts";

/** A shape as a line of text, for people: what TypeScript would write, but for `integer`. Names stand for the definitions that `printDefinitions` prints. */
export const printShape = (shape: Shape): string => text(shape, deepest, { left: mostParts });

/** The definitions that a shape refers to, and those that these refer to, a line each. */
export function printDefinitions(...shapes: readonly Shape[]): readonly string[] {
  return definitionsOf(shapes).map(({ name, shape }) => `${name} = ${printShape(shape)}`);
}

/** The definitions that shapes refer to, each once, in the order in which they are met. */
export function definitionsOf(shapes: readonly Shape[]): readonly Definition[] {
  const found = new Set<Definition>();
  const seen = new Set<Shape>();
  const waiting = [...shapes].reverse();
  for (let shape = waiting.pop(); shape; shape = waiting.pop()) {
    if (seen.has(shape)) continue;
    seen.add(shape);
    if (shape.kind === "reference") found.add(shape.definition);
    waiting.push(...partsOf(shape).reverse());
  }
  return [...found];
}

/** Why certainly no value of a shape is one of those that are wanted; undefined where some may be. */
export function misfitOf(shape: Shape, wanted: Shape, path: readonly string[] = []): Misfit | undefined {
  const [parts, goals] = [alternatives(shape), alternatives(wanted)];
  if (parts.length === 0 || goals.length === 0) return undefined;
  if (!parts.some((part) => goals.some((goal) => isAlike(part, goal)))) {
    return { path, found: inGeneral(parts), wanted: inGeneral(goals), origin: goals[0]!.origin };
  }
  const [goal] = goals;
  if (goals.length > 1 || goal?.kind !== "object" || path.length >= deepestMisfit) return undefined;
  const misfits = parts.map((part) =>
    part.kind === "object" ? memberMisfit(part, goal, path) : misfitOf(part, goal, path),
  );
  return misfits.every((misfit) => misfit !== undefined) ? misfits[0] : undefined;
}

/** What values of shapes are called in sentences: "a text", each noun once. */
export const nounsOf = (parts: readonly PlainShape[]): readonly string[] => [...new Set(parts.map(nounOf))];

/** Deeper parts of a shape, and more than so many of them, are printed as an ellipsis. */
const deepest = 12;

const mostParts = 400;

function partsOf(shape: Shape): Shape[] {
  switch (shape.kind) {
    case "reference":
      return [shape.definition.shape];
    case "union":
      return [...shape.of];
    case "array":
      return [shape.items];
    case "object":
      return [...Array.from(shape.members.values(), (member) => member.shape), shape.rest];
    default:
      return [];
  }
}

interface Room {
  left: number;
}

function text(shape: Shape, depth: number, room: Room): string {
  room.left -= 1;
  if (depth === 0 || room.left < 0) return "…";
  switch (shape.kind) {
    case "any":
    case "null":
    case "boolean":
    case "string":
      return shape.kind;
    case "number":
      return shape.integer ? "integer" : "number";
    case "literal":
      return printJson(shape.value);
    case "array":
      return isNever(shape.items) ? "[]" : `${grouped(shape.items, depth, room)}[]`;
    case "object":
      return objectText(shape, depth, room);
    case "union":
      return isNever(shape) ? "never" : shape.of.map((part) => text(part, depth, room)).join(" | ");
    case "reference":
      return shape.definition.name;
    default:
      return assertNever(shape);
  }
}

const grouped = (shape: Shape, depth: number, room: Room): string =>
  shape.kind === "union" && shape.of.length > 1 ? `(${text(shape, depth - 1, room)})` : text(shape, depth - 1, room);

function objectText({ members, rest }: ObjectShape, depth: number, room: Room): string {
  const listed = Array.from(
    members,
    ([name, { shape, required }]) => `${key(name)}${required ? "" : "?"}: ${text(shape, depth - 1, room)}`,
  );
  const others = rest.kind === "any" ? ["…"] : isNever(rest) ? [] : [`…: ${text(rest, depth - 1, room)}`];
  const parts = [...listed, ...others];
  return parts.length === 0 ? "{}" : `{ ${parts.join(", ")} }`;
}

const key = (name: string): string => (/^[\p{L}_$][\p{L}\p{N}_$]*$/u.test(name) ? name : printJson(name));

/** Why no value of one shape is a value of another. */
interface Misfit {
  /** The names that lead to what is at fault. */
  readonly path: readonly string[];
  /** What is there, and what should be: nouns. */
  readonly found: readonly string[];
  readonly wanted: readonly string[];
  /** The part of a schema that wants it. */
  readonly origin: Span | undefined;
}

/** Members in members are looked at that deep. */
const deepestMisfit = 8;

const inGeneral = (parts: readonly PlainShape[]): readonly string[] =>
  nounsOf(parts).map((noun) => (noun === "this object" ? "an object" : noun));

const typeOf = (part: PlainShape): string => (part.kind === "literal" ? typeof part.value : part.kind);

const isAlike = (part: PlainShape, goal: PlainShape): boolean => typeOf(part) === typeOf(goal);

function memberMisfit(object: ObjectShape, goal: ObjectShape, path: readonly string[]): Misfit | undefined {
  for (const [name, wanted] of goal.members) {
    const { shape, presence } = memberOf(object, name);
    const inner = [...path, name];
    if (presence === "never" && wanted.required)
      return { path: inner, found: ["missing"], wanted: inGeneral(alternatives(wanted.shape)), origin: goal.origin };
    const misfit = presence === "always" ? misfitOf(shape, wanted.shape, inner) : undefined;
    if (misfit) return misfit;
  }
  if (!isNever(goal.rest)) return undefined;
  for (const [name, { required, shape }] of object.members) {
    if (required && !goal.members.has(name))
      return { path: [...path, name], found: inGeneral(alternatives(shape)), wanted: ["allowed"], origin: goal.origin };
  }
  return undefined;
}

function nounOf(part: PlainShape): string {
  if (part.kind === "literal") return nouns[typeof part.value as "boolean" | "number" | "string"];
  return nouns[part.kind];
}

const nouns = {
  null: "null",
  boolean: "a boolean",
  number: "a number",
  string: "a text",
  array: "an array",
  object: "this object",
} as const;
