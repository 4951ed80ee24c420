import type { InPaths } from "../builtins/builtin.ts";
import { builtinOf } from "../builtins/builtins.ts";
import type { Call, Expression } from "../core/ast.ts";
import type { Copied } from "../library/places.ts";

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
      return takesApart(expression.value) ? apartInPath : undefined;
    case "call":
      return isKnown(expression, isHere)
        ? undefined
        : `The function \`${expression.name}\` inside of a path is not supported.`;
    default:
      return undefined;
  }
}

/** Why it is not known what jq makes of a pattern where it tells paths. */
export const apartInPath = "Taking a value apart inside of a path is not supported.";

/** Whether an expression gives the variables of a pattern: it takes a value apart as soon as that is there. */
export const isTakenApart = (expression: Expression): boolean =>
  expression.kind === "let" && (takesApart(expression.value) || isTakenApart(expression.body));

/** What a function is where jq tells paths, if that is known. */
export const inPaths = ({ name, args }: Call): InPaths | undefined => builtinOf(name, args.length)?.inPaths;

/** Whether a function gives its input itself where there is nothing to do, as `@text` does: that still stands where the input does. */
export function givesInput(expression: Call): boolean {
  const known = inPaths(expression);
  return known?.kind === "copy" || (known?.kind === "value" && known.copies) || isTextFormat(expression);
}

/** Whether a text or number that an expression gives is a copy of another one: what is computed is new, and of variables it is not known. */
export const madeBy = (expression: Expression): Copied => (expression.kind === "variable" ? undefined : false);

const isTextFormat = ({ name, args: [, format] }: Call): boolean =>
  name === "format" && format?.kind === "literal" && format.value === "text";

/** The core has accesses to variables, or to what these are known to be, where jq takes values apart. */
const takesApart = (value: Expression): boolean =>
  value.kind === "access" && (value.source.kind === "variable" || value.source.kind === "literal");

/** What such a function has as an argument may be how the core says another one of jq. */
function isKnown(expression: Call, isHere: boolean): boolean {
  const known = inPaths(expression);
  return (
    known?.kind === "value" &&
    (known.known === "everywhere" || isHere) &&
    expression.args.every((argument) => argument.kind !== "call" || isKnown(argument, isHere))
  );
}
