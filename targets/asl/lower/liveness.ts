import { freeVariables } from "../../../src/expressions/facts.ts";
import { assigned, handlersOf, innerScopes, successors, workExpressions } from "../../../src/ir/walk.ts";
import type { Scope, Step } from "../../../src/ir/workflow.ts";
import type { FlatScope, FlatStep } from "../legalize/flatten.ts";

/** For each step the variables whose values it, or a step after it, reads before they are set again. */
export type Liveness = ReadonlyMap<string, ReadonlySet<string>>;

/** Finds them by going backward through the scope until nothing changes; a scope with few loops takes two rounds. */
export function liveness(scope: FlatScope, correlated: ReadonlySet<string>): Liveness {
  const steps = new Map(scope.steps.map((step) => [step.id, step]));
  const live = new Map<string, Set<string>>();
  const order = postorder(scope, steps);
  const facts = new Map(order.map((step) => [step.id, { reads: readsOf(step, correlated), writes: writesOf(step) }]));
  for (let changed = true; changed; ) {
    changed = false;
    for (const step of order) {
      const { reads, writes } = facts.get(step.id)!;
      const before = live.get(step.id);
      const now = new Set(reads);
      for (const { name } of successors(step)) for (const variable of live.get(name) ?? []) if (!writes.has(variable)) now.add(variable);
      if (before && before.size === now.size) continue;
      live.set(step.id, now);
      changed = true;
    }
  }
  return live;
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

/** What a step sets on every way out of it: a handler's variable is set on one of them only. */
function writesOf(step: FlatStep): ReadonlySet<string> {
  const names = new Set(assigned(step));
  if (step.kind !== "assign") for (const { bind } of handlersOf(step)) if (bind !== undefined && !("bind" in step && step.bind === bind)) names.delete(bind);
  if ("bind" in step && step.bind !== undefined && handlersOf(step).length > 0) names.delete(step.bind);
  return names;
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
