import { type Code, code, infix, level, operand } from "./code.ts";

/** Whether a value equals another: false where one is missing. */
export const equal = (left: Code, right: Code): Code => compared(left, "=", right);

/** `=` or `!=`: both false where a value is missing. */
export function compared(left: Code, operator: "=" | "!=" | "in", right: Code): Code {
  if (!left.path) return infix(operator, level.comparison, left, right);
  return code(`${left.path.guard} and ${left.path.text} ${operator} ${operand(right, level.sum)}`, level.and);
}
