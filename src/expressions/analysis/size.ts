import type { Json } from "../../json.ts";
import { constantOf } from "../builtins/builtin.ts";
import type { Binary, Expression, ObjectConstruction } from "../core/ast.ts";
import { factsOf } from "./effects.ts";

/**
 * A lower bound of the size in bytes of each output's JSON (UTF-8, without whitespace). If it exceeds a limit, every
 * run does.
 */
export function leastSize(expression: Expression): number {
  switch (expression.kind) {
    case "literal":
      return sizeOf(expression.value);
    case "object":
      return leastObject(expression);
    case "array":
      return 2 + leastItems(expression.items);
    case "interpolation":
      return expression.parts.reduce<number>((sum, part) => {
        const size = typeof part === "string" ? sizeOf(part) : leastSize(part);
        return sum + Math.max(0, size - 2);
      }, 2);
    case "binary":
      return leastOfBinary(expression);
    case "if":
      return Math.min(leastSize(expression.then), leastSize(expression.otherwise));
    case "alternative":
      return Math.min(leastSize(expression.left), leastSize(expression.right));
    case "comma":
      return Math.min(...expression.items.map(leastSize));
    case "try":
      return Math.min(leastSize(expression.body), expression.handler ? leastSize(expression.handler) : Infinity);
    case "pipe":
      return leastSize(expression.right);
    case "let":
    case "label":
      return leastSize(expression.body);
    case "define":
      return leastSize(expression.rest);
    case "call":
      return kept.has(expression.name) ? leastSize(expression.args.at(-1)!) : 1;
    default:
      return 1;
  }
}

/** Builtins whose result contains everything that their last argument contains. */
const kept: ReadonlySet<string> = new Set(["merge", "mergeOutput", "place"]);

const sizeOf = (value: Json): number => Buffer.byteLength(JSON.stringify(value));

/** The last of equal keys wins, so only known keys count, each once. */
function leastObject({ entries }: ObjectConstruction): number {
  const members = new Map<string, number>();
  for (const { key, value } of entries) {
    const name = constantOf(key);
    if (typeof name !== "string") return 2;
    members.set(name, sizeOf(name) + 1 + leastSize(value));
  }
  return [...members.values()].reduce((sum, size) => sum + size, 2 + Math.max(0, members.size - 1));
}

/** The items of an array with the commas between them. */
function leastItems(items: Expression | undefined): number {
  if (!items) return 0;
  if (items.kind === "comma") {
    const sizes = items.items.map(leastItems).filter((size) => size > 0);
    return sizes.reduce((sum, size) => sum + size, Math.max(0, sizes.length - 1));
  }
  return factsOf(items).outputs === "one" ? leastSize(items) : 0;
}

function leastOfBinary({ operator, left, right }: Binary): number {
  const types = [factsOf(left).type, factsOf(right).type];
  const both = (type: string): boolean => types.every((one) => one === type);
  if (operator === "+" && (both("string") || both("array"))) return leastSize(left) + leastSize(right) - 2;
  if (operator === "+" && both("object")) return Math.max(leastSize(right), 2);
  const times = operator === "*" && types[0] === "string" ? constantOf(right) : undefined;
  return typeof times === "number" && times >= 1 ? 2 + Math.floor(times) * (leastSize(left) - 2) : 1;
}
