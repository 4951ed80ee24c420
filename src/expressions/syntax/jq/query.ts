import { accept, advance, describeNext, isNext, nested } from "../token-stream.ts";
import { readPatterns } from "./literals.ts";
import { expectAfterQuery, expectKind, expectSign, failNext, hintFor, type JqParser, nameHint } from "./parser.ts";
import type {
  AssignmentOperator,
  BinaryOperator,
  Branch,
  Conditional,
  Definition,
  Foreach,
  Jq,
  Label,
  Parameter,
  Pattern,
  Reduce,
  Try,
} from "./syntax.ts";
import { readTerm } from "./terms.ts";

/** Parses a query: `|` binds loosest and is right-associative, then `,`. */
export const readQuery = (parser: JqParser): Jq => nested(parser, readPipe);

/** Parses a member's value: operators and `|`, but no `,`, `as` or definitions. */
export const readMember = (parser: JqParser): Jq => nested(parser, () => readPiped(parser, readExpression));

/** Expects the end of the source text. */
export function readEnd(parser: JqParser): void {
  const { kind, text } = parser.token;
  if (kind === "end") return;
  const opening = kind === "fixed" ? openingTokens.get(text) : undefined;
  if (opening !== undefined) failNext(parser, `This \`${text}\` has no matching \`${opening}\`.`);
  failNext(
    parser,
    `An operator is missing before ${describeNext(parser)}.`,
    (kind === "fixed" ? separatorHints.get(text) : undefined) ?? hintFor(parser),
  );
}

/** Parses `if … then … elif … then … else … end`. */
export function readConditional(parser: JqParser): Conditional {
  const { from: start } = parser.token;
  const branches: Branch[] = [];
  do {
    advance(parser);
    const condition = readQuery(parser);
    expectAfterQuery(parser, "then");
    branches.push({ condition, result: readQuery(parser) });
  } while (isNext(parser, "elif"));
  const otherwise = accept(parser, "else") ? readQuery(parser) : undefined;
  expectAfterQuery(
    parser,
    "end",
    otherwise?.kind === "if" ? "Each `if` needs its own `end`; `elif` needs none." : undefined,
  );
  return { kind: "if", branches, otherwise, start, end: parser.end };
}

/** Parses `try E` or `try E catch H`; `try 1 + 2` is `(try 1) + 2`. */
export function readTry(parser: JqParser): Try {
  const { from: start } = advance(parser);
  const body = nested(parser, readTerm);
  const handler = accept(parser, "catch") ? nested(parser, readTerm) : undefined;
  return { kind: "try", body, handler, start, end: parser.end };
}

/** Parses `reduce S as P (I; U)`. */
export function readReduce(parser: JqParser): Reduce {
  const { start, source, patterns, initial, update } = readFold(parser);
  expectAfterQuery(parser, ")", isNext(parser, ";") ? "`reduce` takes two queries, `(initial; update)`." : undefined);
  return { kind: "reduce", source, patterns, initial, update, start, end: parser.end };
}

/** Parses `foreach S as P (I; U)`, with `; E` optional. */
export function readForeach(parser: JqParser): Foreach {
  const { start, source, patterns, initial, update } = readFold(parser);
  const extract = accept(parser, ";") ? readQuery(parser) : undefined;
  expectAfterQuery(
    parser,
    ")",
    isNext(parser, ";") ? "`foreach` takes three queries at most, `(initial; update; extract)`." : undefined,
  );
  return { kind: "foreach", source, patterns, initial, update, extract, start, end: parser.end };
}

function readPipe(parser: JqParser): Jq {
  return readPiped(parser, readComma);
}

function readPiped(parser: JqParser, read: (parser: JqParser) => Jq): Jq {
  const starts = [parser.token.from];
  const stages = [read(parser)];
  while (accept(parser, "|")) {
    starts.push(parser.token.from);
    stages.push(read(parser));
  }
  let query = stages.pop()!;
  for (let i = stages.length - 1; i >= 0; i -= 1)
    query = { kind: "pipe", left: stages[i]!, right: query, start: starts[i]!, end: parser.end };
  return query;
}

function readComma(parser: JqParser): Jq {
  const { from: start } = parser.token;
  const items = [readHead(parser)];
  while (accept(parser, ",")) items.push(readHead(parser));
  return items.length === 1 ? items[0]! : { kind: "comma", items, start, end: parser.end };
}

function readHead(parser: JqParser): Jq {
  if (isNext(parser, "def")) return readDefinition(parser);
  if (isNext(parser, "label")) return readLabel(parser);
  const { from: start } = parser.token;
  const source = readExpression(parser);
  if (!accept(parser, "as")) return source;
  const patterns = readPatterns(parser);
  expectSign(parser, "|", "Write the expression that uses the variables after `|`.");
  return { kind: "binding", source, patterns, body: readQuery(parser), start, end: parser.end };
}

/** The operand of `as` and `reduce`, or a member's value. */
const readExpression = (parser: JqParser): Jq => readOperators(parser, 0);

interface InfixOperator {
  /** Higher binds tighter. */
  readonly precedence: number;
  readonly associativity: "left" | "right" | "none";
  readonly join: (
    operator: string,
    left: Jq,
    right: Jq,
    placed: { readonly start: number; readonly end: number },
  ) => Jq;
}

const alternative: InfixOperator = {
  precedence: 0,
  associativity: "right",
  join: (_, left, right, placed) => ({ kind: "alternative", left, right, ...placed }),
};

