import { assertNever } from "../../json.ts";
import { builtinOf } from "../builtins/builtins.ts";
import type { Alternative, Call, Expression, Query, Try } from "../core/ast.ts";
import { select } from "../core/select.ts";
import type { ControlKind } from "../core/walk/control.ts";
import type { PathKind } from "../core/walk/paths.ts";
import { childrenOf } from "../core/walk.ts";
import { canFail, type Outputs, outputs } from "./facts.ts";

/** How many outputs an expression has, by those of its parts. */
export function outputsOf(expression: Expression): Outputs {
  switch (expression.kind) {
    case "literal":
    case "identity":
    case "variable":
    case "array":
      return "one";
    case "query":
      return queryOutputs(expression);
    case "object":
      return partsOutputs(expression);
    case "comma":
      return expression.items.map(outputsInSequence).reduce(plus, "none");
    case "pipe":
    case "binary":
      return times(outputs(expression.left), outputs(expression.right));
    case "let":
      return times(outputs(expression.value), outputs(expression.body));
    case "if":
      return times(outputs(expression.condition), either(outputs(expression.then), outputs(expression.otherwise)));
    case "logic":
      return times(outputs(expression.left), either("one", outputs(expression.right)));
    case "reduce":
      return outputs(expression.initial);
    case "call":
      return callOutputs(expression);
    default:
      return moreOutputs(expression);
  }
}

type More = Extract<Expression, { kind: PathKind | Exclude<ControlKind, "reduce"> | "break" }>;

function moreOutputs(expression: More): Outputs {
  switch (expression.kind) {
    case "access":
    case "slice":
      return expression.optional ? either("none", partsOutputs(expression)) : partsOutputs(expression);
    case "iterate":
    case "recurse":
    case "foreach":
    case "apply":
      return "many";
    case "path":
      return outputs(expression.body);
    case "update":
      return "one";
    case "alternative":
      return alternativeOutputs(expression);
    case "try":
      return tryOutputs(expression);
    case "label":
      return either("none", outputs(expression.body));
    case "break":
      return "none";
    case "define":
      return outputs(expression.rest);
    case "interpolation":
      return partsOutputs(expression);
    default:
      return assertNever(expression);
  }
}

const partsOutputs = (expression: Expression): Outputs =>
  product(childrenOf(expression).map((child) => child.expression));

function alternativeOutputs({ left, right }: Alternative): Outputs {
  if (outputs(left) === "many") return "many";
  return either(outputs(left) === "none" ? "none" : "one", outputs(right));
}

function tryOutputs({ body, handler }: Try): Outputs {
  return canFail(body) ? either(outputs(body), handler ? outputs(handler) : "none") : outputs(body);
}

/** What only fails is not left out of a sequence: with it there is never one output for certain. */
function outputsInSequence(item: Expression): Outputs {
  const own = outputs(item);
  return own === "none" && canFail(item) ? "optional" : own;
}

function queryOutputs(expression: Query): Outputs {
  const { source, segments } = expression;
  const definite = segments.every(
    ({ descend, selectors }) => !descend && selectors.length === 1 && ["name", "index"].includes(selectors[0]!.kind),
  );
  if (!definite) return times(outputs(source), segments.length === 0 ? "one" : "many");
  if (source.kind === "literal") return select(source.value, segments, () => false).length === 0 ? "none" : "one";
  return times(outputs(source), "optional");
}

function callOutputs(expression: Call): Outputs {
  const builtin = builtinOf(expression.name, expression.args.length);
  if (builtin?.kind === "value") return product(expression.args);
  if (expression.name === "first")
    return yieldsSome(expression.args[0]!)
      ? "one"
      : times(outputs(expression.args[0]!), "optional") === "none"
        ? "none"
        : "optional";
  if (expression.name === "attribute") return expression.args.map(outputs).reduce(times, "optional");
  return builtin?.outputs ?? "many";
}

/** Whether an expression surely has an output. */
function yieldsSome(expression: Expression): boolean {
  return expression.kind === "comma" ? expression.items.some(yieldsSome) : outputs(expression) === "one";
}

const product = (expressions: readonly Expression[]): Outputs => expressions.map(outputs).reduce(times, "one");

function times(a: Outputs, b: Outputs): Outputs {
  if (a === "none" || b === "none") return "none";
  if (a === "one") return b;
  if (b === "one") return a;
  return a === "many" || b === "many" ? "many" : "optional";
}

function plus(a: Outputs, b: Outputs): Outputs {
  if (a === "none") return b;
  return b === "none" ? a : "many";
}

function either(a: Outputs, b: Outputs): Outputs {
  if (a === b) return a;
  return a === "many" || b === "many" ? "many" : "optional";
}
