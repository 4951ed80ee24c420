import {
  childrenOf,
  type Expression,
  effectsOf,
  literal,
  simplify,
  substitute,
  withChildren,
} from "../../../src/expressions/index.ts";
import { errorNameIn } from "../../../src/ir/errors.ts";
import { handlersOf, retriesOf, stepsOf, workExpressions } from "../../../src/ir/walk.ts";
import type { Program, Step, Workflow } from "../../../src/ir/workflow.ts";
import { type ErrorSet, matchedErrors } from "../../../src/passes/index.ts";
import { isWaitedFor } from "../run-age.ts";
import { storedError } from "./caught-errors.ts";
import { computesPart } from "./error-parts.ts";

/**
 * Whether messages of expression errors may be read: `inside` any workflow of the program, or `outside`, in one that
 * waits for this one. A run's own error does not count: its wording depends on the target.
 */
export function messageExposure(
  workflow: Workflow,
  program: Program,
): { readonly inside: boolean; readonly outside: boolean } {
  const inside = known.get(program) ?? readsAnyMessage(program);
  known.set(program, inside);
  return { inside, outside: inside && isWaitedFor(workflow, program) };
}

/** Whether any workflow of a program reads messages, found once per program. */
const known = new WeakMap<Program, boolean>();

function readsAnyMessage({ workflows }: Program): boolean {
  const names = workflows.map(({ errorNames }) => errorNameIn(unnamedError, errorNames));
  const worded = new Set([unnamedError.name, ...names]);
  return workflows.some((workflow) => readsMessages(workflow, worded));
}

/** Its message depends on the target. */
const unnamedError = { origin: "expression", name: "ExpressionError" } as const;

function readsMessages(workflow: Workflow, worded: ReadonlySet<string>): boolean {
  const steps = stepsOf(workflow);
  const bound = new Set<string>();
  for (const step of steps) {
    for (const { when } of [...retriesOf(step), ...handlersOf(step)])
      if (!matchedErrors(when) && readsMessage(when, new Set(["error"]))) return true;
    for (const { when, bind } of handlersOf(step))
      if (bind !== undefined && mayMatch(matchedErrors(when), worded)) bound.add(bind);
  }
  return bound.size > 0 && steps.some((step) => readingExpressions(step).some((each) => readsMessage(each, bound)));
}

const mayMatch = (errors: ErrorSet | undefined, some: ReadonlySet<string>): boolean =>
  !errors || [...some].some((name) => errors.names.has(name) !== errors.all);

/** Without an error that the step rethrows. */
const readingExpressions = (step: Step): readonly Expression[] =>
  step.kind === "end" && step.outcome === "fail" && step.value.kind === "variable" ? [] : workExpressions(step);

function readsMessage(expression: Expression, errors: ReadonlySet<string>): boolean {
  const names = [...effectsOf(expression).free.keys()].filter((name) => errors.has(name));
  if (names.length === 0) return false;
  const members = withoutProblems(
    simplify(substitute(expression, new Map(names.map((name) => [name, storedError(name)])))),
  );
  return names.some((name) => effectsOf(members).free.has(`${name}.message`));
}

/** Without problem details, which do not depend on the message of an expression's error. */
const withoutProblems = (expression: Expression): Expression =>
  expression.kind === "call" && !expression.isLocal && (expression.name === "problem" || computesPart(expression.name))
    ? literal(null)
    : withChildren(
        expression,
        childrenOf(expression).map((child) => withoutProblems(child.expression)),
      );
