import { type Call, canFail, type Expression } from "../../../src/expressions/index.ts";
import { type Environment, unguarded } from "./environment.ts";
import { compared } from "./use.ts";
import { write } from "./write.ts";
import { atom, inside, level, type Written } from "./written.ts";

/** A comparison of what paths select: with a text, number, boolean or null it is JavaScript's own, as nothing is never equal to these. */
export function writeRelation(expression: Call, environment: Environment): Written | undefined {
  const [left, operator, right] = expression.args as readonly [Expression, Expression, Expression];
  if (operator.kind !== "literal" || (canFail(left) && canFail(right))) return undefined;
  const [a, b] = [write(left, unguarded(environment)), write(right, unguarded(environment))];
  if (!a || !b) return undefined;
  const isEquality = operator.value === "==" || operator.value === "!=";
  if (isEquality && isScalar(right)) return equality(expression.name, a, b, operator.value, right);
  if (isEquality && isScalar(left)) return equality(expression.name, b, a, operator.value, left);
  const [c, d] = [a, b].map((side) =>
    side.isOptional ? `${environment.helper("present")}(${side.text})` : `[${side.text}]`,
  );
  return atom(`${environment.helper(expression.name)}(${c}, ${JSON.stringify(operator.value)}, ${d})`, {
    type: "boolean",
  });
}

const isScalar = (expression: Expression): boolean =>
  expression.kind === "literal" && (expression.value === null || typeof expression.value !== "object");

/** In a condition nothing is unequal only to null; in a filter it is unequal to every value. */
function equality(
  name: string,
  value: Written,
  literal: Written,
  operator: string,
  { kind, ...scalar }: Expression,
): Written {
  const own = level.equality;
  compared(value);
  const text = inside(value, own);
  if (operator === "==") return { text: `${text} === ${inside(literal, own)}`, level: own, type: "boolean" };
  const isNull = kind === "literal" && "value" in scalar && scalar.value === null;
  const unequal = `${text} !== ${inside(literal, own)}`;
  if (name !== "compareInCondition" || !value.isOptional || isNull)
    return { text: unequal, level: own, type: "boolean" };
  return { text: `${text} !== undefined && ${unequal}`, level: level.and, type: "boolean" };
}