const assignment: InfixOperator = {
  precedence: 1,
  associativity: "none",
  join: (operator, left, right, placed) => ({
    kind: "assignment",
    operator: operator as AssignmentOperator,
    left,
    right,
    ...placed,
  }),
};

const logic = (level: number): InfixOperator => ({
  precedence: level,
  associativity: "left",
  join: (operator, left, right, placed) => ({
    kind: "logic",
    operator: operator as "and" | "or",
    left,
    right,
    ...placed,
  }),
});

const binary = (level: number, groups: "left" | "none"): InfixOperator => ({
  precedence: level,
  associativity: groups,
  join: (operator, left, right, placed) => ({
    kind: "binary",
    operator: operator as BinaryOperator,
    left,
    right,
    ...placed,
  }),
});

const withOperator = (signs: string, operator: InfixOperator): readonly (readonly [string, InfixOperator])[] =>
  signs.split(" ").map((sign) => [sign, operator]);

const operators: ReadonlyMap<string, InfixOperator> = new Map([
  ...withOperator("//", alternative),
  ...withOperator("= |= += -= *= /= %= //=", assignment),
  ...withOperator("or", logic(2)),
  ...withOperator("and", logic(3)),
  ...withOperator("== != < <= > >=", binary(4, "none")),
  ...withOperator("+ -", binary(5, "left")),
  ...withOperator("* / %", binary(6, "left")),
]);

function readOperators(parser: JqParser, loosest: number): Jq {
  const { from: start } = parser.token;
  let left = readTerm(parser);
  for (;;) {
    const operator = parser.token.kind === "fixed" ? operators.get(parser.token.text) : undefined;
    if (operator === undefined || operator.precedence < loosest) return left;
    const sign = advance(parser).text;
    const { precedence: level, associativity: groups, join } = operator;
    const right =
      groups === "right" ? nested(parser, () => readOperators(parser, level)) : readOperators(parser, level + 1);
    left = join(sign, left, right, { start, end: parser.end });
    if (groups === "none") rejectChain(parser, level);
  }
}

/** Comparisons and assignments are not associative. */
function rejectChain(parser: JqParser, level: number): void {
  if (parser.token.kind !== "fixed" || operators.get(parser.token.text)?.precedence !== level) return;
  const what = level === assignment.precedence ? "assignments" : "comparisons";
  failNext(parser, `Chained ${what} need parentheses.`, hintFor(parser));
}

const openingTokens: ReadonlyMap<string, string> = new Map([
  [")", "("],
  ["]", "["],
  ["}", "{"],
  ...["then", "elif", "else", "end"].map((word) => [word, "if"] as const),
  ["catch", "try"],
]);

const separatorHints: ReadonlyMap<string, string> = new Map([
  [";", "Join steps with `|`; `;` separates the arguments of a function."],
  [":", "Write a condition as `if … then … else … end`."],
]);

interface FoldHead {
  readonly start: number;
  readonly source: Jq;
  readonly patterns: readonly Pattern[];
  readonly initial: Jq;
  readonly update: Jq;
}

function readFold(parser: JqParser): FoldHead {
  const { from: start, text } = advance(parser);
  const source = nested(parser, readExpression);
  expectAfterQuery(
    parser,
    "as",
    isNext(parser, "|") || isNext(parser, ",") ? `Write the source of \`${text}\` in parentheses.` : undefined,
  );
  const patterns = readPatterns(parser);
  expectSign(parser, "(");
  const initial = readQuery(parser);
  expectAfterQuery(
    parser,
    ";",
    isNext(parser, ")") ? `\`${text}\` takes an initial value and an update, \`(initial; update)\`.` : undefined,
  );
  return { start, source, patterns, initial, update: readQuery(parser) };
}

function readDefinition(parser: JqParser): Definition {
  const { from: start } = advance(parser);
  const name = expectKind(parser, "name", "A function's name").text;
  const parameters = readParameters(parser);
  expectSign(parser, ":");
  const body = readQuery(parser);
  expectAfterQuery(parser, ";", "A definition ends with `;`.");
  if (parser.token.kind === "end")
    failNext(parser, "An expression is missing after the definition.", "Write `.` for the input.");
  return { kind: "definition", name, parameters, body, rest: readQuery(parser), start, end: parser.end };
}

function readParameters(parser: JqParser): readonly Parameter[] {
  if (!accept(parser, "(")) return [];
  if (isNext(parser, ")"))
    failNext(
      parser,
      "A parameter is missing between `(` and `)`.",
      "Omit the parentheses of a function without parameters.",
    );
  const parameters = [readParameter(parser)];
  while (accept(parser, ";")) parameters.push(readParameter(parser));
  expectSign(parser, ")", parser.token.text === "," ? "Separate parameters by `;`." : undefined);
  return parameters;
}

function readParameter(parser: JqParser): Parameter {
  const { kind } = parser.token;
  if (kind !== "variable" && kind !== "name")
    failNext(parser, `A parameter is missing before ${describeNext(parser)}.`, nameHint(parser));
  const { text, from: start, to: end } = advance(parser);
  return { name: text, byValue: kind === "variable", start, end };
}

function readLabel(parser: JqParser): Label {
  const { from: start } = advance(parser);
  const name = expectKind(parser, "variable", "The label's name, such as `$out`,").text;
  expectSign(parser, "|");
  return { kind: "label", name, body: readQuery(parser), start, end: parser.end };
}
