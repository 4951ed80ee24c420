import { type JsExpression as Code, js, type Block as Statements } from "../../js-ast/index.ts";
import type { Block, Jsonata, Lambda } from "../syntax/jsonata/syntax.ts";
import { functionForms } from "./functions.ts";
import { print } from "./print.ts";
import { fresh, type Local, type Printed, type PrintedFunction, refuse, type Scope, withLocal } from "./scope.ts";

/** What a function evaluates: statements, then a value. */
export interface Body {
  readonly statements: Statements;
  readonly result: Printed;
}

/** Prints what a function evaluates: assignments become constants. */
export function printBody(node: Jsonata, scope: Scope): Body {
  if (node.kind === "assign") return { statements: [], result: print(node.value, scope) };
  if (node.kind !== "block") return { statements: [], result: print(node, scope) };
  const statements: Statements[number][] = [];
  let inner = scope;
  let canFail = false;
  for (const [i, expression] of node.expressions.entries()) {
    if (i === node.expressions.length - 1) {
      const last = printBody(expression, inner);
      const result = { ...last.result, canFail: canFail || last.result.canFail };
      return { statements: [...statements, ...last.statements], result };
    }
    if (expression.kind === "assign") {
      const { name } = expression.variable;
      const own = fresh(scope, name);
      const local = printAssigned(expression.value, own, inner);
      statements.push(js.constant(own, local.code));
      canFail ||= local.canFail;
      inner = withLocal(inner, name, local.meaning);
    } else {
      const { code, canFail: mayFail } = print(expression, inner);
      if (mayFail) statements.push(js.expressionStatement(code));
      canFail ||= mayFail;
    }
  }
  return refuse("an empty block");
}

interface Assigned {
  readonly code: Code;
  readonly canFail: boolean;
  readonly meaning: Local;
}

function printAssigned(value: Jsonata, own: string, scope: Scope): Assigned {
  const name = js.name(own);
  if (value.kind === "lambda") {
    const printed = printFunction(value, scope, true);
    return { code: printed.code, canFail: false, meaning: { kind: "function", ...printed, code: name } };
  }
  const printed = print(value, scope);
  return { ...printed, meaning: { kind: "value", printed: { ...printed, code: name } } };
}

/** `(A; B)`; with several expressions, a function that is called at once. */
export function printBlock(node: Block, scope: Scope): Printed {
  const { statements, result } = printBody(node, scope);
  if (statements.length === 0) return result;
  const code = js.call(js.arrow([], [...statements, js.returnStatement(result.code)]));
  return { ...result, code };
}

/** A function, or a variable that is one. `isTyped`: its parameters need types. */
export function printFunction(node: Jsonata, scope: Scope, isTyped = false): PrintedFunction {
  if (node.kind === "variable") {
    const local = scope.locals.get(node.name);
    return local?.kind === "function" ? local : refuse("a function of JSONata as a value");
  }
  if (node.kind !== "lambda" || node.signature !== undefined) return refuse("another function");
  return printLambda(node, scope, isTyped);
}

function printLambda({ parameters, body }: Lambda, scope: Scope, isTyped: boolean): PrintedFunction {
  if (new Set(parameters.map(({ name }) => name)).size < parameters.length) return refuse("a parameter twice");
  let inner: Scope = { ...scope, isFunction: true };
  const names = parameters.map(({ name }) => {
    if (name === "" || scope.program.assigned.has(name)) return refuse("a parameter that is assigned");
    const own = fresh(scope, name);
    const printed: Printed = { code: js.name(own), isOptional: true, canFail: false };
    inner = withLocal(inner, name, { kind: "value", printed });
    return own;
  });
  const { statements, result } = printBody(body, inner);
  const typed = names.map((name) => (isTyped ? js.parameter(name, valueType) : js.parameter(name)));
  const block = statements.length > 0 ? [...statements, js.returnStatement(result.code)] : result.code;
  return {
    code: js.arrow(typed, block),
    parameters: parameters.length,
    canFail: result.canFail,
    givesSequence: lastCalls(body).some((procedure) => givesSequence(procedure, scope)),
  };
}

/** What a function calls last. */
function lastCalls(body: Jsonata): readonly Jsonata[] {
  switch (body.kind) {
    case "call":
      return [body.procedure];
    case "if":
      return [body.result, body.otherwise].flatMap((part) => (part ? lastCalls(part) : []));
    case "block":
      return body.expressions.slice(-1).flatMap(lastCalls);
    case "filter":
      // The package filters the call itself, before it is made.
      return body.target.kind === "block" && lastCalls(body.target).length > 0 ? refuse("a filtered call") : [];
    default:
      return [];
  }
}

const givesSequence = (procedure: Jsonata, { locals }: Scope): boolean =>
  procedure.kind !== "variable" ||
  locals.has(procedure.name) ||
  functionForms.get(procedure.name)?.givesSequence === true;

const valueType = js.union([js.type("Json"), js.keyword("undefined")]);
