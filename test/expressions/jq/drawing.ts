import { isParseError, type ParseError } from "../../../src/expressions/syntax/cursor.ts";
import { checkNames, type NameError } from "../../../src/expressions/syntax/jq/names.ts";
import { parseJq } from "../../../src/expressions/syntax/jq/parse.ts";
import type { Jq } from "../../../src/expressions/syntax/jq/syntax.ts";

/**
 * The tree of a program, drawn under it: one line per node with `~` under its range, its role in the parent, its kind,
 * names and values. `!` means true.
 */
export function drawTree(text: string): readonly string[] {
  const parsed = parseJq(text);
  return isParseError(parsed) ? [text, JSON.stringify(parsed)] : [text, ...lines(parsed, [], text.length)];
}

/** The errors of a program, drawn under it: `~` under the range, or `^` between two characters; then the hint. */
export function drawErrors(text: string): readonly string[] {
  const parsed = parseJq(text);
  const errors = isParseError(parsed) ? [parsed] : checkNames(parsed, ["given"]);
  return [text, ...errors.flatMap((error) => errorLines(error))];
}

function errorLines({ category, from, to, message, hint }: ParseError | NameError): readonly string[] {
  const before = " ".repeat(from);
  const line = `${before}${"~".repeat(to - from) || "^"} ${category}: ${message}`;
  return hint === undefined ? [line] : [line, `${before}${" ".repeat(Math.max(1, to - from))} ${hint}`];
}

interface PositionedNode {
  readonly start: number;
  readonly end: number;
}

const isPlaced = (value: unknown): value is PositionedNode =>
  typeof value === "object" && value !== null && "start" in value;

function lines(node: PositionedNode, roles: readonly string[], width: number): readonly string[] {
  const members = Object.entries(node).filter(([name]) => name !== "start" && name !== "end");
  const parts = members.flatMap(([name, value]) => partsOf(name, value));
  const words = members.flatMap(([name, value]) => wordsOf(name, value));
  const place = `${" ".repeat(node.start)}${"~".repeat(node.end - node.start)}`.padEnd(width);
  return [
    [place, ...roles, ...words].join(" "),
    ...parts.flatMap(([role, part]) => lines(part, [...roles.map(() => "·"), role], width)),
  ];
}

/** The child nodes in a member of a node, with the member's name as role. */
function partsOf(name: string, value: unknown): readonly (readonly [string, PositionedNode])[] {
  if (isPlaced(value)) return [[name, value]];
  if (!Array.isArray(value)) return [];
  return value.flatMap((item: unknown) => (isPlaced(item) ? [[name, item] as const] : partsOfBranch(item)));
}

const partsOfBranch = (item: unknown): readonly (readonly [string, PositionedNode])[] =>
  typeof item === "object" && item !== null
    ? Object.entries(item).flatMap(([name, value]) => partsOf(name, value))
    : [];

function wordsOf(name: string, value: unknown): readonly string[] {
  if (Array.isArray(value)) return value.filter((item) => typeof item === "string").map((item) => JSON.stringify(item));
  if (value === undefined || isPlaced(value)) return [];
  if (name === "value") return [JSON.stringify(value)];
  if (typeof value === "boolean") return value ? [`${name}!`] : [];
  return [String(value)];
}

const positionKeys: readonly string[] = ["start", "end", "line"];

/** A tree as a string without positions. */
export const withoutPositions = (query: Jq): string =>
  JSON.stringify(query, (_, value: unknown) => dropPositions(value), 1);

function dropPositions(value: unknown): unknown {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  const members = Object.entries(value).filter(([name]) => !positionKeys.includes(name));
  return Object.fromEntries(members.sort(([a], [b]) => (a < b ? -1 : 1)));
}
