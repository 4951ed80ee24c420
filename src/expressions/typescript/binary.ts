import type { Binary, Expression } from "../ast.ts";
import { canFail } from "../facts.ts";
import { operatorName } from "../javascript/code.ts";
import type { Environment } from "./environment.ts";
import { writeOne } from "./write.ts";
import { atom, inside, type Level, level, type Written } from "./written.ts";

/** Arithmetic and comparison: with JavaScript's operators where types make them the same, else with the functions of the runtime. */
export function writeBinary({ operator, left, right }: Binary, environment: Environment): Written | undefined {
  if (canFail(left) && canFail(right)) return undefined;
  const isArray = operator === "==" && right.kind === "literal" && right.value === "array" ? typeArgument(left) : undefined;
  if (isArray) {
    const value = writeOne(isArray, environment);
    return value && atom(`Array.isArray(${value.text})`, { type: "boolean" });
  }
  const [a, b] = [writeOne(left, environment), writeOne(right, environment)];
  if (!a || !b) return undefined;
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

interface Native {
  readonly text: string;
  readonly level: Level;
  readonly type: Written["type"];
}

/** An operator of JavaScript that gives the same for these operands. */
function nativeOperator(operator: Binary["operator"], a: Written, b: Written, left: Expression, right: Expression): Native | undefined {
  const isScalar = [left, right].some((side) => side.kind === "literal" && (side.value === null || typeof side.value !== "object"));
  if (operator === "==" && isScalar) return { text: "===", level: level.equality, type: "boolean" };
  if (operator === "!=" && isScalar) return { text: "!==", level: level.equality, type: "boolean" };
  const common = a.type === b.type ? a.type : undefined;
  if (common === "number" && /^[<>]=?$/.test(operator)) return { text: operator, level: level.order, type: "boolean" };
  if (operator === "+" && (common === "number" || common === "string")) return { text: "+", level: level.sum, type: common };
  if (operator === "-" && common === "number") return { text: "-", level: level.sum, type: "number" };
  if (operator === "*" && common === "number") return { text: "*", level: level.product, type: "number" };
  return undefined;
}
