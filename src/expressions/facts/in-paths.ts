import type { ValueFunction } from "../builtins/builtin.ts";
import { builtinOf } from "../builtins/builtins.ts";
import type { Call, Expression } from "../core/ast.ts";

/**
 * Why it cannot be said what jq makes of an expression where it tells paths: undefined where that is known, as it is for most. It depends on how jq defines
 * its functions, which may take their own results for places. `isHere`: whether the current value is the one at the current path.
 */
export function unknownInPath(expression: Expression, isHere: boolean): string | undefined {
  switch (expression.kind) {
    case "update":
      return "An assignment inside of a path is not supported.";
    case "query":
      return "A JSONPath inside of a path of jq is not supported.";
    case "binary":
      return expression.operator === "+" ? "An addition inside of a path is not supported." : undefined;
    case "let":
      return takesApart(expression.value) ? "Taking a value apart inside of a path is not supported." : undefined;
    case "call":
      return isNative(expression) || (expression.name === "reverse" && isHere)
        ? undefined
        : `The function \`${expression.name}\` inside of a path is not supported.`;
    default:
      return undefined;
  }
}

/** Whether a function gives its input itself where there is nothing to do, as `@text` does: that still stands where the input does. */
export const givesInput = (expression: Call): boolean =>
  inPaths(expression)?.copies === true || isTextFormat(expression);

const isTextFormat = ({ name, args: [, format] }: Call): boolean =>
  name === "format" && format?.kind === "literal" && format.value === "text";

/** The core has accesses to variables, or to what these are known to be, where jq takes values apart. */
const takesApart = (value: Expression): boolean =>
  value.kind === "access" && (value.source.kind === "variable" || value.source.kind === "literal");

/** What such a function has as an argument may be how the core says another one of jq. */
const isNative = (expression: Call): boolean =>
  (inPaths(expression)?.isNative === true || expression.name === "range") &&
  expression.args.every((argument) => argument.kind !== "call" || isNative(argument));

function inPaths({ name, args }: Call): ValueFunction["inPaths"] {
  const builtin = builtinOf(name, args.length);
  return builtin?.kind === "value" ? builtin.inPaths : undefined;
}
