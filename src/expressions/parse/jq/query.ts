import { readDefinition, readLabel } from "./definitions.ts";
import { accept, advance, expect, hintFor, isNext, nested, type Parser, shown, signal } from "./parser.ts";
import { readPatterns } from "./patterns.ts";
import type { AssignmentOperator, BinaryOperator, Jq } from "./syntax.ts";
import { readTerm } from "./terms.ts";

/**
 * Reads a whole query, as far as it goes: `|` binds loosest and to the right, then `,`; what begins with `def`, `label` or `… as` takes in all
 * that follows it.
 */
export const readQuery = (parser: Parser): Jq => nested(parser, readPipe);

function readPipe(parser: Parser): Jq {
  return readPiped(parser, readComma);
}

/** Reads what a member of an object can be without parentheses: operators and `|`, but neither `,` nor `as` nor definitions. */
export const readMember = (parser: Parser): Jq => nested(parser, () => readPiped(parser, readExpression));

function readPiped(parser: Parser, read: (parser: Parser) => Jq): Jq {
  const starts = [parser.token.start];
  const stages = [read(parser)];
  while (accept(parser, "|")) {
    starts.push(parser.token.start);
    stages.push(read(parser));
  }
  let query = stages.pop()!;
  for (let i = stages.length - 1; i >= 0; i -= 1)
    query = { kind: "pipe", left: stages[i]!, right: query, start: starts[i]!, end: parser.end };
  return query;
}

function readComma(parser: Parser): Jq {
  const { start } = parser.token;
  const items = [readHead(parser)];
  while (accept(parser, ",")) items.push(readHead(parser));
  return items.length === 1 ? items[0]! : { kind: "comma", items, start, end: parser.end };
}

function readHead(parser: Parser): Jq {
  if (isNext(parser, "def")) return readDefinition(parser);
  if (isNext(parser, "label")) return readLabel(parser);
  const { start } = parser.token;
  const source = readExpression(parser);
  if (!accept(parser, "as")) return source;
  const patterns = readPatterns(parser);
  expect(parser, "|", "What uses the variables comes after `|`.");
  return { kind: "binding", source, patterns, body: readQuery(parser), start, end: parser.end };
}

/** Reads terms with operators between them: what can stand before `as`, after `reduce`, and as an object's member. */
export const readExpression = (parser: Parser): Jq => readOperators(parser, 0);

interface Operator {
  /** How tightly it binds: more is tighter. */
  readonly level: number;
  readonly groups: "left" | "right" | "none";
  readonly join: (
    operator: string,
    left: Jq,
    right: Jq,
    placed: { readonly start: number; readonly end: number },
  ) => Jq;
}

const alternative: Operator = {
  level: 0,
  groups: "right",
  join: (_, left, right, placed) => ({ kind: "alternative", left, right, ...placed }),
};
const assignment: Operator = {
  level: 1,
  groups: "none",
  join: (operator, left, right, placed) => ({
    kind: "assignment",
    operator: operator as AssignmentOperator,
    left,
    right,
    ...placed,
  }),
};
const logic = (level: number): Operator => ({
  level,
  groups: "left",
  join: (operator, left, right, placed) => ({
    kind: "logic",
    operator: operator as "and" | "or",
    left,
    right,
    ...placed,
  }),
});
const binary = (level: number, groups: "left" | "none"): Operator => ({
  level,
  groups,
  join: (operator, left, right, placed) => ({
    kind: "binary",
    operator: operator as BinaryOperator,
    left,
    right,
    ...placed,
  }),
});

const each = (signs: string, operator: Operator): readonly (readonly [string, Operator])[] =>
  signs.split(" ").map((sign) => [sign, operator]);

const operators: ReadonlyMap<string, Operator> = new Map([
  ...each("//", alternative),
  ...each("= |= += -= *= /= %= //=", assignment),
  ...each("or", logic(2)),
  ...each("and", logic(3)),
  ...each("== != < <= > >=", binary(4, "none")),
  ...each("+ -", binary(5, "left")),
  ...each("* / %", binary(6, "left")),
]);

function readOperators(parser: Parser, loosest: number): Jq {
  const { start } = parser.token;
  let left = readTerm(parser);
  for (;;) {
    const operator = parser.token.kind === "fixed" ? operators.get(parser.token.text) : undefined;
    if (operator === undefined || operator.level < loosest) return left;
    const sign = advance(parser).text;
    const { level, groups, join } = operator;
    const right =
      groups === "right" ? nested(parser, () => readOperators(parser, level)) : readOperators(parser, level + 1);
    left = join(sign, left, right, { start, end: parser.end });
    if (groups === "none") refuseRow(parser, level);
  }
}

/** Comparisons and assignments have no order among themselves. */
function refuseRow(parser: Parser, level: number): void {
  if (parser.token.kind !== "fixed" || operators.get(parser.token.text)?.level !== level) return;
  const what = level === assignment.level ? "Assignments" : "Comparisons";
  signal(parser, `${what} in a row need parentheses.`, hintFor(parser));
}

/** Reads the end of the text. */
export function readEnd(parser: Parser): void {
  const { kind, text } = parser.token;
  if (kind === "end") return;
  const opening = kind === "fixed" ? openings.get(text) : undefined;
  if (opening !== undefined) signal(parser, `This \`${text}\` belongs to no \`${opening}\`.`);
  signal(
    parser,
    `An operator is missing before ${shown(parser)}.`,
    (kind === "fixed" ? separators.get(text) : undefined) ?? hintFor(parser),
  );
}

const openings: ReadonlyMap<string, string> = new Map([
  [")", "("],
  ["]", "["],
  ["}", "{"],
  ...["then", "elif", "else", "end"].map((word) => [word, "if"] as const),
  ["catch", "try"],
]);

/** What to write in place of what separates elsewhere. */
const separators: ReadonlyMap<string, string> = new Map([
  [";", "Steps are joined with `|`; `;` separates the arguments of a function."],
  [":", "A choice is written `if … then … else … end`."],
]);
