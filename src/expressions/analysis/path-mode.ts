import type { PathBehavior } from "../builtins/builtin.ts";
import { builtinOf } from "../builtins/builtins.ts";
import type { Call, Expression } from "../core/ast.ts";
import { formOf, isBinary, isUpdate } from "../core/views.ts";
import type { CopyState } from "../library/path-checks.ts";

/**
 * Why the behavior of an expression in path mode is unknown, if it is: some builtins
 * of jq take their own results for paths. `isHere`: whether the current value is the one at the current path.
 */
export function unsupportedInPath(expression: Expression, isHere: boolean): string | undefined {
  switch (expression.kind) {
    case "query":
      return "A JSONPath inside of a path of jq is not supported.";
    case "let":
      // jq tracks the path of the right operand of `+=` too.
      if (isUpdate(expression.body)) return assignmentInPath;
      return isPatternAccess(expression.value) ? destructuringInPath : undefined;
    case "call":
      if (isUpdate(expression)) return assignmentInPath;
      if (isBinary(expression))
        return expression.name === "+" ? "An addition inside of a path is not supported." : undefined;
      if (formOf(expression) || expression.isLocal) return undefined;
      return isSupported(expression, isHere)
        ? undefined
        : `The function \`${expression.name}\` inside of a path is not supported.`;
    default:
      return undefined;
  }
}

const assignmentInPath = "An assignment inside of a path is not supported.";

/** The reason for rejecting destructuring in path mode. */
export const destructuringInPath = "Taking a value apart inside of a path is not supported.";

/** Whether an expression destructures a value. */
export const isDestructuring = (expression: Expression): boolean =>
  expression.kind === "let" && (isPatternAccess(expression.value) || isDestructuring(expression.body));

/** How a builtin behaves in path mode, if known. */
export const pathBehaviorOf = ({ name, args }: Call): PathBehavior | undefined =>
  builtinOf(name, args.length)?.pathBehavior;

/** Whether a builtin may return its input, as `@text` does: it then keeps its path. */
export function mayReturnInput(expression: Call): boolean {
  const known = pathBehaviorOf(expression);
  return known?.kind === "copy" || (known?.kind === "value" && known.copies) || isTextFormat(expression);
}

/** Whether a computed string or number is a copy. */
export const copyStateOf = (expression: Expression): CopyState => (expression.kind === "variable" ? undefined : false);

const isTextFormat = ({ name, args: [, format] }: Call): boolean =>
  name === "format" && format?.kind === "literal" && format.value === "text";

/** jq's destructuring is lowered to accesses to variables or to constants inlined for them. */
const isPatternAccess = (value: Expression): boolean =>
  value.kind === "access" && (value.source.kind === "variable" || value.source.kind === "literal");

function isSupported(expression: Call, isHere: boolean): boolean {
  const known = pathBehaviorOf(expression);
  return (
    known?.kind === "value" &&
    (known.known === "everywhere" || isHere) &&
    expression.args.every(
      (argument) => argument.kind !== "call" || isOperation(argument) || isSupported(argument, isHere),
    )
  );
}

const isOperation = (call: Call): boolean => isBinary(call) || formOf(call) !== undefined || call.isLocal === true;
