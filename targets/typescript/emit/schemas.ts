import { assertNever } from "../../../src/json.ts";
import { union } from "../../../src/shapes/lattice.ts";
import { alternatives, memberOf } from "../../../src/shapes/members.ts";
import { definitionsOf } from "../../../src/shapes/print.ts";
import {
  type Definition,
  isNever,
  type Member,
  never,
  type ObjectShape,
  type Shape,
} from "../../../src/shapes/shape.ts";
import { quoted, writeLiteral } from "../expressions/literal.ts";
import { type OpenUse, propertyText, typeText } from "../expressions/use.ts";
import { docText } from "./comments.ts";
import { type Names, pascalCase } from "./names.ts";

/** A type that a module declares. */
export interface DeclaredType {
  readonly name: string;
  readonly type: string;
  readonly doc: string;
}

/** The type of what a schema allows. */
export interface SchemaType extends DeclaredType {
  readonly shape: Shape;
  /** The types that its parts have names for. */
  readonly parts: readonly DeclaredType[];
  /** Whether all that the schema says is in it: of large ones only the beginning is. */
  readonly isWhole: boolean;
}

/** Larger and deeper types are `Json` from there on. */
const mostParts = 2_000;
const deepest = 24;

interface Writing {
  readonly names: ReadonlyMap<Definition, string>;
  left: number;
  isWhole: boolean;
}

/** The type of a schema, named after it; undefined where it allows for anything, or nothing. */
export function schemaType(
  shape: Shape | undefined,
  uri: string | undefined,
  what: "input" | "output",
  names: Names,
): SchemaType | undefined {
  if (!shape || shape.kind === "any" || isNever(shape)) return undefined;
  const root = shape.kind === "reference" ? shape.definition : undefined;
  const own = root ? undefined : names.fresh(pascalCase(nameIn(uri) || what));
  const definitions = definitionsOf([shape]);
  const writing: Writing = {
    names: new Map(definitions.map((definition) => [definition, names.fresh(pascalCase(definition.name))])),
    left: mostParts,
    isWhole: true,
  };
  const type = own === undefined ? "" : text(shape, deepest, writing);
  const parts = definitions.map((definition) => declared(definition, writing));
  const { isWhole } = writing;
  const doc = `The ${what} of a run, as its schema says.`;
  return root
    ? { ...parts[0]!, shape, parts: parts.slice(1), isWhole }
    : { name: own!, type, doc, shape, parts, isWhole };
}

function declared(definition: Definition, writing: Writing): DeclaredType {
  const name = writing.names.get(definition)!;
  const type = isCircle(definition) ? "Json" : text(definition.shape, deepest, writing);
  return { name, type, doc: definition.documentation ?? `What the schema calls \`${definition.name}\`.` };
}

/** Whether a definition refers to itself without an object or array between. */
function isCircle(definition: Definition): boolean {
  const seen = new Set<Definition>();
  const waiting: Shape[] = [definition.shape];
  for (let shape = waiting.pop(); shape; shape = waiting.pop()) {
    if (shape.kind === "union") waiting.push(...shape.of);
    if (shape.kind !== "reference" || seen.has(shape.definition)) continue;
    if (shape.definition === definition) return true;
    seen.add(shape.definition);
    waiting.push(shape.definition.shape);
  }
  return false;
}

/** The last word of a fragment, or the name of the file without its endings. */
function nameIn(uri: string | undefined): string {
  const [path = "", fragment = ""] = (uri ?? "").split("#");
  const word = (fragment || path.replace(/[?].*$/, "")).split("/").findLast((part) => part !== "") ?? "";
  const name = fragment ? word : word.replace(/\.(?:json|ya?ml)$/i, "").replace(/[.-]schema$/i, "");
  return /[A-Za-z]/.test(name) ? name : "";
}

function text(shape: Shape, depth: number, writing: Writing): string {
  writing.left -= 1;
  if (depth > 0 && writing.left >= 0) return textOf(shape, depth, writing);
  writing.isWhole = false;
  return "Json";
}

