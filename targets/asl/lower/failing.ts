import {
  builtinOf,
  canFail,
  type Expression,
  equalExpressions,
  factsOf,
  variable,
} from "../../../src/expressions/index.ts";
import { assertNever } from "../../../src/json.ts";
import type { FlatStep } from "../legalize/flatten.ts";
import { takesDataErrors } from "../legalize/native.ts";
import { mayFail } from "./counters.ts";
import { resolve, type Symbols, worth } from "./environment.ts";

/** The values that an assignment has given and that may fail: the state that they fold into has to fail as they do. */
export function failingValues(
  step: Extract<FlatStep, { kind: "assign" }>,
  after: Symbols,
  counters: ReadonlySet<string>,
): readonly Expression[] {
  return step.values.filter(({ value }) => mayFail(value, counters)).map((value) => worth(after, value.variable)!);
}

/**
 * Whether work that may fail can be done in the state of a step that follows it: that state must evaluate it before it does anything, and
 * must not take its error.
 */
export function failsWith(step: FlatStep, failing: readonly Expression[], symbols: Symbols, document: string): boolean {
  if (failing.length === 0 || step.kind === "assign") return true;
  if ("handlers" in step && takesDataErrors(step)) return false;
  const first = firstEvaluated(step, document);
  return first !== undefined && evaluatesAll([resolve(first, symbols)], failing);
}

/** Whether evaluating expressions surely evaluates all of others, so that what these fail with, those fail with too. */
export const evaluatesAll = (expressions: readonly Expression[], parts: readonly Expression[]): boolean =>
  parts.every((part) => expressions.some((expression) => evaluates(expression, part)));

/** What a state evaluates before it does anything else; undefined where there is no one such expression. */
function firstEvaluated(step: Exclude<FlatStep, { kind: "assign" }>, document: string): Expression | undefined {
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
    case "fork":
      return step.branches.every(({ scope }) => readsOnly(scope.variables, document)) ? variable(document) : undefined;
    case "end":
      return step.outcome === "leave" ? step.value : undefined;
    case "choose":
    case "receive":
      return undefined;
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

/**
 * Whether an assignment only merges something into a variable: where that fails, the variable is no object, so that nothing was merged into
 * it before either, and it still is what it was.
 */
export function onlyGrows({ values }: Extract<FlatStep, { kind: "assign" }>, name: string): boolean {
  return values.every((each) => each.variable === name && grows(each.value, name));
}

function grows(value: Expression, name: string): boolean {
  if (value.kind === "variable") return value.name === name;
  if (value.kind === "if") return !canFail(value.condition) && grows(value.then, name) && grows(value.otherwise, name);
  if (value.kind !== "call") return false;
  const [into, ...rest] = value.args;
  if (!into || !grows(into, name) || rest.some(canFail)) return false;
  const [first] = rest;
  if (value.name === "merge") return factsOf(first!).type === "object";
  if (value.name === "place")
    return first!.kind === "literal" && Array.isArray(first!.value) && first!.value.length > 0;
  return value.name === "mergeResult";
}

function evaluates(whole: Expression, part: Expression): boolean {
  if (equalExpressions(whole, part) || surePartsOf(whole).some((child) => evaluates(child, part))) return true;
  return whole.kind === "if" && evaluates(whole.then, part) && evaluates(whole.otherwise, part);
}

/** The parts of an expression that are evaluated whenever it is, with the same variables. */
function surePartsOf(expression: Expression): readonly Expression[] {
  if (expression.kind === "call") return sureArgumentsOf(expression);
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
const sureArgumentsOf = ({ name, args }: Extract<Expression, { kind: "call" }>): readonly Expression[] =>
  builtinOf(name, args.length)?.kind === "value" ? args : args.slice(0, 1);
