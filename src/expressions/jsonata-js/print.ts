import { js } from "../../js-ast/index.ts";
import { statesFunctions } from "../syntax/jsonata/states-functions.ts";
import type { Jsonata, Variable } from "../syntax/jsonata/syntax.ts";
import { printBlock } from "./blocks.ts";
import { printCall, printChain } from "./calls.ts";
import { printConditional, printNegation, printOperation } from "./operators.ts";
import { printPath } from "./paths.ts";
import { call, constant, nothing, type Printed, read, refuse, type Scope } from "./scope.ts";
import { printArray, printObject } from "./values.ts";

/** Prints an expression as TypeScript that computes the same value. Refuses what has no such form. */
export function print(node: Jsonata, scope: Scope): Printed {
  switch (node.kind) {
    case "string":
      return constant(node.value, "string");
    case "number":
      return constant(node.value, "number");
    case "constant":
      return constant(node.value, node.value === null ? "null" : "boolean");
    case "negation":
      return printNegation(node.operand, scope);
    case "name":
    case "map":
    case "filter":
    case "keepArray":
      return printPath(node, scope);
    case "variable":
      return printVariable(node, scope);
    case "operation":
      return printOperation(node, scope);
    case "if":
      return printConditional(node, scope);
    case "array":
      return printArray(node, scope);
    case "object":
      return printObject(node, scope);
    case "block":
      return printBlock(node, scope);
    case "call":
      return printCall(node, [], scope);
    case "chain":
      return printChain(node, scope);
    default:
      return refuse(node.kind);
  }
}

function printVariable({ name }: Variable, scope: Scope): Printed {
  if (name === "") return scope.context ?? nothing;
  const local = scope.locals.get(name);
  if (local) return local.kind === "value" ? local.printed : refuse("a function as a value");
  const { inputs, assigned } = scope.program;
  if (assigned.has(name)) return refuse(`$${name}`);
  const input = inputs.get(name);
  if (input) return read(scope, input);
  const boxed = inputs.get(`${name}[]`);
  if (boxed) return call(scope, "path", [read(scope, boxed).code, js.literal(0)], { isOptional: true });
  return name === "eval" || statesFunctions.has(name) ? refuse("a function as a value") : nothing;
}
