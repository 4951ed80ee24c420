import { didYouMean } from "../../../text/messages.ts";
import type { Expression } from "../../core/ast.ts";
import { balanced, bind, call, conditional, literal } from "../../core/build.ts";
import { accept, advance, describeNext, expect, failAt, nested, type Range } from "../token-stream.ts";
import { applyArithmetic, negateNumber } from "./arithmetic.ts";
import { truncateToken } from "./lexer.ts";
import { compareOperands, isBoolean, type Operand, type SimpleOperand, toValue } from "./operand.ts";
import { readOperand } from "./primary.ts";
import {
  type ConditionReader,
  countOperation,
  freshVariable,
  type InfixRule,
  precedences,
  rejectConstruct,
  subjectOf,
  toCondition,
} from "./reader.ts";

/** Reads operators of at least a precedence. */
export function readAt(reader: ConditionReader, power: number): Operand {
  const { operations } = reader;
  let left = readPrefix(reader);
  for (;;) {
    const rule = nextInfix(reader);
    if (!rule || rule.power < power) return left;
    left = rule.kind === "chain" ? readChain(reader, left, rule, operations) : readInfix(reader, left, rule);
  }
}

/** The operators that all languages have. */
export const commonInfix: ReadonlyMap<string, InfixRule> = new Map<string, InfixRule>([
  ["?", { kind: "choice", power: precedences.choice }],
  ...["or", "||"].map((sign) => [sign, { kind: "chain", power: precedences.or, name: "or" }] as const),
  ...["and", "&&"].map((sign) => [sign, { kind: "chain", power: precedences.and, name: "and" }] as const),
  ...(
    [
      ["==", "eq"],
      ["!=", "ne"],
      ["<", "lt"],
      ["<=", "le"],
      [">", "gt"],
      [">=", "ge"],
    ] as const
  ).flatMap(([name, word]) =>
    [name, word].map((sign) => [sign, { kind: "comparison", power: precedences.comparison, name }] as const),
  ),
  ...(["+", "-"] as const).map((name) => [name, { kind: "arithmetic", power: precedences.additive, name }] as const),
  ...(["*", "/", "%"] as const).map(
    (name) => [name, { kind: "arithmetic", power: precedences.multiplicative, name }] as const,
  ),
]);

function nextInfix(reader: ConditionReader): InfixRule | undefined {
  const { kind, text } = reader.token;
  if (kind === "end" || (kind === "sign" && terminators.has(text))) return undefined;
  if (kind !== "name" && kind !== "sign")
    return failAt(reader, "syntax", `An operator is missing before ${describeNext(reader)}.`);
  return reader.rules.infix.get(text.toLowerCase()) ?? rejectOperator(reader);
}

/** Whether a token is an operator. */
export const isOperator = ({ token, rules }: ConditionReader): boolean =>
  (token.kind === "name" || token.kind === "sign") && rules.infix.has(token.text.toLowerCase());

function readInfix(reader: ConditionReader, left: Operand, rule: Exclude<InfixRule, { kind: "chain" }>): Operand {
  switch (rule.kind) {
    case "comparison":
      return readComparison(reader, left, rule);
    case "arithmetic": {
      rejectTightNegation(reader, left);
      countOperation(reader, advance(reader));
      const right = readAt(reader, rule.power + 1);
      rejectTightNegation(reader, right);
      return applyArithmetic(reader, rule.name, left, right);
    }
    case "test": {
      if (left.kind === "negated") rejectTightNegation(reader, left);
      const result = rule.read(reader, left, advance(reader));
      if (rule.power === precedences.comparison) rejectChain(reader);
      return result;
    }
    case "choice":
      return readChoice(reader, left);
    case "default":
    case "coalesce":
      return readDefault(reader, left, rule.kind);
  }
}

function readPrefix(reader: ConditionReader): Operand {
  const opener = reader.token;
  const { from } = opener;
  if (isNegation(reader)) {
    advance(reader);
    const operand = nested(reader, () => readAt(reader, precedences.unary), opener);
    return { kind: "negated", expression: call("not", toCondition(reader, operand)), from, to: operand.to };
  }
  if (opener.kind === "sign" && opener.text === "-" && !/\d/.test(reader.cursor.text.charAt(opener.to))) {
    countOperation(reader, advance(reader));
    const operand = nested(reader, () => readAt(reader, precedences.unary), opener);
    return { ...negateNumber(reader, operand), from };
  }
  return readOperand(reader);
}

