import type { StepTypes } from "../../../src/analysis/types/variables.ts";
import { canFail, type Expression, freeVariables, mayThrow } from "../../../src/expressions/index.ts";
import {
  compileJavaScript,
  isRefusal,
  noLines,
  type PrintedExpression,
  printedExpression,
  type Scope,
  writeOne,
} from "../../../src/expressions/js/index.ts";
import { type JsExpression as Code, js, type Statement } from "../../../src/js-ast/index.ts";
import type { Json } from "../../../src/json.ts";
import { alternatives, any, nullType } from "../../../src/types/index.ts";
import { isWrapped } from "../helpers/values.ts";
import type { SelectionContext } from "./context.ts";
import { useOfType } from "./known-members.ts";
import type { StateFunction, StateOperation } from "./state-builder.ts";

/** A function of a composition under construction. */
export interface FunctionBuilder {
  readonly context: SelectionContext;
  readonly lines: Statement[];
  readonly helpers: Set<string>;
  readonly scope: Scope;
  /** The proven types of variables. */
  readonly types: StepTypes | undefined;
  canFail: boolean;
  mayThrow: boolean;
}

/** The parameter of all functions. */
export const params: Code = js.name("params");

/** Starts a function. `bindings` overrides variables; `step` provides proven types. */
export function beginFunction(
  context: SelectionContext,
  step?: string,
  bindings: ReadonlyMap<string, PrintedExpression> = new Map(),
): FunctionBuilder {
  const types = step === undefined ? undefined : context.knownTypes.get(step);
  const helpers = new Set<string>();
  const lines = noLines(context.reservedNames);
  const scope: Scope = {
    lines,
    isUntyped: true,
    variable(name) {
      const value = bindings.get(name);
      if (value) return value;
      const symbol = context.symbols.get(name);
      if (symbol === undefined) return undefined;
      if (context.counters.has(name))
        return printedExpression(js.name(symbol), { isCount: true, type: "number", isPresent: true });
      const proven = types?.get(name) ?? any;
      const kinds = new Set(alternatives(proven).map(({ kind }) => kind));
      const isPresent = kinds.size > 0 && !kinds.has("null");
      const type = kinds.size === 1 && kinds.has("object") ? "object" : undefined;
      return printedExpression(js.name(symbol), { use: useOfType(proven), isPresent, type, proven });
    },
    helper(name) {
      helpers.add(name);
      return js.name(name);
    },
  };
  return { context, lines: lines.statements, helpers, scope, types, canFail: false, mayThrow: false };
}

/** The code of an expression. One without a readable form becomes a nested function. */
export function codeOf(fn: FunctionBuilder, expression: Expression): PrintedExpression {
  if (canFail(expression)) noteFailure(fn, mayThrow(expression, { input: nullType, variables: fn.types ?? noTypes }));
  return writeOne(expression, fn.scope) ?? callCompute(fn, expression);
}

const noTypes = { get: () => undefined };

/** Notes that a function may fail. `isPossible`: the proven types do not exclude it. */
export function noteFailure(fn: FunctionBuilder, isPossible = true): void {
  fn.canFail = true;
  fn.mayThrow ||= isPossible;
}

/** Declares a function `compute` for an expression, and calls it: `compute(order)`. */
function callCompute({ context, scope, lines, helpers }: FunctionBuilder, expression: Expression): PrintedExpression {
  const names = scope.lines!.names;
  let name = "compute";
  for (let i = 2; names.has(name); i++) name = `compute${i}`;
  names.add(name);
  const variables = [...freeVariables(expression)].sort();
  const options = { name, variables, policy: "readable", result: "first", withoutInput: true } as const;
  const program = compileJavaScript(expression, options);
  if (isRefusal(program)) {
    context.refuse(
      program.span ?? expression.span ?? context.workflow.span,
      `this expression: ${program.refused.replace(/\.$/, "")}`,
    );
    return printedExpression(js.literal(null));
  }
  for (const helper of program.helpers) helpers.add(helper);
  lines.push(...program.statements);
  const values = variables.map((variable) => scope.variable(variable)?.code ?? js.literal(null));
  return printedExpression(js.call(name, values));
}

