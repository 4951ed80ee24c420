import { type Binary, type Expression, factsOf, type TypeName } from "../../../src/expressions/index.ts";
import { assertNever } from "../../../src/json.ts";
import { apply, type Code, code, infix, level, whole } from "./code.ts";
import { constantOf, isPlainText } from "./order.ts";
import { help, type Printer } from "./printer.ts";

/** Arithmetic or comparison of two values: JSONata's own operator where that is exact. */
export function binaryText(expression: Binary, a: Code, b: Code, printer: Printer): Code {
  switch (expression.operator) {
    case "==":
      return infix("=", level.comparison, a, b);
    case "!=":
      return infix("!=", level.comparison, a, b);
    case "+":
      return sum(expression, a, b, printer);
    case "-":
      return numbers(expression, level.sum, a, b, printer) ?? help(printer, "subtract", a, b);
    case "*":
      return numbers(expression, level.product, a, b, printer) ?? help(printer, "multiply", a, b);
    case "/":
      return quotient(expression, a, b, printer);
    case "%":
      return help(printer, "remainder", a, b);
    case "<":
    case "<=":
    case ">":
    case ">=":
      return ordered(expression, a, b, printer);
    default:
      return assertNever(expression.operator);
  }
}

/** Whether an expression surely gives a whole number far from the largest, so that sums of such are exact. */
export function isCount(expression: Expression, printer: Printer): boolean {
  switch (expression.kind) {
    case "literal":
      return typeof expression.value === "number" && Math.abs(expression.value) < 1e12;
    case "variable":
      return !printer.bound.has(expression.name) && printer.isCount(expression.name);
    case "binary":
      return (
        /^[-+*]$/.test(expression.operator) && isCount(expression.left, printer) && isCount(expression.right, printer)
      );
    case "if":
      return isCount(expression.then, printer) && isCount(expression.otherwise, printer);
    default:
      return false;
  }
}

const typeIn = (expression: Expression, printer: Printer): TypeName | undefined =>
  isCount(expression, printer) ? "number" : factsOf(expression).type;

/** The type of both operands, if it is known to be the same. */
function commonType({ left, right }: Binary, printer: Printer): TypeName | undefined {
  const type = typeIn(left, printer);
  return type === typeIn(right, printer) ? type : undefined;
}

/** JSONata's own operator between two numbers. */
function numbers(expression: Binary, own: 4 | 5, a: Code, b: Code, printer: Printer): Code | undefined {
  if (commonType(expression, printer) !== "number") return undefined;
  const text = infix(expression.operator, own, a, b);
  return isCount(expression, printer) ? text : help(printer, "finite", text);
}

function sum(expression: Binary, a: Code, b: Code, printer: Printer): Code {
  switch (commonType(expression, printer)) {
    case "number":
      return numbers(expression, level.sum, a, b, printer)!;
    case "string":
      return infix("&", level.sum, a, b);
    case "array":
      return apply("append", a, b);
    case "object":
      return code(`$merge([${whole(a)}, ${whole(b)}])`);
    default:
      return help(printer, "add", a, b);
  }
}

function quotient(expression: Binary, a: Code, b: Code, printer: Printer): Code {
  const { right } = expression;
  const divides = right.kind === "literal" && right.value !== 0;
  return (divides ? numbers(expression, level.product, a, b, printer) : undefined) ?? help(printer, "divide", a, b);
}

function ordered(expression: Binary, a: Code, b: Code, printer: Printer): Code {
  const type = commonType(expression, printer);
  const { operator, left, right } = expression;
  if (type === "number" || (type === "string" && [left, right].some((side) => isPlainText(constantOf(side)))))
    return infix(operator, level.comparison, a, b);
  return infix(operator, level.comparison, help(printer, "compare", a, b), code("0"));
}
