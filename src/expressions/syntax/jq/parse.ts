import { FaultSignal, type Parsed, parsing } from "../cursor.ts";
import { deepestQuery, parserOf, signal, signalDepth } from "./parser.ts";
import { readEnd, readQuery } from "./query.ts";
import type { BinaryOperator, Jq, ObjectConstruction } from "./syntax.ts";
import { childrenOf, keysOf } from "./walk.ts";

/**
 * Parses a jq program by the grammar of jq 1.8.2, but for modules. Names are not looked up: see `names.ts`. The tree is never deeper than a small
 * multiple of `deepestQuery`, so that passes over it may be recursive.
 */
export function parseJq(text: string): Parsed<Jq> {
  return parsing(() => {
    const parser = parserOf(text);
    if (parser.token.kind === "end") signal(parser, "This expression is empty.", "Write `.` for the input as it is.");
    const query = readQuery(parser);
    readEnd(parser);
    checkDepth(query);
    checkKeys(query);
    return query;
  });
}

/** Operators and accesses in a row nest without the parser's noticing; this walks with a stack of its own. */
function checkDepth(query: Jq): void {
  const open: { readonly query: Jq; readonly depth: number }[] = [{ query, depth: 1 }];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const depth = next.depth + 1;
    for (const child of childrenOf(next.query)) {
      if (depth > deepestTree) signalDepth(child.start, child.end);
      open.push({ query: child, depth });
    }
  }
}

/** Some queries open two levels of the tree at once, such as a pipe in an array. */
const deepestTree = 2 * deepestQuery;

/**
 * What jq's compiler knows of a query whose value it works out itself: of a number the value, of everything else the type; of a query that it takes
 * for no code at all, that it is the identity.
 */
type Folded = number | "null" | "boolean" | "string" | "array" | "object" | "identity";

/**
 * Refuses keys in parentheses that are constant and not strings, as jq's compiler does: `{(1): 2}`. What counts as constant is what that compiler
 * folds: arithmetic and comparison of constants, arrays and objects of them; but no negation, no `//` and no conditional. Visits each query once.
 */
function checkKeys(query: Jq): void {
  fold(query);
}

function fold(query: Jq): Folded | undefined {
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
      return query.items === undefined || isList(query.items) ? "array" : undefined;
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

/** Whether a query is constants with commas between them, grouped to the left. */
function isList(query: Jq): boolean {
  if (query.kind !== "comma") return isConstant(fold(query));
  return query.items.map((item, index) => (index === 0 ? isList(item) : isConstant(fold(item)))).every(Boolean);
}

function foldObject({ entries }: ObjectConstruction): Folded | undefined {
  const constants = entries.map(({ key, value }) => {
    const folded = fold(key);
    checkKey(key, folded);
    const member = value && fold(value);
    return folded === "string" && isConstant(member);
  });
  return constants.every(Boolean) ? "object" : undefined;
}

const isConstant = (folded: Folded | undefined): boolean => folded !== undefined && folded !== "identity";

function foldPipe(left: Folded | undefined, right: Folded | undefined): Folded | undefined {
  if (left === "identity") return right;
  return right === "identity" ? left : undefined;
}

/** Nothing where the operator fails: jq leaves the failing to the run. */
function foldBinary(operator: BinaryOperator, left: Folded | undefined, right: Folded | undefined): Folded | undefined {
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

function foldSum(left: Folded, right: Folded): Folded | undefined {
  if (left === "null") return right;
  if (right === "null") return left;
  if (typeof left === "number" && typeof right === "number") return left + right;
  return left === right && left !== "boolean" ? left : undefined;
}

function foldProduct(left: Folded, right: Folded): Folded | undefined {
  if (typeof left === "number" && typeof right === "number") return left * right;
  if (left === "object" && right === "object") return "object";
  const times = left === "string" ? right : right === "string" ? left : undefined;
  if (typeof times !== "number" || times > longestString) return undefined;
  return times >= 0 ? "string" : "null";
}

/** To make a longer string fails in jq, and what fails is not folded. */
const longestString = 2 ** 31;

/** jq divides the whole parts, as far as 64 bits hold them. */
function foldRemainder(left: number, right: number): number | undefined {
  if (Number.isNaN(left) || Number.isNaN(right)) return Number.NaN;
  const divisor = wholePart(right);
  return divisor === 0n ? undefined : Number(wholePart(left) % divisor);
}

function wholePart(value: number): bigint {
  const limit = 2 ** 63;
  if (value >= limit) return 2n ** 63n - 1n;
  return BigInt(Math.trunc(Math.max(value, -limit)));
}

function checkKey({ start, end }: Jq, folded: Folded | undefined): void {
  if (folded === undefined || folded === "identity" || folded === "string") return;
  const what = typeof folded === "number" ? "a number" : phrases[folded];
  const hint = typeof folded === "number" ? "Write the key in quotes." : undefined;
  throw new FaultSignal({
    fault: "syntax",
    from: start,
    to: end,
    message: `This key is ${what}; keys are strings.`,
    hint,
  });
}

const phrases = { null: "null", boolean: "a boolean", array: "an array", object: "an object" } as const;
