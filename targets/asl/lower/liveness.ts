import { freeVariables } from "../../../src/expressions/index.ts";
import { assigned, exits, handlersOf, innerScopes, successors, workExpressions } from "../../../src/ir/walk.ts";
import type { Scope, Step } from "../../../src/ir/workflow.ts";
import type { FlatScope, FlatStep } from "../legalize/flatten.ts";

/** For each step the variables whose values it, or a step after it, reads before they are set again. */
export type Liveness = ReadonlyMap<string, ReadonlySet<string>>;

/** Finds them by going backward through the scope: a step has its turn again whenever more is live after it. */
export function liveness(scope: FlatScope, correlated: ReadonlySet<string>): Liveness {
  const steps = new Map(scope.steps.map((step) => [step.id, step]));
  const order = postorder(scope, steps);
  const live = new Map(order.map((step) => [step.id, new Set(readsOf(step, correlated))]));
  const before = waysInto(order);
  const waiting = new Set(order.map(({ id }) => id));
  for (const id of waiting) {
    waiting.delete(id);
    const here = live.get(id)!;
    for (const { from, sets } of before.get(id) ?? []) {
      const there = live.get(from)!;
      const size = there.size;
      for (const variable of here) if (!sets.includes(variable)) there.add(variable);
      if (there.size > size) waiting.add(from);
    }
  }
  return live;
}

/** A way from a step to another, and the variables that are set on it. */
interface Way {
  readonly from: string;
  readonly sets: readonly string[];
}

/** The ways by which each step is reached. */
function waysInto(steps: readonly FlatStep[]): ReadonlyMap<string, readonly Way[]> {
  const ways = new Map<string, Way[]>();
  for (const step of steps) {
    const handlers = handlersOf(step).map(({ next, bind }) => ({ next, sets: bind === undefined ? [] : [bind] }));
    const bound =
      step.kind === "assign" ? assigned(step) : "bind" in step && step.bind !== undefined ? [step.bind] : [];
    for (const { next, sets } of [...exits(step).map((next) => ({ next, sets: bound })), ...handlers]) {
      const known = ways.get(next.name);
      if (known) known.push({ from: step.id, sets });
      else ways.set(next.name, [{ from: step.id, sets }]);
    }
  }
  return ways;
}

/** The steps that can be reached, each after those it leads to (but for loops). */
function postorder(scope: FlatScope, steps: ReadonlyMap<string, FlatStep>): readonly FlatStep[] {
  const order: FlatStep[] = [];
  const seen = new Set<string>([scope.entry.name]);
  const path = [{ step: steps.get(scope.entry.name)!, rest: [...successors(steps.get(scope.entry.name)!)] }];
  for (let top = path.at(-1); top; top = path.at(-1)) {
    const next = top.rest.pop();
    if (!next) order.push(path.pop()!.step);
    else if (!seen.has(next.name)) {
      seen.add(next.name);
      const step = steps.get(next.name)!;
      path.push({ step, rest: [...successors(step)] });
    }
  }
  return order;
}

/** The variable that holds the run's correlation value, where a workflow emits correlated events. */
export const correlationVariable = "correlation'";

/** The variables of its scope that a step reads, the scopes in it included; emitting one of the `correlated` events reads the correlation value. */
export function readsOf(step: Step, correlated: ReadonlySet<string>): ReadonlySet<string> {
  const reads = new Set<string>(step.kind === "emit" && correlated.has(step.event.name) ? [correlationVariable] : []);
  for (const expression of workExpressions(step)) for (const name of freeVariables(expression)) reads.add(name);
  for (const scope of innerScopes(step)) for (const name of outerReads(scope, correlated)) reads.add(name);
  if (step.kind === "foreach") {
    reads.delete(step.element);
    if (step.index !== undefined) reads.delete(step.index);
  }
  return reads;
}

/** The variables that a scope reads and does not declare. */
export function outerReads(scope: Scope, correlated: ReadonlySet<string>): ReadonlySet<string> {
  const reads = new Set(scope.steps.flatMap((step) => [...readsOf(step, correlated)]));
  for (const { name } of scope.variables) reads.delete(name);
  return reads;
}
