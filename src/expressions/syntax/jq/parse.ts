import { ParseErrorSignal, type ParseResult, runParser } from "../cursor.ts";
import { failDepth, failNext, maxQueryDepth, parserOf } from "./parser.ts";
import { readEnd, readQuery } from "./query.ts";
import type { BinaryOperator, Jq, ObjectConstruction } from "./syntax.ts";
import { childrenOf, keysOf } from "./walk.ts";

/**
 * Parses a jq program by the grammar of jq 1.8.2 without modules; `names.ts` resolves names. The depth of the tree is
 * bounded, so passes may be recursive.
 */
export function parseJq(text: string): ParseResult<Jq> {
  return runParser(() => {
    const parser = parserOf(text);
    if (parser.token.kind === "end") failNext(parser, "This expression is empty.", "Write `.` for the input.");
    const query = readQuery(parser);
    readEnd(parser);
    checkDepth(query);
    checkKeys(query);
    return query;
  });
}

/** Chains nest without recursion in the parser, so they are checked here. */
function checkDepth(query: Jq): void {
  const open: { readonly query: Jq; readonly depth: number }[] = [{ query, depth: 1 }];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const depth = next.depth + 1;
    for (const child of childrenOf(next.query)) {
      if (depth > maxTreeDepth) failDepth(child.start, child.end);
      open.push({ query: child, depth });
    }
  }
}

const maxTreeDepth = 2 * maxQueryDepth;

/** What jq's compiler knows about a folded query; "identity": it compiles to nothing. */
type FoldedConstant = number | "null" | "boolean" | "string" | "array" | "object" | "identity";

/**
 * Rejects constant keys that are not strings, `{(1): 2}`, as jq's compiler does. It folds arithmetic, comparisons,
 * arrays and objects only. Linear.
 */
function checkKeys(query: Jq): void {
  fold(query);
}

function fold(query: Jq): FoldedConstant | undefined {
  switch (query.kind) {
    case "identity":
    case "string":
      return query.kind;
    case "number":
      return Number(query.text);
    case "constant":
      return query.value === null ? "null" : "boolean";
    case "location":
      return "object";
    case "binary":
      return foldBinary(query.operator, fold(query.left), fold(query.right));
    case "array":
      return query.items === undefined || isConstantList(query.items) ? "array" : undefined;
    case "object":
      return foldObject(query);
    case "pipe":
      return foldPipe(fold(query.left), fold(query.right));
    case "definition":
      fold(query.body);
      return fold(query.rest);
    default:
      return foldInside(query);
  }
}

function foldInside(query: Jq): undefined {
  const keys = "patterns" in query ? new Set(query.patterns.flatMap(keysOf)) : undefined;
  for (const child of childrenOf(query)) {
    const folded = fold(child);
    if (keys?.has(child)) checkKey(child, folded);
  }
}

function isConstantList(query: Jq): boolean {
  if (query.kind !== "comma") return isConstant(fold(query));
  return query.items.map((item, index) => (index === 0 ? isConstantList(item) : isConstant(fold(item)))).every(Boolean);
}

function foldObject({ entries }: ObjectConstruction): FoldedConstant | undefined {
  const constants = entries.map(({ key, value }) => {
    const folded = fold(key);
    checkKey(key, folded);
    const member = value && fold(value);
    return folded === "string" && isConstant(member);
  });
  return constants.every(Boolean) ? "object" : undefined;
}

const isConstant = (folded: FoldedConstant | undefined): boolean => folded !== undefined && folded !== "identity";

function foldPipe(left: FoldedConstant | undefined, right: FoldedConstant | undefined): FoldedConstant | undefined {
  if (left === "identity") return right;
  return right === "identity" ? left : undefined;
}

/** Undefined if the operator fails: jq fails at run time then. */
function foldBinary(
  operator: BinaryOperator,
  left: FoldedConstant | undefined,
  right: FoldedConstant | undefined,
): FoldedConstant | undefined {
  if (left === undefined || right === undefined || left === "identity" || right === "identity") return undefined;
  switch (operator) {
    case "+":
      return foldSum(left, right);
    case "-":
      if (typeof left === "number" && typeof right === "number") return left - right;
      return left === "array" && right === "array" ? "array" : undefined;
    case "*":
      return foldProduct(left, right);
    case "/":
      if (typeof left === "number" && typeof right === "number") return right === 0 ? undefined : left / right;
      return left === "string" && right === "string" ? "array" : undefined;
    case "%":
      return typeof left === "number" && typeof right === "number" ? foldRemainder(left, right) : undefined;
    default:
      return "boolean";
  }
}

function foldSum(left: FoldedConstant, right: FoldedConstant): FoldedConstant | undefined {
  if (left === "null") return right;
  if (right === "null") return left;
  if (typeof left === "number" && typeof right === "number") return left + right;
  return left === right && left !== "boolean" ? left : undefined;
}

function foldProduct(left: FoldedConstant, right: FoldedConstant): FoldedConstant | undefined {
  if (typeof left === "number" && typeof right === "number") return left * right;
  if (left === "object" && right === "object") return "object";
  const times = left === "string" ? right : right === "string" ? left : undefined;
  if (typeof times !== "number" || times > maxFoldedString) return undefined;
  return times >= 0 ? "string" : "null";
}

/** Longer strings fail in jq. */
const maxFoldedString = 2 ** 31;

/** Integers are truncated to 64 bits. */
function foldRemainder(left: number, right: number): number | undefined {
  if (Number.isNaN(left) || Number.isNaN(right)) return Number.NaN;
  const divisor = truncateToInt64(right);
  return divisor === 0n ? undefined : Number(truncateToInt64(left) % divisor);
}

function truncateToInt64(value: number): bigint {
  const limit = 2 ** 63;
  if (value >= limit) return 2n ** 63n - 1n;
  return BigInt(Math.trunc(Math.max(value, -limit)));
}

function checkKey({ start, end }: Jq, folded: FoldedConstant | undefined): void {
  if (folded === undefined || folded === "identity" || folded === "string") return;
  const what = typeof folded === "number" ? "a number" : typePhrases[folded];
  const hint = typeof folded === "number" ? "Write the key in quotes." : undefined;
  throw new ParseErrorSignal({
    category: "syntax",
    from: start,
    to: end,
    message: `This key is ${what}; keys must be strings.`,
    hint,
  });
}

const typePhrases = { null: "null", boolean: "a boolean", array: "an array", object: "an object" } as const;
