import { alternatives } from "./members.ts";
import { boolean, literal, never, type Shape } from "./shape.ts";
import { union } from "./union.ts";

/** Whether jq takes values of a shape for true: all of them, none, or some perhaps. */
export type Truth = "always" | "maybe" | "never";

/** Null and false are false, everything else is true. */
export function truthOf(shape: Shape): Truth {
  const parts = alternatives(shape);
  if (parts.every((part) => part.kind === "null" || (part.kind === "literal" && part.value === false))) return "never";
  const isTrue = parts.every(
    (part) => part.kind !== "null" && part.kind !== "boolean" && !(part.kind === "literal" && part.value === false),
  );
  return isTrue ? "always" : "maybe";
}

/** Whether something holds, as a shape. */
export const truthShape = (truth: Truth): Shape => (truth === "maybe" ? boolean : literal(truth === "always"));

/** The values of a shape that are true. */
export function trueOf(shape: Shape): Shape {
  if (truthOf(shape) === "always") return shape;
  return union(
    ...alternatives(shape).map((part) => {
      if (part.kind === "null" || (part.kind === "literal" && part.value === false)) return never;
      return part.kind === "boolean" ? literal(true) : part;
    }),
  );
}
