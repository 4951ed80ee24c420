import { type Code, code, guarded, infix, isPath, level } from "./code.ts";

/** Whether a value equals another: false where one is missing. */
export const equal = (left: Code, right: Code): Code => compared(left, "=", right);

/** `=` or `!=`: both false where a value is missing. */
export function compared(left: Code, operator: "=" | "!=" | "in", right: Code): Code {
  if (!isPath(left)) return infix(operator, level.comparison, left, right);
  return guarded(left, infix(operator, level.comparison, code(left.path.text), right));
}
