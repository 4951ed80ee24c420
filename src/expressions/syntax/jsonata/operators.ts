import { failWith } from "./errors.ts";
import { readArguments, readLambda } from "./functions.ts";
import type { JsonataToken } from "./lexer.ts";
import { readEntries, readOperand } from "./operands.ts";
import {
  accept,
  advance,
  excerptOf,
  expectSign,
  isNext,
  type JsonataParser,
  nested,
  rangeFrom,
  withoutKeepArray,
} from "./parser.ts";
import type { Jsonata, Operator, SortTerm, Variable } from "./syntax.ts";

/** Reads an expression whose operators bind tighter than `power`. */
export function readExpression(parser: JsonataParser, power = 0): Jsonata {
  return nested(parser, () => {
    let left = readOperand(parser);
    while (power < powerOf(parser.token)) left = readOperator(parser, left);
    return left;
  });
}

/** JSONata's binding powers. */
const powers = new Map<string, number>([
  ["[", 80],
  ["(", 80],
  ["@", 80],
  ["#", 80],
  [".", 75],
  ["{", 70],
  ["*", 60],
  ["/", 60],
  ["%", 60],
  ["+", 50],
  ["-", 50],
  ["&", 50],
  ["=", 40],
  ["!=", 40],
  ["<", 40],
  ["<=", 40],
  [">", 40],
  [">=", 40],
  ["^", 40],
  ["~>", 40],
  ["?:", 40],
  ["??", 40],
  ["in", 40],
  ["and", 30],
  ["or", 25],
  ["?", 20],
  [":=", 10],
]);

const binaryOperators = ["+", "-", "*", "/", "%", "&", "=", "!=", "<", "<=", ">", ">=", "in", "and", "or"] as const;
const binaryOperator = new Map<string, Operator>(binaryOperators.map((operator) => [operator, operator]));

const powerOf = ({ kind, text }: JsonataToken): number => (kind === "sign" ? (powers.get(text) ?? 0) : 0);

/** Reads an operator and what follows it. */
function readOperator(parser: JsonataParser, left: Jsonata): Jsonata {
  const sign = advance(parser);
  const power = powerOf(sign);
  const operator = binaryOperator.get(sign.text);
  if (operator) {
    const right = readExpression(parser, power);
    return { kind: "operation", operator, left, right, ...rangeFrom(parser, left.start) };
  }
  switch (sign.text) {
    case ".": {
      const right = readExpression(parser, power);
      return { kind: "map", left, right, ...rangeFrom(parser, left.start) };
    }
    case "[":
      return readPredicate(parser, left);
    case "{": {
      const entries = readEntries(parser);
      return { kind: "group", target: left, entries, ...rangeFrom(parser, left.start) };
    }
    case "(":
      return readCall(parser, left);
    case "^":
      return readOrdering(parser, left);
    case "@":
    case "#":
      return readStepBinding(parser, left, sign.text);
    case ":=":
      return readAssignment(parser, left);
    case "~>": {
      const right = readExpression(parser, power);
      return { kind: "chain", left, right, ...rangeFrom(parser, left.start) };
    }
    case "?":
      return readConditional(parser, left);
    default: {
      const right = readExpression(parser);
      const fallback = sign.text === "??" ? "??" : "?:";
      return { kind: "fallback", operator: fallback, left, right, ...rangeFrom(parser, left.start) };
    }
  }
}

function readPredicate(parser: JsonataParser, target: Jsonata): Jsonata {
  if (accept(parser, "]")) return { kind: "keepArray", target, ...rangeFrom(parser, target.start) };
  const predicate = readExpression(parser);
  expectSign(parser, "]", true);
  return { kind: "filter", target, predicate, ...rangeFrom(parser, target.start) };
}

function readCall(parser: JsonataParser, procedure: Jsonata): Jsonata {
  const args = readArguments(parser);
  const bare = withoutKeepArray(procedure);
  if (bare.kind === "name" && (bare.name === "function" || bare.name === "λ"))
    return readLambda(parser, procedure.start, args);
  return { kind: "call", procedure, args, ...rangeFrom(parser, procedure.start) };
}

function readOrdering(parser: JsonataParser, target: Jsonata): Jsonata {
  expectSign(parser, "(");
  const terms: SortTerm[] = [];
  do {
    const descending = isNext(parser, ">");
    if (descending || isNext(parser, "<")) advance(parser);
    terms.push({ expression: readExpression(parser), descending });
  } while (accept(parser, ","));
  expectSign(parser, ")");
  return { kind: "sort", target, terms, ...rangeFrom(parser, target.start) };
}

function readStepBinding(parser: JsonataParser, target: Jsonata, sign: "@" | "#"): Jsonata {
  const right = readExpression(parser, powers.get(sign));
  if (right.kind !== "variable") failWith("S0214", right, sign);
  const kind = sign === "@" ? "focus" : "index";
  return { kind, target, variable: right, ...rangeFrom(parser, target.start) };
}

function readAssignment(parser: JsonataParser, left: Jsonata): Jsonata {
  const variable = variableOf(left);
  if (!variable) failWith("S0212", left, excerptOf(parser.text, left));
  const value = readExpression(parser, powers.get(":=")! - 1);
  return { kind: "assign", variable, value, ...rangeFrom(parser, left.start) };
}

function variableOf(node: Jsonata): Variable | undefined {
  const bare = withoutKeepArray(node);
  return bare.kind === "variable" ? bare : undefined;
}

function readConditional(parser: JsonataParser, condition: Jsonata): Jsonata {
  const result = readExpression(parser);
  const otherwise = accept(parser, ":") ? readExpression(parser) : undefined;
  return { kind: "if", condition, result, otherwise, ...rangeFrom(parser, condition.start) };
}
