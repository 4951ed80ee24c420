import type { Step } from "../../generated/yawl-definition.ts";
import { spanOf } from "../shared/index.ts";
import type { Context } from "./context.ts";
import { backward, spinning, tooManySteps } from "./diagnostics/kinds.ts";
import { isWork, kindOf, nextOf } from "./kinds.ts";
import type { ScopePlan } from "./plan.ts";

/** A way from a step to another, and where it is written. */
interface Way {
  readonly to: string;
  readonly owner: object;
  readonly key: string;
}

/** What is wrong with the ways of all scopes: those that lead back, and rounds that may do nothing. */
export function checkWays(context: Context): void {
  const visit = (plan: ScopePlan): void => {
    checkBackward(context, plan);
    for (const [id, step] of Object.entries(plan.steps)) checkRounds(context, plan, id, step);
    for (const inner of plan.inner.values()) visit(inner);
  };
  visit(context.root);
}

/** The ways on from a step, as it says them. */
function waysOf(step: Step): readonly Way[] {
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
  const last: Way =
    typeof otherwise === "string"
      ? { to: otherwise, owner: step.switch, key: "default" }
      : { to: otherwise.next, owner: otherwise, key: "next" };
  return [...chosen, last];
}

/** Ways that close a circle: the language has no other loop than while steps, and does not say that it has this one. */
function checkBackward(context: Context, { steps, owner }: ScopePlan): void {
  const states = new Map<string, "open" | "done">();
  const roots = [owner.start, ...Object.keys(steps)].filter((id) => Object.hasOwn(steps, id));
  for (const root of roots) {
    if (states.has(root)) continue;
    states.set(root, "open");
    const open = [{ id: root, ways: waysOf(steps[root]!), at: 0 }];
    for (let top = open.at(-1); top; top = open.at(-1)) {
      const way = top.ways[top.at++];
      if (!way) {
        states.set(top.id, "done");
        open.pop();
      } else if (!Object.hasOwn(steps, way.to)) continue;
      else if (states.get(way.to) === "open") {
        const cycle = [...open.slice(open.findIndex(({ id }) => id === way.to)).map(({ id }) => id), way.to];
        context.report(backward(spanOf(context, way.owner, way.key), { cycle }));
      } else if (!states.has(way.to)) {
        states.set(way.to, "open");
        open.push({ id: way.to, ways: waysOf(steps[way.to]!), at: 0 });
      }
    }
  }
}

/** The most steps that a run may take. */
const mostSteps = 1000;

/** A while step whose rounds may do nothing, or must take more steps than a run may. */
function checkRounds(context: Context, plan: ScopePlan, id: string, step: Step): void {
  const loop = step.while;
  if (!loop) return;
  if (isIdle(plan.inner.get(loop.do)!)) context.report(spinning(spanOf(context, plan.steps, id, "key"), { id }));
  if (loop.condition === undefined && (loop.maxIterations ?? 0) > mostSteps)
    context.report(
      tooManySteps(spanOf(context, loop, "maxIterations"), { count: loop.maxIterations!, most: mostSteps }),
    );
}

/** Whether a scope may be gone through without any work. */
function isIdle({ owner, steps, inner }: ScopePlan): boolean {
  const seen = new Set<string>();
  const open = [owner.start];
  for (let id = open.pop(); id !== undefined; id = open.pop()) {
    const step = Object.hasOwn(steps, id) ? steps[id]! : undefined;
    if (!step || seen.has(id)) continue;
    seen.add(id);
    if (works(step, inner)) continue;
    if (kindOf(step) !== "switch" && nextOf(step) === undefined) return true;
    open.push(...waysOf(step).map(({ to }) => to));
  }
  return false;
}

/** Whether a step surely does some work: a parallel step where a branch does, a foreach or while step where its steps do. */
function works(step: Step, inner: ScopePlan["inner"]): boolean {
  const { foreach, parallel } = step;
  const scopes = foreach ? [foreach.do] : step.while ? [step.while.do] : Object.values(parallel?.branches ?? {});
  return isWork(kindOf(step)) || scopes.some((each) => !isIdle(inner.get(each)!));
}
