import {
  call,
  canFail,
  childrenOf,
  conditional,
  type Expression,
  effectsOf,
  equalExpressions,
  firstOr,
  literal,
  outputs,
  withChildren,
} from "../../../src/expressions/index.ts";
import { retriesOf } from "../../../src/ir/walk.ts";
import { assertNever } from "../../../src/json.ts";
import type { FlatStep } from "../../../src/passes/index.ts";
import { catchesDataErrors } from "../errors.ts";
import { builtInOfCall } from "../legalize/plain-builtins.ts";
import type { MachineContext } from "./context.ts";
import { alwaysEvaluateAll, type OperandStep, operandOf } from "./evaluation.ts";
import { hasUnstable, resolve, type SymbolTable } from "./symbols.ts";

/** A value that may fail, split into a condition, the value if it holds, and the error if not. */
interface FailureTest {
  readonly condition: Expression;
  readonly value: Expression;
  readonly failure: Expression;
}

/** For a state that does not compute the values anyway. */
const maxTestedSize = 40;

/** Whether a step's state can first test for failing values, because it does not handle their errors. */
export function canTestFailures(
  { workflow, services, expressions, disguised }: MachineContext,
  step: FlatStep,
): step is OperandStep {
  switch (step.kind) {
    case "emit":
    case "delay":
      return true;
    case "invoke":
    case "foreach":
      return !catchesDataErrors(step, disguised);
    case "call":
      return (
        !catchesDataErrors(step, disguised) &&
        builtInOfCall(step, workflow) === undefined &&
        step.function.name !== expressions &&
        services.serviceOf(step.function.name).query === undefined
      );
    default:
      return false;
  }
}

/** Whether all values have a small failure test. */
export const areTestable = (failing: readonly Expression[]): boolean =>
  failing.every((each) => failureTestOf(each) !== undefined) &&
  failing.reduce((size, each) => size + effectsOf(each).weight.size, 0) <= maxTestedSize;

/** Whether unstable intrinsics are evaluated only once, in the tests. */
export const isEvaluatedOnce = (step: OperandStep, symbols: SymbolTable, failing: readonly Expression[]): boolean =>
  retriesOf(step).length === 0 && !hasUnstable(testFailures(step, symbols, failing).symbols);

/**
 * Makes the expression that a state evaluates first test whether earlier values fail.
 *
 *   data := first($data.order, error("…")); wait for 90 s
 *   → wait for (if exists($data.order) then 90 else error("…") end) s; data := first($data.order, null)
 */
export function testFailures<S extends FlatStep>(
  step: S,
  symbols: SymbolTable,
  failing: readonly Expression[],
): { readonly step: S | OperandStep; readonly symbols: SymbolTable } {
  const first = hasOperand(step) ? operandOf(step) : undefined;
  const tests = failing.map((each) => failureTestOf(each));
  if (!first || failing.length === 0 || !tests.every((each) => each !== undefined)) return { step, symbols };
  const simplified = (expression: Expression): Expression =>
    failing.reduce((value, each, i) => replaceAll(value, each, tests[i]!.value), expression);
  const whole = resolve(first, symbols);
  const value = alwaysEvaluateAll([whole], failing)
    ? whole
    : tests.reduceRight((inner, { condition, failure }) => conditional(condition, inner, failure), simplified(whole));
  const own = new Map(Array.from(symbols.own, ([name, each]) => [name, simplified(each)] as const));
  return { step: withOperand(step as S & OperandStep, value), symbols: { ...symbols, own } };
}

const hasOperand = (step: FlatStep): step is OperandStep =>
  ["call", "invoke", "emit", "delay", "foreach"].includes(step.kind);

/** Matches `if C then V else error(E) end` and `first(V, error(E))`. */
function failureTestOf(expression: Expression): FailureTest | undefined {
  if (expression.kind === "if") {
    const { condition: holds, then: value, otherwise: failure } = expression;
    return canFail(holds) || canFail(value) || !isError(failure) ? undefined : { condition: holds, value, failure };
  }
  const [several] = expression.kind === "call" && expression.name === "first" ? expression.args : [];
  const [found, failure, ...more] = several?.kind === "comma" ? several.items : [];
  if (!found || !failure || more.length > 0 || !isError(failure)) return undefined;
  if (canFail(found) || outputs(found) !== "optional") return undefined;
  return { condition: call("exists", found), value: firstOr(found, literal(null)), failure };
}

const isError = (expression: Expression): boolean =>
  expression.kind === "call" && expression.name === "error" && !expression.args.some(canFail);

function replaceAll(expression: Expression, part: Expression, other: Expression): Expression {
  if (equalExpressions(expression, part)) return other;
  return withChildren(
    expression,
    childrenOf(expression).map((child) => replaceAll(child.expression, part, other)),
  );
}

function withOperand(step: OperandStep, value: Expression): OperandStep {
  switch (step.kind) {
    case "call":
      return { ...step, argument: value };
    case "invoke":
      return { ...step, input: value };
    case "emit":
      return { ...step, data: value };
    case "foreach":
      return { ...step, items: value };
    case "delay":
      return step.wait.kind === "for"
        ? { ...step, wait: { kind: "for", seconds: value } }
        : { ...step, wait: { kind: "until", instant: value } };
    default:
      return assertNever(step);
  }
}
