import { mayFail } from "../../../src/cfg/index.ts";
import {
  builtinOf,
  canFail,
  childrenOf,
  type Expression,
  equalExpressions,
  mayThrow,
  simplify,
  variable,
} from "../../../src/expressions/index.ts";
import { assertNever } from "../../../src/json.ts";
import type { FlatStep } from "../../../src/passes/index.ts";
import { nullType } from "../../../src/types/index.ts";
import { catchesDataErrors } from "../errors.ts";
import type { MachineContext, ScopeContext } from "./context.ts";
import { resolve, type SymbolTable, valueOf } from "./symbols.ts";

/** Work that only computes. */
export type AssignStep = Extract<FlatStep, { kind: "assign" }>;

/** Whether an expression of a step may fail, by what is known of the variables when the step begins. */
export function failsAt(step: FlatStep, expression: Expression, { machine, counters }: ScopeContext): boolean {
  if (!mayFail(expression, counters)) return false;
  const variables = machine.typesBefore.get(step.id);
  return !variables || mayThrow(simplify(expression), { input: nullType, variables });
}

/** The values that an assignment has given and that may fail: the state that they fold into has to fail as they do. */
export const failingResults = (step: AssignStep, after: SymbolTable, context: ScopeContext): readonly Expression[] =>
  step.values
    .filter(({ value }) => failsAt(step, value, context))
    .map((value) => valueOf(after, value.variable)!)
    .filter(canFail);

/** Whether everything that may have failed is still evaluated after variables have got new values. */
export function stillEvaluates(before: SymbolTable, after: SymbolTable, failing: readonly Expression[]): boolean {
  if (failing.length === 0) return true;
  const left = [...before.own.keys()].map((name) => valueOf(after, name)!);
  return evaluateAll(left, failing);
}

/**
 * Whether it is the same which of several values of a state fails first, as nobody says in which order its fields are computed: their errors have one name,
 * but for those that are raised by theirs; or the later ones are computed from the earlier ones.
 */
export const failsInOrder = (earlier: readonly Expression[], later: readonly Expression[]): boolean =>
  earlier.length === 0 ||
  ![...earlier, ...later].some(raises) ||
  later.every((expression) => evaluateAll([expression], earlier));

const raises = (expression: Expression): boolean =>
  (expression.kind === "call" && expression.name === "error") ||
  childrenOf(expression).some((child) => raises(child.expression));

/**
 * Whether work that may fail can be done in the state of a step that follows it: that state must evaluate it before it does anything, and
 * must not take its error.
 */
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
  return first !== undefined && evaluateAll([resolve(first, symbols)], failing);
}

/** What a state evaluates before it does anything else; undefined where there is no one such expression. */
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

/** A step whose state evaluates an expression of the step before it does anything. */
export type OperandStep = Extract<FlatStep, { kind: "call" | "invoke" | "emit" | "delay" | "foreach" }>;

/** What the state of such a step evaluates first. */
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

/** Whether evaluating expressions surely evaluates all of others, so that what these fail with, those fail with too. */
export const evaluateAll = (expressions: readonly Expression[], parts: readonly Expression[]): boolean =>
  parts.every((part) => expressions.some((expression) => evaluates(expression, part)));

function evaluates(whole: Expression, part: Expression): boolean {
  if (equalExpressions(whole, part) || evaluatedParts(whole).some((child) => evaluates(child, part))) return true;
  return whole.kind === "if" && evaluates(whole.then, part) && evaluates(whole.otherwise, part);
}

/** The parts of an expression that are evaluated whenever it is, with the same variables. */
function evaluatedParts(expression: Expression): readonly Expression[] {
  if (expression.kind === "call") return evaluatedArguments(expression);
  switch (expression.kind) {
    case "literal":
    case "identity":
    case "variable":
      return [];
    case "query":
    case "reduce":
      return [expression.source];
    case "object":
      return expression.entries.map(({ value }) => value);
    case "array":
      return expression.items ? [expression.items] : [];
    case "comma":
      return expression.items.slice(0, 1);
    case "pipe":
    case "logic":
      return [expression.left];
    case "let":
      return [expression.value];
    case "if":
      return [expression.condition];
    case "binary":
      return [expression.left, expression.right];
    default:
      return [];
  }
}

/** Functions over values evaluate all their arguments; those over streams, surely the first. */
const evaluatedArguments = ({ name, args }: Extract<Expression, { kind: "call" }>): readonly Expression[] =>
  builtinOf(name, args.length)?.kind === "value" ? args : args.slice(0, 1);
