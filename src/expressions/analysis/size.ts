import type { Json } from "../../json.ts";
import { byteLength, type Span } from "../../text/source.ts";
import { constantOf } from "../builtins/builtin.ts";
import type { Binary, Expression, ObjectConstruction } from "../core/ast.ts";
import { isBinary } from "../core/views.ts";
import { childrenOf } from "../core/walk.ts";
import { effectsOf } from "./effects.ts";

/** Lower bounds of the JSON sizes of variables, in bytes; undefined for those that are unknown. */
export type VariableSizes = (name: string) => number | undefined;

/** A lower bound of each output's JSON size in bytes. */
export function minJsonBytes(expression: Expression, sizeOf: VariableSizes = () => undefined): number {
  const results = childrenOf(expression).filter(({ isResult }) => isResult);
  /** Other expressions may bind a variable of the same name. */
  const sizeWithin = expression.kind === "if" ? sizeOf : undefined;
  if (results.length > 0) return Math.min(...results.map((child) => minJsonBytes(child.expression, sizeWithin)));
  switch (expression.kind) {
    case "literal":
      return jsonBytes(expression.value);
    case "variable":
      return sizeOf(expression.name) ?? 1;
    case "object":
      return minObjectBytes(expression, sizeOf);
    case "array":
      return 2 + minItemBytes(expression.items, sizeOf);
    case "comma":
      return Number.POSITIVE_INFINITY;
    case "call":
      if (isBinary(expression)) return minBinaryBytes(expression, sizeOf);
      return keepingLastArgument.has(expression.name) ? minJsonBytes(expression.args.at(-1)!, sizeOf) : 1;
    default:
      return 1;
  }
}

/** The span of the innermost part whose outputs exceed a size; undefined if it has none. */
export function spanOfLargePart(expression: Expression, bytes: number): Span | undefined {
  const large = childrenOf(expression).find((child) => minJsonBytes(child.expression) > bytes);
  return (large && spanOfLargePart(large.expression, bytes)) ?? expression.span;
}

const keepingLastArgument: ReadonlySet<string> = new Set(["merge", "assign", "mergeOutput", "place"]);

const jsonBytes = (value: Json): number => byteLength(JSON.stringify(value));

/** Only known keys count, each once. */
function minObjectBytes({ entries }: ObjectConstruction, sizeOf: VariableSizes): number {
  const members = new Map<string, number>();
  for (const { key, value } of entries) {
    const name = constantOf(key);
    if (typeof name !== "string") return 2;
    members.set(name, jsonBytes(name) + 1 + minJsonBytes(value, sizeOf));
  }
  return [...members.values()].reduce((sum, size) => sum + size, 2 + Math.max(0, members.size - 1));
}

function minItemBytes(items: Expression | undefined, sizeOf: VariableSizes): number {
  if (!items) return 0;
  if (items.kind === "comma") {
    const sizes = items.items.map((item) => minItemBytes(item, sizeOf)).filter((size) => size > 0);
    return sizes.reduce((sum, size) => sum + size, Math.max(0, sizes.length - 1));
  }
  return effectsOf(items).outputs === "one" ? minJsonBytes(items, sizeOf) : 0;
}

function minBinaryBytes({ name: operator, args: [left, right] }: Binary, sizeOf: VariableSizes): number {
  const types = [effectsOf(left).type, effectsOf(right).type];
  const both = (type: string): boolean => types.every((one) => one === type);
  if (operator === "+" && (both("string") || both("array")))
    return Math.max(2, minJsonBytes(left, sizeOf)) + Math.max(2, minJsonBytes(right, sizeOf)) - 2;
  if (operator === "+" && both("object")) return Math.max(minJsonBytes(right, sizeOf), 2);
  const times = operator === "*" && types[0] === "string" ? constantOf(right) : undefined;
  return typeof times === "number" && times >= 1 ? 2 + Math.floor(times) * (minJsonBytes(left, sizeOf) - 2) : 1;
}
