import type { Step } from "../../generated/yawl-definition.ts";
import { spanOf } from "../shared/properties.ts";
import type { Context } from "./context.ts";
import { backwardTransition, idleLoop, tooManySteps } from "./diagnostics/kinds.ts";
import type { ScopePlan } from "./plan.ts";
import { isWork, kindOf, nextStepId } from "./step-kinds.ts";

interface StepEdge {
  readonly to: string;
  readonly owner: object;
  readonly key: string;
}

/** Reports backward edges, idle loops, and runs with too many steps. */
export function checkEdges(context: Context): void {
  let isLong = false;
  const cache: MinimumCache = new Map();
  const visit = (plan: ScopePlan): void => {
    checkBackward(context, plan);
    for (const [id, step] of Object.entries(plan.steps)) {
      checkRounds(context, plan, id, step);
      isLong = checkCount(context, plan, step, cache) || isLong;
    }
    for (const inner of plan.inner.values()) visit(inner);
  };
  visit(context.root);
  const least = isLong ? 0 : minimumOf(context.root, cache).steps;
  if (least > maxSteps)
    context.report(
      tooManySteps(spanOf(context, context.definition, "start"), {
        what: "every run of this workflow",
        most: maxSteps,
      }),
    );
}

function edgesOf(step: Step): readonly StepEdge[] {
  const kind = kindOf(step);
  const { next } = step[kind] as { readonly next?: string };
  const onward = next === undefined ? [] : [{ to: next, owner: step[kind]!, key: "next" }];
  const caught = ((step[kind] as { readonly catch?: readonly { readonly next: string }[] }).catch ?? []).map(
    (rule) => ({ to: rule.next, owner: rule, key: "next" }),
  );
  if (!step.switch) return [...onward, ...caught];
  const { choices, default: otherwise } = step.switch;
  const chosen = choices.map((choice) => ({ to: choice.next, owner: choice, key: "next" }));
  if (otherwise === undefined) return chosen;
  const last: StepEdge =
    typeof otherwise === "string"
      ? { to: otherwise, owner: step.switch, key: "default" }
      : { to: otherwise.next, owner: otherwise, key: "next" };
  return [...chosen, last];
}

/** The documentation defines no loops except while steps. */
function checkBackward(context: Context, { steps, owner }: ScopePlan): void {
  const states = new Map<string, "open" | "done">();
  const roots = [owner.start, ...Object.keys(steps)].filter((id) => Object.hasOwn(steps, id));
  for (const root of roots) {
    if (states.has(root)) continue;
    states.set(root, "open");
    const open = [{ id: root, edges: edgesOf(steps[root]!), at: 0 }];
    for (let top = open.at(-1); top; top = open.at(-1)) {
      const edge = top.edges[top.at++];
      if (!edge) {
        states.set(top.id, "done");
        open.pop();
      } else if (!Object.hasOwn(steps, edge.to)) continue;
      else if (states.get(edge.to) === "open") {
        const cycle = [...open.slice(open.findIndex(({ id }) => id === edge.to)).map(({ id }) => id), edge.to];
        context.report(backwardTransition(spanOf(context, edge.owner, edge.key), { cycle }));
      } else if (!states.has(edge.to)) {
        states.set(edge.to, "open");
        open.push({ id: edge.to, edges: edgesOf(steps[edge.to]!), at: 0 });
      }
    }
  }
}

function checkRounds(context: Context, plan: ScopePlan, id: string, step: Step): void {
  if (step.while && isIdle(plan.inner.get(step.while.do)!))
    context.report(idleLoop(spanOf(context, plan.steps, id, "key"), { id }));
}

function checkCount(context: Context, plan: ScopePlan, step: Step, cache: MinimumCache): boolean {
  if (!step.while || stepCost(step, plan.inner, cache) <= maxSteps) return false;
  context.report(
    tooManySteps(spanOf(context, step.while, "max_iterations"), { what: "this loop alone", most: maxSteps }),
  );
  return true;
}

const maxSteps = 1000;

interface ScopeMinimum {
  /** At most one above the limit; 0 if the scope never ends. */
  readonly steps: number;
  readonly endsRun: boolean;
}

type MinimumCache = Map<ScopePlan, ScopeMinimum>;

function minimumOf(plan: ScopePlan, cache: MinimumCache): ScopeMinimum {
  const found = cache.get(plan) ?? {
    steps: minimumSteps(plan, cache),
    endsRun: Object.values(plan.steps).some((step) => endsRun(step, plan.inner, cache)),
  };
  cache.set(plan, found);
  return found;
}

function minimumSteps({ owner, steps, inner }: ScopePlan, cache: MinimumCache): number {
  const waiting: string[][] = [[owner.start]];
  const seen = new Set<string>();
  for (let taken = 0; taken <= maxSteps; taken++) {
    for (const id of waiting[taken] ?? []) {
      const step = Object.hasOwn(steps, id) ? steps[id]! : undefined;
      if (!step) return taken;
      if (seen.has(id)) continue;
      seen.add(id);
      const after = Math.min(taken + stepCost(step, inner, cache), maxSteps + 1);
      const mayLeave = (nextStepId(step) === undefined && !step.switch) || endsRun(step, inner, cache);
      const edges = [...edgesOf(step).map(({ to }) => to), ...(mayLeave ? [scopeExit] : [])];
      for (const to of edges) {
        waiting[after] ??= [];
        waiting[after].push(to);
      }
    }
  }
  return waiting[maxSteps + 1] ? maxSteps + 1 : 0;
}

/** No step has this id. */
const scopeExit = "";

/** A loop body that may end the run counts once. */
function stepCost(step: Step, inner: ScopePlan["inner"], cache: MinimumCache): number {
  const least = (scope: object): ScopeMinimum => minimumOf(inner.get(scope)!, cache);
  const branches = Object.values(step.parallel?.branches ?? {}).map(least);
  const { condition, max_iterations: rounds } = step.while ?? {};
  if (!step.while || condition !== undefined || typeof rounds !== "number")
    return branches.reduce((sum, { steps }) => sum + steps, 1);
  const round = least(step.while.do);
  return 1 + (round.endsRun ? Math.min(1, rounds) : rounds) * round.steps;
}

function endsRun(
  { success, fail, parallel, foreach, while: loop }: Step,
  inner: ScopePlan["inner"],
  cache: MinimumCache,
): boolean {
  const scopes = [...Object.values(parallel?.branches ?? {}), foreach?.do, loop?.do];
  return (
    success !== undefined ||
    fail !== undefined ||
    scopes.some((scope) => scope !== undefined && minimumOf(inner.get(scope)!, cache).endsRun)
  );
}

function isIdle({ owner, steps, inner }: ScopePlan): boolean {
  const seen = new Set<string>();
  const open = [owner.start];
  for (let id = open.pop(); id !== undefined; id = open.pop()) {
    const step = Object.hasOwn(steps, id) ? steps[id]! : undefined;
    if (!step || seen.has(id)) continue;
    seen.add(id);
    if (doesWork(step, inner)) continue;
    if (kindOf(step) !== "switch" && nextStepId(step) === undefined) return true;
    open.push(...edgesOf(step).map(({ to }) => to));
  }
  return false;
}

function doesWork(step: Step, inner: ScopePlan["inner"]): boolean {
  const { foreach, parallel } = step;
  const scopes = foreach ? [foreach.do] : step.while ? [step.while.do] : Object.values(parallel?.branches ?? {});
  return isWork(kindOf(step)) || scopes.some((each) => !isIdle(inner.get(each)!));
}
