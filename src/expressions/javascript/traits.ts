import type { Expression } from "../core/ast.ts";
import { childrenOf } from "../core/walk.ts";
import { givesBreaks } from "./breaks.ts";
import type { Writer } from "./writer.ts";

/** What the whole of an expression decides about its program. */
export function traitsOf(expression: Expression): Pick<Writer, "tracking" | "argumentsBreak" | "seesMessages"> {
  const found = new Set<Trait>();
  collect(expression, found);
  return {
    tracking: found.has("functions") && found.has("paths"),
    argumentsBreak: found.has("functions") && found.has("breaks") && givesBreaks(expression),
    seesMessages: found.has("handlers"),
  };
}

/** Functions that take functions; paths that are told; breaks; handlers of errors. */
type Trait = "functions" | "paths" | "breaks" | "handlers";

function collect(expression: Expression, found: Set<Trait>): void {
  const trait = traitOf(expression);
  if (trait !== undefined) found.add(trait);
  for (const child of childrenOf(expression)) collect(child.expression, found);
}

function traitOf(expression: Expression): Trait | undefined {
  switch (expression.kind) {
    case "define":
      return expression.parameters.length > 0 ? "functions" : undefined;
    case "path":
    case "update":
      return "paths";
    case "break":
      return "breaks";
    case "try":
      return expression.handler ? "handlers" : undefined;
    default:
      return undefined;
  }
}
