import { assertNever, printJson } from "../json.ts";
import { type Definition, isNever, type ObjectShape, type Shape } from "./shape.ts";

/** Deeper parts of a shape, and more than so many of them, are printed as an ellipsis. */
const deepest = 12;
const mostParts = 400;

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