function textOf(shape: Shape, depth: number, writing: Writing): string {
  switch (shape.kind) {
    case "any":
      return "Json";
    case "null":
    case "boolean":
    case "number":
    case "string":
      return shape.kind;
    case "literal":
      return typeof shape.value === "string" ? quoted(shape.value) : writeLiteral(shape.value)!.text;
    case "array":
      return `readonly ${grouped(text(shape.items, depth - 1, writing), shape.items)}[]`;
    case "object":
      return objectText(shape, depth, writing);
    case "union":
      return isNever(shape)
        ? "never"
        : nullLast(shape.of)
            .map((part) => text(part, depth - 1, writing))
            .join(" | ");
    case "reference":
      return writing.names.get(shape.definition) ?? "Json";
    default:
      return assertNever(shape);
  }
}

const nullLast = (shapes: readonly Shape[]): readonly Shape[] =>
  shapes.toSorted((a, b) => Number(a.kind === "null") - Number(b.kind === "null"));

/** A type as that of elements: unions and types of arrays need parentheses. */
const grouped = (type: string, { kind }: Shape): string => (kind === "union" || kind === "array" ? `(${type})` : type);

function objectText({ members, rest }: ObjectShape, depth: number, writing: Writing): string {
  const listed = Array.from(members, ([name, member]) => memberText(name, member, depth, writing));
  const others = members.size === 0 && rest.kind !== "any" ? text(rest, depth - 1, writing) : "Json | undefined";
  const isClosed = isNever(rest) && members.size > 0;
  return `{${[...listed, ...(isClosed ? [] : [`readonly [member: string]: ${others}`])].join("; ")}}`;
}

function memberText(name: string, { shape, required, documentation }: Member, depth: number, writing: Writing): string {
  const doc = documentation === undefined ? "" : `\n${docText(documentation)}\n`;
  return `${doc}readonly ${propertyText(name)}${required ? "" : "?"}: ${text(shape, depth - 1, writing)}`;
}

/**
 * The type of a variable that begins with a value of a shape, by what is looked at in it: all values of the shape are of the type. What is looked at
 * where the shape has nothing to look at can be anything.
 */
export function typeOfUse(use: OpenUse, shape: Shape): string {
  if (use.members.size === 0) return "Json";
  if (shape.kind === "any" || use.isCompared) return typeText(use);
  const parts = alternatives(shape);
  if (parts.length === 0 || parts.some(({ kind }) => kind !== "object" && kind !== "null")) return "any";
  const objects = union(...parts.filter(({ kind }) => kind === "object"));
  const members = Array.from(use.members, ([name, member]) => {
    const found = memberOf(objects, name).shape;
    return `readonly ${propertyText(name)}?: ${isNever(found) ? typeText(member) : typeOfUse(member, found)}`;
  });
  const type = `{ ${[...members, "readonly [member: string]: Json | undefined"].join("; ")} }`;
  return parts.some(({ kind }) => kind === "null") ? `${type} | null` : type;
}

/**
 * Whether the values of a shape are of the type of what is looked at in it, as their own type says. `isTyped`: it is the type by that shape, in which
 * whatever is looked at where there is nothing can be anything.
 */
export function isOfUse(use: OpenUse, shape: Shape, isTyped: boolean): boolean {
  if (use.members.size === 0 || isNever(shape)) return true;
  const parts = alternatives(shape);
  if (shape.kind === "any") return false;
  return parts.every((part) => part.kind === "object" && hasMembers(use, part, isTyped));
}

function hasMembers(use: OpenUse, { members }: ObjectShape, isTyped: boolean): boolean {
  return Array.from(use.members).every(([name, member]) => {
    const shape = members.get(name)?.shape ?? never;
    const isAny =
      isTyped && shape.kind !== "any" && alternatives(shape).some(({ kind }) => kind !== "object" && kind !== "null");
    return isAny || isOfUse(member, shape, isTyped);
  });
}
