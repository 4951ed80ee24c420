import { didYouMean } from "../../../text/messages.ts";
import type { Expression, Segment } from "../../core/ast.ts";
import { call, conditional, literal, query } from "../../core/build.ts";
import { isParseError, match, roundedInteger, skipSpace } from "../cursor.ts";
import { nameOf, parseJsonPath, readJsonPath, type SpanAt } from "../jsonpath/jsonpath.ts";
import { constantOf } from "../jsonpath/literals.ts";
import { accept, advance, describeNext, expect, failAt, isNext, moveTo, type Range } from "../token-stream.ts";
import type { ConditionScope } from "./conditions.ts";
import { type ConditionParser, isOperator, truncateToken } from "./parser.ts";
import { type ConditionLanguage, type ConditionToken, memberName, onlyInHint } from "./tokens.ts";

/**
 * A part of a condition. `value`: at most one output, or several from a path; `negated`: a condition that starts with
 * `not`; `choice`: a conditional expression.
 */
export type Operand = SimpleOperand | ChoiceOperand;

/** An operand with a single expression. */
export interface SimpleOperand extends Range {
  readonly kind: "value" | "literal" | "condition" | "negated";
  readonly expression: Expression;
}

/** Converts an operand of a comparison. */
export function asValue(operand: Operand): Expression {
  if (operand.kind !== "choice") return operand.expression;
  return conditional(operand.condition, asValue(operand.then), asValue(operand.otherwise));
}

/** Converts an operand to a condition. */
export function asCondition(parser: ConditionParser, operand: Operand): Expression {
  switch (operand.kind) {
    case "condition":
    case "negated":
      return operand.expression;
    case "value":
      return call("truthy", operand.expression);
    case "literal":
      if (isBoolean(operand)) return operand.expression;
      return failAt(parser, "syntax", "A value alone is not a condition.", operand);
    case "choice":
      return conditional(operand.condition, asCondition(parser, operand.then), asCondition(parser, operand.otherwise));
  }
}

/** Whether an operand is `true` or `false`. */
export const isBoolean = (operand: Operand): boolean =>
  operand.kind === "literal" && operand.expression.kind === "literal" && typeof operand.expression.value === "boolean";

/** A warning about a source range. */
export interface ParseWarning {
  readonly from: number;
  readonly to: number;
  readonly message: string;
}

/** Receives warnings. */
export type Warn = (loss: ParseWarning) => void;

/** Parses a path, name, call or literal. */
export function readOperand(parser: ConditionParser, scope: ConditionScope, warn: Warn): Operand {
  const { token } = parser;
  const { from } = token;
  const operandOf = (kind: "value" | "literal", expression: Expression): Operand => ({
    kind,
    expression,
    from,
    to: parser.end,
  });
  switch (token.kind) {
    case "text":
      advance(parser);
      return operandOf("literal", literal(token.text));
    case "number":
      return operandOf("literal", literal(readNumber(parser, "", warn)));
    case "path":
      return operandOf("value", readPath(parser, scope));
    case "name":
    case "variable":
      return readConstant(parser) ?? readNamed(parser, scope, warn);
    default:
      if (isNegativeNumber(parser)) {
        advance(parser);
        return operandOf("literal", literal(readNumber(parser, "-", warn)));
      }
      return failAt(parser, "syntax", `A path, name or value is missing before ${describeNext(parser)}.`);
  }
}

interface ChoiceOperand extends Range {
  readonly kind: "choice";
  readonly condition: Expression;
  readonly then: Operand;
  readonly otherwise: Operand;
}

function readNamed(parser: ConditionParser, scope: ConditionScope, warn: Warn): Operand {
  const name = advance(parser);
  const called = isNext(parser, "(") || isEmptyWord(parser, name, scope);
  if (called) return readCall(parser, name, scope, warn);
  return { kind: "value", expression: readName(parser, name, scope), from: name.from, to: parser.end };
}

const isNegativeNumber = (parser: ConditionParser): boolean =>
  isNext(parser, "-") && /\d/.test(parser.cursor.text.charAt(parser.token.to));

function readNumber(parser: ConditionParser, sign: "" | "-", warn: Warn): number {
  const { text, from, to } = advance(parser);
  const exact = Number(text);
  const value = Math.min(Number.MAX_VALUE, exact);
  const kept = exact === value ? roundedInteger(text, value) : String(value);
  if (kept !== undefined)
    warn({ from: from - sign.length, to, message: `Numbers are stored with 53 bits: this becomes ${sign}${kept}.` });
  return sign === "-" && value !== 0 ? -value : value;
}

