import { builtinOf } from "../builtins/builtins.ts";
import type { Binary, Call, Expression } from "../core/ast.ts";
import { childrenOf } from "../core/walk.ts";
import { factsOf } from "./facts.ts";

/** Whether an expression may fail: one of its parts may, or what it does with their values. */
export function failsOf(expression: Expression): boolean {
  if (expression.kind === "try")
    return expression.handler !== undefined && factsOf(expression.body).canFail && factsOf(expression.handler).canFail;
  if (childrenOf(expression).some((child) => factsOf(child.expression).canFail)) return true;
  switch (expression.kind) {
    case "object":
      return expression.entries.some((entry) => factsOf(entry.key).type !== "string");
    case "binary":
      return binaryFails(expression);
    case "call":
      return callFails(expression);
    case "access":
    case "slice":
    case "iterate":
      return !expression.optional;
    case "path":
    case "update":
    case "apply":
    case "break":
      return true;
    default:
      return false;
  }
}

function binaryFails(expression: Binary): boolean {
  const [left, right] = [factsOf(expression.left).type, factsOf(expression.right).type];
  const same = left === right ? left : undefined;
  switch (expression.operator) {
    case "+":
      return left !== "null" && right !== "null" && !["number", "string", "array", "object"].includes(same ?? "");
    case "-":
      return same !== "number" && same !== "array";
    case "*":
      return same !== "number" && same !== "object";
    case "/":
      return same !== "string";
    case "%":
      return true;
    default:
      return false;
  }
}

function callFails(expression: Call): boolean {
  const [first, second, third] = expression.args;
  const target = first && factsOf(first).type;
  const value = second && factsOf(second).type;
  switch (expression.name) {
    case "merge":
      return target !== "object" && (value === undefined || value === "object");
    case "mergeResult":
      return target !== "object" && value !== "null";
    case "place":
      return (
        target !== "object" && !(second?.kind === "literal" && Array.isArray(second.value) && second.value.length === 0)
      );
    case "switchCondition":
      return second?.kind !== "literal" || (isPattern(second.value) && !isRegularExpression(third));
    default: {
      const builtin = builtinOf(expression.name, expression.args.length);
      return builtin?.kind === "value" ? builtin.fails : ["limit", "skip", "range"].includes(expression.name);
    }
  }
}

const isPattern = (operator: unknown): boolean => operator === "matches" || operator === "notmatches";

function isRegularExpression(operand: Expression | undefined): boolean {
  if (operand?.kind !== "literal" || typeof operand.value !== "string") return false;
  try {
    return new RegExp(operand.value) !== undefined;
  } catch {
    return false;
  }
}
