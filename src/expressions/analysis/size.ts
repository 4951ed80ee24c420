import type { Json } from "../../json.ts";
import { byteLength } from "../../text/source.ts";
import { constantOf } from "../builtins/builtin.ts";
import type { Binary, Expression, ObjectConstruction } from "../core/ast.ts";
import { isAlternative, isBinary } from "../core/views.ts";
import { effectsOf } from "./effects.ts";

/** A lower bound of each output's JSON size in bytes. */
export function minJsonBytes(expression: Expression): number {
  switch (expression.kind) {
    case "literal":
      return jsonBytes(expression.value);
    case "object":
      return minObjectBytes(expression);
    case "array":
      return 2 + minItemBytes(expression.items);
    case "if":
      return Math.min(minJsonBytes(expression.then), minJsonBytes(expression.otherwise));
    case "comma":
      return Math.min(...expression.items.map(minJsonBytes));
    case "try":
      return Math.min(minJsonBytes(expression.body), expression.handler ? minJsonBytes(expression.handler) : Infinity);
    case "pipe":
      return minJsonBytes(expression.right);
    case "let":
    case "label":
      return minJsonBytes(expression.body);
    case "define":
      return minJsonBytes(expression.rest);
    case "call":
      if (isBinary(expression)) return minBinaryBytes(expression);
      if (isAlternative(expression)) return Math.min(...expression.args.map(minJsonBytes));
      return keepingLastArgument.has(expression.name) ? minJsonBytes(expression.args.at(-1)!) : 1;
    default:
      return 1;
  }
}

const keepingLastArgument: ReadonlySet<string> = new Set(["merge", "mergeOutput", "place"]);

const jsonBytes = (value: Json): number => byteLength(JSON.stringify(value));

/** Only known keys count, each once. */
function minObjectBytes({ entries }: ObjectConstruction): number {
  const members = new Map<string, number>();
  for (const { key, value } of entries) {
    const name = constantOf(key);
    if (typeof name !== "string") return 2;
    members.set(name, jsonBytes(name) + 1 + minJsonBytes(value));
  }
  return [...members.values()].reduce((sum, size) => sum + size, 2 + Math.max(0, members.size - 1));
}

function minItemBytes(items: Expression | undefined): number {
  if (!items) return 0;
  if (items.kind === "comma") {
    const sizes = items.items.map(minItemBytes).filter((size) => size > 0);
    return sizes.reduce((sum, size) => sum + size, Math.max(0, sizes.length - 1));
  }
  return effectsOf(items).outputs === "one" ? minJsonBytes(items) : 0;
}

function minBinaryBytes({ name: operator, args: [left, right] }: Binary): number {
  const types = [effectsOf(left).type, effectsOf(right).type];
  const both = (type: string): boolean => types.every((one) => one === type);
  if (operator === "+" && (both("string") || both("array"))) return minJsonBytes(left) + minJsonBytes(right) - 2;
  if (operator === "+" && both("object")) return Math.max(minJsonBytes(right), 2);
  const times = operator === "*" && types[0] === "string" ? constantOf(right) : undefined;
  return typeof times === "number" && times >= 1 ? 2 + Math.floor(times) * (minJsonBytes(left) - 2) : 1;
}
