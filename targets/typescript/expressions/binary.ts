import { type Binary, type Expression, operatorName } from "../../../src/expressions/index.ts";
import type { Json } from "../../../src/json.ts";
import type { Environment } from "./environment.ts";
import { writeInOtherOrder } from "./hoist.ts";
import { compared } from "./use.ts";
import { writeOne } from "./write.ts";
import { atom, inside, type Level, level, type Written } from "./written.ts";

/** Arithmetic and comparison: with JavaScript's operators where types make them the same, else with the functions of the runtime. */
export function writeBinary({ operator, left, right }: Binary, environment: Environment): Written | undefined {
  const asked = operator === "==" && right.kind === "literal" ? typeArgument(left) : undefined;
  if (asked && right.kind === "literal" && typeTests.has(right.value))
    return writeTypeTest(asked, right.value, environment);
  const operands = writeInOtherOrder([right, left], environment);
  if (!operands) return undefined;
  const [b, a] = operands as readonly [Written, Written];
  const native = nativeOperator(operator, a, b, left, right);
  if (native)
    return {
      text: `${inside(a, native.level)} ${native.text} ${inside(b, (native.level + 1) as Level)}`,
      level: native.level,
      type: native.type,
    };
  const type = ["==", "!=", "<", "<=", ">", ">="].includes(operator) ? "boolean" : undefined;
  return atom(`${environment.helper(operatorName(operator))}(${a.text}, ${b.text})`, { type });
}

const typeArgument = (expression: Expression): Expression | undefined =>
  expression.kind === "call" && expression.name === "type" ? expression.args[0] : undefined;

const typeTests: ReadonlySet<unknown> = new Set(["null", "boolean", "number", "string", "array"]);

/** Whether a value has a type that JavaScript knows. */
function writeTypeTest(expression: Expression, type: Json, environment: Environment): Written | undefined {
  const value = writeOne(expression, environment);
  if (!value || type === "array") return value && atom(`Array.isArray(${value.text})`, { type: "boolean" });
  const test =
    type === "null" ? `${inside(value, level.order)} === null` : `typeof ${inside(value, level.unary)} === "${type}"`;
  return { text: test, level: level.equality, type: "boolean" };
}

interface Native {
  readonly text: string;
  readonly level: Level;
  readonly type: Written["type"];
}

/** An operator of JavaScript that gives the same for these operands. */
function nativeOperator(
  operator: Binary["operator"],
  a: Written,
  b: Written,
  left: Expression,
  right: Expression,
): Native | undefined {
  const isScalar = [left, right].some(
    (side) => side.kind === "literal" && (side.value === null || typeof side.value !== "object"),
  );
  if (isScalar) for (const side of [a, b]) compared(side);
  if (operator === "==" && isScalar) return { text: "===", level: level.equality, type: "boolean" };
  if (operator === "!=" && isScalar) return { text: "!==", level: level.equality, type: "boolean" };
  const common = a.type === b.type ? a.type : undefined;
  if (common === "number" && comparesAlike(operator, left, right))
    return { text: operator, level: level.order, type: "boolean" };
  if (operator === "+" && (common === "number" || common === "string"))
    return { text: "+", level: level.sum, type: common };
  if (operator === "-" && common === "number") return { text: "-", level: level.sum, type: "number" };
  if (operator === "*" && common === "number") return { text: "*", level: level.product, type: "number" };
  return undefined;
}

/** Whether JavaScript compares two numbers as jq does, for which what is no number is less than all others. */
const comparesAlike = (operator: Binary["operator"], left: Expression, right: Expression): boolean =>
  (/^>/.test(operator) && isFiniteNumber(right)) || (/^</.test(operator) && isFiniteNumber(left));

const isFiniteNumber = (expression: Expression): boolean =>
  expression.kind === "literal" && Number.isFinite(expression.value);
