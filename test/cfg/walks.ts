import type { JumpItem, StructuredBlock, StructuredItem } from "../../src/cfg/tree.ts";
import { exits, handlersOf, stepsById } from "../../src/ir/walk.ts";
import type { Scope, Step } from "../../src/ir/workflow.ts";

/** Records the visited steps and the decision at each. */
export class Walk {
  readonly visits: string[] = [];
  readonly #decisions: readonly number[];
  aim = "";

  constructor(decisions: readonly number[]) {
    this.#decisions = decisions;
  }

  /** Returns the next decision, one of `count`. The walk ends after the last one. */
  decide(step: Step, count: number): number {
    const decision = this.#decisions[this.visits.length];
    if (decision === undefined) throw new Over();
    this.visits.push(`${step.id}: ${decision % count}`);
    return decision % count;
  }
}

class Over extends Error {}

/** The visits of a walk until it ends or runs out of decisions. */
export function visitsOf(decisions: readonly number[], go: (walk: Walk) => void): readonly string[] {
  const walk = new Walk(decisions);
  try {
    go(walk);
    walk.visits.push("done");
  } catch (error) {
    if (!(error instanceof Over)) throw error;
  }
  return walk.visits;
}

/** Walks through a scope from step to step. */
export function walkGraph(scope: Scope, walk: Walk): void {
  const steps = stepsById(scope);
  for (let id: string | undefined = scope.entry.name; id !== undefined; ) id = wayOf(steps.get(id)!, walk);
}

function wayOf(step: Step, walk: Walk): string | undefined {
  if (step.kind === "attempt") walkGraph(step.body, walk);
  const decision = walk.decide(step, countOf(step));
  if (step.kind === "end") return undefined;
  if (step.kind === "choose") return exits(step)[decision]?.name;
  return decision === 0 ? step.next.name : handlersOf(step)[decision - 1]!.next.name;
}

/** The number of outcomes of a step. A choice without a default may match no case. */
const countOf = (step: Step): number => {
  if (step.kind === "choose") return step.cases.length + 1;
  return 1 + handlersOf(step).length;
};

/** How a block is left: at its end, by a jump, or with the scope. */
type Exit = "completed" | "ended" | JumpItem;

/** Walks through a structured scope, as a program with loops and labels runs. */
export const walkTree = (block: StructuredBlock, walk: Walk): Exit => {
  for (const [i, item] of block.entries()) {
    const exit = walkItem(item, i === block.length - 1, walk);
    if (exit !== "completed") return exit;
  }
  return "completed";
};

function walkItem(item: StructuredItem, isLast: boolean, walk: Walk): Exit {
  switch (item.kind) {
    case "step":
      return walkAct(item, isLast, walk);
    case "branch":
      return walkBranch(item, walk);
    case "loop":
      for (;;) {
        const exit = walkTree(item.body, walk);
        if (exit === "ended" || (exit !== "completed" && exit.label !== item.label)) return exit;
        if (exit !== "completed" && exit.kind === "break") return "completed";
      }
    case "labeled": {
      const exit = walkTree(item.body, walk);
      return typeof exit === "object" && exit.kind === "break" && exit.label === item.label ? "completed" : exit;
    }
    case "select":
      walk.aim = item.target;
      return "completed";
    default:
      return item;
  }
}

function walkAct(
  { step, body, handlers }: Extract<StructuredItem, { kind: "step" }>,
  isLast: boolean,
  walk: Walk,
): Exit {
  if (body) {
    const exit = walkTree(body, walk);
    if (exit !== "ended") throw new Error(`The body of ${step.id} does not end.`);
  }
  const decision = walk.decide(step, countOf(step));
  if (step.kind === "end") return "ended";
  if (decision === 0) return "completed";
  const exit = walkTree(handlers[decision - 1]!, walk);
  if (exit === "completed" && !isLast) throw new Error(`A handler of ${step.id} goes on to what comes after it.`);
  return exit;
}

function walkBranch({ by, arms, otherwise }: Extract<StructuredItem, { kind: "branch" }>, walk: Walk): Exit {
  if (by.kind === "select") return walkTree(arms[by.targets.indexOf(walk.aim)]!, walk);
  const arm = arms[walk.decide(by.step, countOf(by.step))] ?? otherwise;
  return arm ? walkTree(arm, walk) : "ended";
}

/** The steps in a structured scope, in order. */
export function stepsIn(block: StructuredBlock): readonly string[] {
  return block.flatMap((item): readonly string[] => {
    switch (item.kind) {
      case "step":
        return [item.step.id, ...[item.body ?? [], ...item.handlers].flatMap(stepsIn)];
      case "branch":
        return [
          ...(item.by.kind === "step" ? [item.by.step.id] : []),
          ...[...item.arms, item.otherwise ?? []].flatMap(stepsIn),
        ];
      case "loop":
      case "labeled":
        return stepsIn(item.body);
      default:
        return [];
    }
  });
}
