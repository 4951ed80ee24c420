import { canFail, type Expression, simplify } from "../expressions/index.ts";
import { assigned, handlersOf } from "../ir/walk.ts";
import type { Step } from "../ir/workflow.ts";

/**
 * The variables of a scope that only ever count: each value given to them is a number, or computed from numbers and from what they were, and
 * they are given one before they are read. `live`: what is read before it is given a value.
 */
export function countersOf(steps: readonly Step[], live: ReadonlySet<string>): ReadonlySet<string> {
  const values = new Map<string, Expression[]>();
  const others = new Set<string>();
  for (const step of steps) {
    if (step.kind !== "assign") for (const name of assigned(step)) others.add(name);
    else for (const { variable, value } of step.values) addTo(values, variable, value);
  }
  const counting = [...values].filter(
    ([name, given]) => !others.has(name) && !live.has(name) && given.every((value) => counts(value, new Set([name]))),
  );
  return new Set(counting.map(([name]) => name));
}

/** The variables of a scope that hold errors only: handlers bind them, nothing else sets them, and before that they are not read. */
export function errorsOf(steps: readonly Step[], live: ReadonlySet<string>): ReadonlySet<string> {
  const bound = new Set(
    steps.flatMap((step) => handlersOf(step).flatMap(({ bind }) => (bind === undefined ? [] : [bind]))),
  );
  for (const step of steps) {
    if (step.kind === "assign") for (const { variable } of step.values) bound.delete(variable);
    else if ("bind" in step && step.bind !== undefined) bound.delete(step.bind);
  }
  for (const name of live) bound.delete(name);
  return bound;
}

function addTo(values: Map<string, Expression[]>, name: string, value: Expression): void {
  const known = values.get(name);
  if (known) known.push(value);
  else values.set(name, [value]);
}

/** Whether an expression may fail where these variables hold numbers. */
export const mayFail = (expression: Expression, counters: ReadonlySet<string>): boolean =>
  canFail(simplify(expression)) && !counts(expression, counters);

function counts(expression: Expression, counters: ReadonlySet<string>): boolean {
  if (expression.kind === "literal") return typeof expression.value === "number";
  if (expression.kind === "variable") return counters.has(expression.name);
  if (expression.kind === "if") {
    return (
      !canFail(expression.condition) && counts(expression.then, counters) && counts(expression.otherwise, counters)
    );
  }
  if (expression.kind !== "binary" || !["+", "-", "*"].includes(expression.operator)) return false;
  return counts(expression.left, counters) && counts(expression.right, counters);
}