function readPath(parser: ConditionParser, { root, member: own, spanAt }: ConditionScope): Expression {
  if (!root) return failAt(parser, "unsupported", "Paths are not supported here.");
  const rooted = (segments: readonly Segment[]) => {
    const [first] = segments;
    const name = first && !first.descend ? nameOf(first) : undefined;
    const source = name === undefined ? undefined : own?.(name);
    return source ? query(source, segments.slice(1)) : query(root, segments);
  };
  const { cursor, token } = parser;
  cursor.offset = token.from;
  const path = readJsonPath(cursor, rooted, { spanAt });
  moveTo(parser, cursor.offset);
  return path;
}

/** Case-insensitive, unless a longer name starts here. */
function readConstant(parser: ConditionParser): Operand | undefined {
  const { kind, text, from, to } = parser.token;
  const constant = kind === "name" ? constantOf(text.toLowerCase()) : undefined;
  if (constant === undefined || /[.[(]/.test(parser.cursor.text.charAt(to))) return undefined;
  advance(parser);
  return { kind: "literal", expression: literal(constant), from, to };
}

function readName(parser: ConditionParser, name: ConditionToken, scope: ConditionScope): Expression {
  const value = name.kind === "name" ? scope.identifier?.(name.text) : undefined;
  if (!value) return rejectName(parser, name, scope);
  const segments: Segment[] = [];
  for (;;) {
    if (isNext(parser, ".")) segments.push(readMember(parser));
    else if (isNext(parser, "[")) segments.push(readElement(parser));
    else break;
  }
  if (isNext(parser, "(")) rejectCall(parser, { from: name.from, to: parser.end });
  return query(value, segments);
}

function rejectCall(parser: ConditionParser, name: Range, hint?: string): never {
  const written = truncateToken(parser.cursor.text.slice(name.from, name.to));
  return failAt(parser, "unsupported", `\`${written}\` is not supported in conditions.`, name, hint);
}

function rejectName(parser: ConditionParser, name: ConditionToken, { identifiers = [], root }: ConditionScope): never {
  const { kind, text } = name;
  if (kind === "variable")
    return failAt(parser, "unsupported", `\`${truncateToken(text)}\` is not supported in conditions.`, name);
  if (isOperator(name)) return failAt(parser, "syntax", `A path, name or value is missing before \`${text}\`.`, name);
  const hint = /[\u2018\u2019\u201c\u201d]/.test(text)
    ? "These are typographic quotes. Write strings in `'` or `\"`."
    : (didYouMean(text, identifiers) ??
      (root ? `Write \`$.${text.slice(0, 60)}\` for a member of the data.` : undefined));
  return failAt(parser, "unsupported", `Unknown name \`${truncateToken(text)}\`.`, name, hint);
}

function readMember(parser: ConditionParser): Segment {
  const { cursor, token } = parser;
  cursor.offset = token.to;
  skipSpace(cursor);
  const name = match(cursor, memberName);
  if (name === undefined) failAt(parser, "syntax", "A name is missing after `.`.");
  moveTo(parser, cursor.offset);
  return step({ kind: "name", name });
}

function readElement(parser: ConditionParser): Segment {
  advance(parser);
  const { kind, text } = parser.token;
  const index = kind === "number" && /^\d+$/.test(text) ? Number(text) : undefined;
  if (kind !== "text" && !(index !== undefined && Number.isSafeInteger(index))) {
    return failAt(parser, "syntax", `A name in quotes or an index is missing before ${describeNext(parser)}.`);
  }
  advance(parser);
  expect(parser, "]");
  return step(index === undefined ? { kind: "name", name: text } : { kind: "index", index });
}

const step = (selector: Segment["selectors"][number]): Segment => ({ descend: false, selectors: [selector] });

function readCall(parser: ConditionParser, name: ConditionToken, scope: ConditionScope, warn: Warn): Operand {
  if (!accept(parser, "(")) return readEmptyWord(parser, name, scope, warn);
  const known = functions.find((one) => one.name.toLowerCase() === name.text.toLowerCase());
  if (!known || !isAvailable(known, parser, scope)) {
    const names = functions.filter((one) => isAvailable(one, parser, scope)).map((one) => one.name);
    const place = { from: name.from, to: name.to };
    return rejectCall(parser, place, known?.language ? onlyInHint(known.language) : didYouMean(name.text, names));
  }
  const read = known.read(parser, scope, warn);
  expect(parser, ")");
  return { ...read, from: name.from, to: parser.end };
}

const isEmptyWord = ({ token }: ConditionParser, name: ConditionToken, scope: ConditionScope): boolean =>
  name.text.toLowerCase() === "empty" && startsOperand(token) && !scope.identifier?.(name.text);

const startsOperand = (token: ConditionToken): boolean =>
  ["path", "text", "number"].includes(token.kind) || (token.kind === "name" && !isOperator(token));

type FunctionResult = Pick<Operand & { kind: "value" | "condition" }, "kind" | "expression">;

interface ConditionFunction {
  readonly name: string;
  readonly language?: ConditionLanguage;
  read(parser: ConditionParser, scope: ConditionScope, warn: Warn): FunctionResult;
}

const functions: readonly ConditionFunction[] = [
  {
    name: "empty",
    read: (...reading) => ({ kind: "condition", expression: call("isEmpty", asValue(readOperand(...reading))) }),
  },
  { name: "#jsonPath", read: readJsonPathCall },
  {
    name: "has",
    language: "cel",
    read: (...reading) => ({ kind: "condition", expression: call("exists", readMemberSelection(...reading)) }),
  },
  {
    name: "size",
    language: "cel",
    read: (...reading) => ({ kind: "value", expression: call("nodeLength", asValue(readOperand(...reading))) }),
  },
];

const isAvailable = (
  { name, language }: ConditionFunction,
  parser: ConditionParser,
  { data }: ConditionScope,
): boolean => (name.startsWith("#") ? data !== undefined : (language ?? parser.language) === parser.language);

function readEmptyWord(parser: ConditionParser, word: ConditionToken, scope: ConditionScope, warn: Warn): Operand {
  if (parser.language !== "jexl") {
    failAt(
      parser,
      "unsupported",
      "`empty` without parentheses is not supported in conditions.",
      word,
      "Write `empty(…)`.",
    );
  }
  const operand = readOperand(parser, scope, warn);
  return { kind: "condition", expression: call("isEmpty", asValue(operand)), from: word.from, to: operand.to };
}

/** CEL's `has` requires a member selection. */
function readMemberSelection(parser: ConditionParser, scope: ConditionScope, warn: Warn): Expression {
  const operand = readOperand(parser, scope, warn);
  const expression = asValue(operand);
  const last = expression.kind === "query" ? expression.segments.at(-1) : undefined;
  if (last && !last.descend && nameOf(last) !== undefined) return expression;
  return failAt(parser, "syntax", "`has` requires a member, as in `has($.order.id)`.", operand);
}

function readJsonPathCall(parser: ConditionParser, { data, spanAt }: ConditionScope): FunctionResult {
  const subject = parser.token;
  if (subject.kind !== "name" || !/^state(?:output)?data$/i.test(subject.text)) {
    const place = subject.kind === "end" ? subject : { from: subject.from, to: Math.max(subject.to, subject.from + 1) };
    failAt(parser, "unsupported", "The first argument of `#jsonPath` must be `stateData` or `stateOutputData`.", place);
  }
  advance(parser);
  expect(parser, ",");
  if (parser.token.kind !== "text")
    failAt(parser, "syntax", `A path in quotes is missing before ${describeNext(parser)}.`);
  return { kind: "value", expression: parseQuotedPath(parser, advance(parser), data!, spanAt) };
}

/** Errors have exact positions if the string has no escapes. */
function parseQuotedPath(
  parser: ConditionParser,
  { text, from, to }: ConditionToken,
  data: Expression,
  spanAt: SpanAt | undefined,
): Expression {
  const exact = to - from === text.length + 2;
  const path = parseJsonPath(text, data, {
    spanAt: exact && spanAt ? (start, end) => spanAt(from + 1 + start, from + 1 + end) : undefined,
  });
  if (!isParseError(path)) return path.query;
  const place = exact ? { from: from + 1 + path.from, to: from + 1 + Math.max(path.to, path.from + 1) } : { from, to };
  return failAt(parser, path.category, path.message, place, path.hint);
}
