import { mayFail } from "../../../src/cfg/index.ts";
import {
  builtinOf,
  canFail,
  childrenOf,
  type Expression,
  equalExpressions,
  formOf,
  isLogic,
  mayThrow,
  simplify,
  variable,
} from "../../../src/expressions/index.ts";
import { assertNever } from "../../../src/json.ts";
import type { FlatStep } from "../../../src/passes/index.ts";
import { nullType } from "../../../src/types/index.ts";
import { catchesDataErrors } from "../errors.ts";
import type { MachineContext, ScopeContext } from "./context.ts";
import { resolve, type SymbolTable, symbolValue } from "./symbols.ts";

/** An assignment. */
export type AssignStep = Extract<FlatStep, { kind: "assign" }>;

/** Whether an expression may fail, given types before the step. */
export function failsAt(step: FlatStep, expression: Expression, { machine, counters }: ScopeContext): boolean {
  if (!mayFail(expression, counters)) return false;
  const variables = machine.typesBefore.get(step.id);
  return !variables || mayThrow(simplify(expression), { input: nullType, variables });
}

/** The assigned values that may fail; the state into which they are folded has to fail in the same way. */
export const failingResults = (step: AssignStep, after: SymbolTable, context: ScopeContext): readonly Expression[] =>
  step.values
    .filter(({ value }) => failsAt(step, value, context))
    .map((value) => symbolValue(after, value.variable)!)
    .filter(canFail);

/** Whether values that may fail are still evaluated after further assignments. */
export function stillEvaluates(before: SymbolTable, after: SymbolTable, failing: readonly Expression[]): boolean {
  if (failing.length === 0) return true;
  const left = [...before.own.keys()].map((name) => symbolValue(after, name)!);
  return alwaysEvaluateAll(left, failing);
}

/**
 * Whether several failures give the same error in any order of evaluation, which a state's fields do not define: all
 * have one error name, or later values are computed from earlier ones.
 */
export const failsInOrder = (earlier: readonly Expression[], later: readonly Expression[]): boolean =>
  earlier.length === 0 ||
  ![...earlier, ...later].some(raises) ||
  later.every((expression) => alwaysEvaluateAll([expression], earlier));

const raises = (expression: Expression): boolean =>
  (expression.kind === "call" && expression.name === "error") ||
  childrenOf(expression).some((child) => raises(child.expression));

/** Whether a step's state fails with folded work: it evaluates that first and does not handle its error. */
export function failsWith(
  { disguised }: Pick<MachineContext, "disguised">,
  step: FlatStep,
  failing: readonly Expression[],
  symbols: SymbolTable,
  document: string,
): boolean {
  if (failing.length === 0 || step.kind === "assign") return true;
  if ("handlers" in step && catchesDataErrors(step, disguised)) return false;
  const first = firstEvaluated(step, document);
  return first !== undefined && alwaysEvaluateAll([resolve(first, symbols)], failing);
}

function firstEvaluated(step: Exclude<FlatStep, { kind: "assign" }>, document: string): Expression | undefined {
  switch (step.kind) {
    case "fork":
      return step.branches.every(({ scope }) => readsOnly(scope.variables, document)) ? variable(document) : undefined;
    case "end":
      return step.outcome === "leave" ? step.value : undefined;
    case "choose":
    case "receive":
      return undefined;
    default:
      return operandOf(step);
  }
}

/** A step whose state first evaluates one expression. */
export type OperandStep = Extract<FlatStep, { kind: "call" | "invoke" | "emit" | "delay" | "foreach" }>;

/** The expression that a step's state evaluates first. */
export function operandOf(step: OperandStep): Expression {
  switch (step.kind) {
    case "call":
      return step.argument;
    case "invoke":
      return step.input;
    case "emit":
      return step.data;
    case "foreach":
      return step.items;
    case "delay":
      return step.wait.kind === "for" ? step.wait.seconds : step.wait.instant;
    default:
      return assertNever(step);
  }
}

const readsOnly = (
  variables: readonly { readonly name: string; readonly initial?: Expression | undefined }[],
  document: string,
): boolean => {
  const initial = variables.find(({ name }) => name === document)?.initial;
  return initial === undefined || (initial.kind === "variable" && initial.name === document);
};

/** Whether evaluating some expressions always evaluates all others. */
export const alwaysEvaluateAll = (expressions: readonly Expression[], parts: readonly Expression[]): boolean =>
  parts.every((part) => expressions.some((expression) => evaluates(expression, part)));

function evaluates(whole: Expression, part: Expression): boolean {
  if (equalExpressions(whole, part) || evaluatedParts(whole).some((child) => evaluates(child, part))) return true;
  return whole.kind === "if" && evaluates(whole.then, part) && evaluates(whole.otherwise, part);
}

/** Always evaluated, with the same variables. */
const evaluatedParts = (expression: Expression): readonly Expression[] =>
  expression.kind === "call"
    ? evaluatedArguments(expression)
    : childrenOf(expression).flatMap((child) => (child.isAlwaysEvaluated ? child.expression : []));

/** Functions over values evaluate all arguments, functions over streams at least the first. */
function evaluatedArguments(call: Extract<Expression, { kind: "call" }>): readonly Expression[] {
  const { name, args, isLocal } = call;
  if (isLocal || (formOf(call) && !isLogic(call))) return [];
  return builtinOf(name, args.length)?.kind === "value" ? args : args.slice(0, 1);
}