const isNegation = ({ token, cursor }: ConditionReader): boolean =>
  (token.kind === "sign" && token.text === "!") ||
  (token.kind === "name" && token.text.toLowerCase() === "not" && !/[.[]/.test(cursor.text.charAt(token.to)));

/** A chain is one node, so its length is not nesting. `operations`: those around it. */
function readChain(
  reader: ConditionReader,
  first: Operand,
  { name, power }: Extract<InfixRule, { kind: "chain" }>,
  operations: number,
): Operand {
  const parts = [toCondition(reader, first)];
  for (;;) {
    const rule = nextInfix(reader);
    if (rule?.kind !== "chain" || rule.name !== name)
      return { kind: "condition", expression: balanced(name, parts), from: first.from, to: reader.end };
    advance(reader);
    parts.push(
      toCondition(
        reader,
        readApart(reader, operations, () => readAt(reader, power + 1)),
      ),
    );
  }
}

function readComparison(
  reader: ConditionReader,
  left: Operand,
  { name, power }: Extract<InfixRule, { kind: "comparison" }>,
): Operand {
  if (reader.rules.title === undefined) rejectNegation(reader, left);
  advance(reader);
  const right = readAt(reader, power + 1);
  checkNegation(reader, left, right, name === "==" || name === "!=");
  rejectChain(reader);
  return { kind: "condition", expression: compareOperands(left, name, right), from: left.from, to: right.to };
}

function rejectChain(reader: ConditionReader): void {
  if (nextInfix(reader)?.power === precedences.comparison)
    failAt(reader, "syntax", "Chained comparisons need parentheses.");
}

const parenthesesHint = "Write `not (… eq …)`.";

function rejectNegation(reader: ConditionReader, operand: Operand): void {
  if (operand.kind !== "negated") return;
  const message = "The precedence of `not` next to a comparison differs between languages.";
  failAt(reader, "unsupported", message, operand, parenthesesHint);
}

/** `not` binds tighter than a comparison, so the other operand must be boolean. */
function checkNegation(reader: ConditionReader, left: Operand, right: Operand, isEquality: boolean): void {
  if (left.kind !== "negated" && right.kind !== "negated") return;
  if (reader.rules.title === undefined) rejectNegation(reader, right);
  const [negated, other] = left.kind === "negated" ? [left, right] : [right, left];
  if (!isEquality || (other.kind === "literal" && !isBoolean(other))) rejectTightNegation(reader, negated);
}

/** Rejects a negation where only values make sense. */
export function rejectTightNegation(reader: ConditionReader, operand: Operand): void {
  if (operand.kind !== "negated") return;
  const message = "`not` binds tighter than this comparison, which does not apply to booleans.";
  failAt(reader, "unsupported", message, operand, parenthesesHint);
}

function readChoice(reader: ConditionReader, left: Operand): Operand {
  const sign = advance(reader);
  const condition = toCondition(reader, left);
  const read = () => {
    const then = readAt(reader, precedences.choice);
    expect(reader, ":");
    const otherwise = readAt(reader, precedences.choice);
    return { kind: "choice", condition, then, otherwise, from: left.from, to: otherwise.to } as const;
  };
  return nested(reader, read, sign);
}

/** `a ?: b`: `a` unless it is a value that the language replaces. `a ?? b`: `a` unless it is null. */
function readDefault(reader: ConditionReader, left: Operand, kind: "default" | "coalesce"): Operand {
  const sign = advance(reader);
  countOperation(reader, sign);
  const right = nested(reader, () => readAt(reader, precedences.choice), sign);
  const { name, value } = freshVariable(reader, "preferred");
  const equals = (constant: string | number | boolean | null): Expression =>
    call("compareInCondition", value, literal("=="), literal(constant));
  const absent = kind === "coalesce" ? equals(null) : balanced("or", reader.rules.defaulted.map(equals));
  const expression = bind(name, toValue(left), conditional(absent, toValue(right), value));
  return { kind: "value", expression, from: left.from, to: right.to };
}

function rejectOperator(reader: ConditionReader): never {
  const { kind, text } = reader.token;
  if (kind === "sign" && startTokens.has(text))
    failAt(reader, "syntax", `An operator is missing before ${describeNext(reader)}.`);
  const construct = reader.rules.excluded.get(text.toLowerCase());
  if (construct !== undefined) return rejectConstruct(reader, construct);
  const meant = foreignOperators.get(text);
  const message = `The operator \`${truncateToken(text)}\` is not supported in ${subjectOf(reader)}.`;
  if (meant !== undefined) return failAt(reader, "syntax", message, undefined, `Write \`${meant}\`.`);
  const hint = kind === "name" ? didYouMean(text, [...reader.rules.infix.keys()]) : undefined;
  return failAt(reader, "unsupported", message, undefined, hint);
}

const terminators: ReadonlySet<string> = new Set([")", "]", "}", ",", ":", ";"]);

const startTokens: ReadonlySet<string> = new Set(["(", "[", "{", ".", "!"]);

const foreignOperators: ReadonlyMap<string, string> = new Map([
  ["=", "=="],
  ["===", "=="],
  ["!==", "!="],
  ["<>", "!="],
  ["=<", "<="],
  ["=>", ">="],
  ["&", "and"],
  ["|", "or"],
]);

/** Reads a parenthesized expression after its `(`. */
export function readGroup(reader: ConditionReader, opener: Range): Operand {
  const inner = nested(reader, () => readAt(reader, precedences.choice), opener);
  expect(reader, ")");
  const range = { from: opener.from, to: reader.end };
  return inner.kind === "negated"
    ? ({ ...inner, kind: "condition", ...range } satisfies SimpleOperand)
    : { ...inner, ...range };
}

/** Counts the operations of one of several parts side by side. */
function readApart<T>(reader: ConditionReader, operations: number, read: () => T): T {
  const before = reader.operations;
  reader.operations = operations;
  const result = read();
  reader.operations = Math.max(before, reader.operations);
  return result;
}

/** Reads operands up to a closing bracket. */
export function readItems(reader: ConditionReader, close: string, power: number = precedences.choice): Operand[] {
  const items: Operand[] = [];
  const { operations } = reader;
  while (items.length === 0 ? !accept(reader, close) : accept(reader, ","))
    items.push(nested(reader, () => readApart(reader, operations, () => readAt(reader, power))));
  if (items.length > 0) expect(reader, close);
  return items;
}