/** Calls a helper function. */
export function callHelper({ scope }: FunctionBuilder, name: string, args: readonly Code[]): Code {
  return js.call(scope.helper(name), args);
}

export const finishFunction = (
  { lines, helpers, canFail: fails, mayThrow: throws }: FunctionBuilder,
  result?: Code,
): StateFunction => ({
  lines: [...lines],
  result,
  helpers: new Set(helpers),
  canFail: fails,
  mayThrow: throws,
});

/** The operation of a state that evaluates the function. */
export const functionOperation = (fn: FunctionBuilder, result?: Code): StateOperation => ({
  kind: "function",
  body: finishFunction(fn, result),
});

/** Returns a constant if possible, otherwise evaluates the function. */
export function resultOperation(fn: FunctionBuilder, result: Code): StateOperation {
  const constant = fn.lines.length === 0 ? constantOf(result) : undefined;
  return constant === undefined ? functionOperation(fn, result) : { kind: "value", value: constant.value };
}

/** The value of constant code; undefined if it is not constant. */
export function constantOf(code: Code): { readonly value: Json } | undefined {
  switch (code.kind) {
    case "literal":
      return typeof code.value === "number" && (!Number.isFinite(code.value) || Object.is(code.value, -0))
        ? undefined
        : { value: code.value };
    case "array": {
      const values = code.elements.map((each) => (each.kind === "spread" ? undefined : constantOf(each)));
      return values.every((each) => each !== undefined) ? { value: values.map(({ value }) => value) } : undefined;
    }
    case "object": {
      const entries: [string, Json][] = [];
      for (const member of code.members) {
        const value =
          member.kind === "property" && typeof member.key === "string" ? constantOf(member.value) : undefined;
        if (!value || member.kind !== "property") return undefined;
        entries.push([member.key as string, value.value]);
      }
      return { value: Object.fromEntries(entries) };
    }
    default:
      return undefined;
  }
}

/** Wraps a value that OpenWhisk cannot pass as params: `5` → `{ value: 5 }`. */
export function wrapValue(fn: FunctionBuilder, value: PrintedExpression): Code {
  const constant = constantOf(value.code);
  if (constant) return isWrapped(constant.value) ? js.record({ value: value.code }) : value.code;
  if (isPlainObject(value.code)) return value.code;
  if (value.type !== undefined && value.type !== "object") return js.record({ value: value.code });
  return callHelper(fn, "wrap", [value.code]);
}

/** Whether code makes an object that is never wrapped. */
export function isPlainObject(code: Code): boolean {
  if (code.kind !== "object") return false;
  const keys = code.members.map((member) => (member.kind === "property" ? member.key : undefined));
  return (
    keys.every((key) => typeof key === "string" && !reserved.has(key)) && !(keys.length === 1 && keys[0] === "value")
  );
}

const reserved: ReadonlySet<string> = new Set(["error", "$waybill", "$resume"]);

/** Assigns values that are all computed first: `total = a + b;`, `[a, b] = [b, a];` */
export function assignVariables(
  fn: FunctionBuilder,
  values: readonly { readonly variable: string; readonly value: Expression }[],
): void {
  const assignments = values.filter(({ variable }) => fn.context.symbols.has(variable));
  const isSequential = assignments.every(({ value }, i) =>
    assignments.slice(0, i).every(({ variable }) => !freeVariables(value).has(variable)),
  );
  const target = (variable: string) => js.name(fn.context.symbols.get(variable)!);
  const unread = values.filter(({ variable, value }) => !fn.context.symbols.has(variable) && canFail(value));
  for (const { value } of unread) fn.lines.push(js.expressionStatement(codeOf(fn, value).code));
  if (isSequential) {
    for (const { variable, value } of assignments) {
      const code = codeOf(fn, value).code;
      fn.lines.push(js.assign(target(variable), code));
    }
    return;
  }
  const codes = assignments.map(({ value }) => codeOf(fn, value).code);
  const targets = { kind: "arrayPattern", elements: assignments.map(({ variable }) => target(variable)) } as const;
  fn.lines.push(js.assign(targets, js.array(codes)));
}
