import { builtinOf, type Call, type Expression } from "../../../src/expressions/index.ts";

/**
 * `L | E` as E with L in the place of its `.`: undefined unless there is one such place, and E computes it before all else that is not constant. So `.a | length`
 * becomes what it would be if jq's functions had the input in parentheses.
 */
export function withHead(expression: Expression, head: Expression): Expression | undefined {
  const isConstant = (part: Expression | undefined) => part === undefined || part.kind === "literal";
  const within = <Part extends Expression>(part: Expression, make: (part: Expression) => Part): Part | undefined => {
    const made = withHead(part, head);
    return made && make(made);
  };
  switch (expression.kind) {
    case "identity":
      return head;
    case "access":
      return isConstant(expression.key)
        ? within(expression.source, (source) => ({ ...expression, source }))
        : undefined;
    case "slice":
      return isConstant(expression.from) && isConstant(expression.upTo)
        ? within(expression.source, (source) => ({ ...expression, source }))
        : undefined;
    case "iterate":
      return within(expression.source, (source) => ({ ...expression, source }));
    case "binary":
      return isConstant(expression.right) ? within(expression.left, (left) => ({ ...expression, left })) : undefined;
    case "call":
      return withHeadOfCall(expression, head);
    default:
      return undefined;
  }
}

/** Functions of values only: others have expressions as arguments, which they compute as often as they want. */
function withHeadOfCall(call: Call, head: Expression): Expression | undefined {
  const [first, ...others] = call.args;
  const isPlain = first !== undefined && others.every((other) => other.kind === "literal");
  if (!isPlain || builtinOf(call.name, call.args.length)?.kind !== "value") return undefined;
  const made = withHead(first, head);
  return made && { ...call, args: [made, ...others] };
}
