import { freeVariables } from "../../src/expressions/analysis/effects.ts";
import { expressionsOf, handlersOf, retriesOf, stepsById } from "../../src/ir/walk.ts";
import type { Attempt, Scope, Step } from "../../src/ir/workflow.ts";
import type { Memory } from "./memory.ts";

class Failure extends Error {}
class Over extends Error {}

/** A walk through a scope that is driven by decisions, with its memory. */
interface Walk {
  readonly memory: Memory;
  readonly seen: string[];
  /** Chooses one of several options; throws if it runs out of decisions. */
  decide(ways: number): number;
  /** Creates a unique value. */
  fresh(word: string): string;
}

/** The values read on a walk through a scope. */
export function readsOf(scope: Scope, decisions: readonly number[], memory: Memory): readonly string[] {
  let count = 0;
  let values = 0;
  const decide = (ways: number): number => {
    const decision = decisions[count++];
    if (decision === undefined) throw new Over();
    return decision % ways;
  };
  const walk: Walk = { memory, seen: [], decide, fresh: (word) => `${word} ${++values}` };
  try {
    walkScope(scope, walk);
  } catch (error) {
    if (!(error instanceof Failure || error instanceof Over)) throw error;
  }
  return walk.seen;
}

function walkScope(scope: Scope, walk: Walk): void {
  const steps = stepsById(scope);
  for (let id: string | undefined = scope.entry.name; id !== undefined; ) id = walkStep(steps.get(id)!, walk);
}

function walkStep(step: Step, walk: Walk): string | undefined {
  const { memory, seen, decide, fresh } = walk;
  for (const name of new Set(expressionsOf(step).flatMap((expression) => [...freeVariables(expression)])))
    seen.push(`${step.id} reads ${name}: ${memory.read(step, name)}`);
  if (step.kind === "end") return undefined;
  if (step.kind === "attempt") return walkAttempt(step, walk);
  const way = decide(2 + (step.kind === "choose" ? step.cases.length : handlersOf(step).length));
  if (way === 0 && decide(2) === 0) throw new Failure();
  if (step.kind === "choose") return step.cases[way - 1]?.next.name ?? step.otherwise!.name;
  if (way >= 2) return handled(step, way - 2, walk);
  if (step.kind === "assign") for (const { variable } of step.values) memory.set(step, variable, fresh("value"));
  if (step.kind === "call" && step.bind !== undefined) memory.set(step, step.bind, fresh("answer"));
  return step.next.name;
}

function walkAttempt(step: Attempt, walk: Walk): string {
  const { memory, decide, fresh } = walk;
  const putBack = memory.keep(stepsById(step.body).get(step.body.entry.name)!, step.restore);
  for (let isFirst = true; ; isFirst = false) {
    try {
      walkScope(step.body, walk);
      break;
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      const way = decide(2 + step.handlers.length);
      if (way >= 2) return handled(step, way - 2, walk);
      if (way === 0 || !isFirst || retriesOf(step).length === 0) throw error;
      putBack();
    }
  }
  if (step.bind !== undefined) memory.set(step, step.bind, fresh("answer"));
  return step.next.name;
}

function handled(step: Step, index: number, { memory, fresh }: Walk): string {
  const { next, bind } = handlersOf(step)[index]!;
  if (bind !== undefined) memory.set(step, bind, fresh("error"), index);
  return next.name;
}
