import type { Composition, State, TaskState } from "../../generated/composer-fsm-definition.ts";
import { isObject, own } from "../../json.ts";
import { createStacks, effectOf, type Stack, type StackEffect } from "./stack.ts";

/** A state with the stack on entry: different stacks are different visits. */
export interface Visit {
  readonly name: string;
  readonly state: State;
  readonly stack: Stack | undefined;
  readonly effect: StackEffect;
}

/** The visits that a run can make. */
export interface Visits {
  readonly all: readonly Visit[];
  readonly byState: ReadonlyMap<string, readonly Visit[]>;
  at(name: string, stack: Stack | undefined): Visit | undefined;
  /** The visits are incomplete if the stack grows without bound. */
  readonly growing: string | undefined;
}

/** An edge to a state, with its stack. */
export interface VisitEdge {
  readonly to: string;
  readonly stack: Stack | undefined;
}

/** Finds all reachable visits. */
export function findVisits({ Entry, States }: Composition): Visits {
  const push = createStacks();
  const all: Visit[] = [];
  const byState = new Map<string, Visit[]>();
  const byStack = new Map<Stack | undefined, Map<string, Visit>>();
  const pending: VisitEdge[] = [];
  let growing: string | undefined;
  const reach = ({ to, stack }: VisitEdge): void => {
    const state = own(States, to);
    const here = byStack.get(stack) ?? new Map<string, Visit>();
    byStack.set(stack, here);
    if (!state || here.has(to)) return;
    const known = byState.get(to) ?? [];
    if (known.length >= maxStacks || (stack?.depth ?? 0) > maxFrames) {
      growing ??= to;
      return;
    }
    const visit: Visit = { name: to, state, stack, effect: effectOf(state, stack, push) };
    all.push(visit);
    here.set(to, visit);
    byState.set(to, [...known, visit]);
    pending.push(...edgesOf(visit).toReversed());
  };
  reach({ to: Entry, stack: undefined });
  for (let edge = pending.pop(); edge; edge = pending.pop()) reach(edge);
  return { all, byState, at: (name, stack) => byStack.get(stack)?.get(name), growing };
}

/** More stacks per state are assumed to grow without bound. */
const maxStacks = 16;

const maxFrames = 1000;

/** The edges of a visit, also to unknown states. */
export function edgesOf(visit: Visit): readonly VisitEdge[] {
  const error = visit.state.Type === "Task" && outcomesOf(visit.state).fails ? errorEdge(visit.stack) : undefined;
  return [...successEdges(visit), ...(error ? [error] : [])];
}

function successEdges({ state, effect }: Visit): readonly VisitEdge[] {
  if (effect.kind === "violation" || (state.Type === "Task" && !outcomesOf(state).succeeds)) return [];
  const { stack } = effect;
  if (state.Type === "Choice") return [state.Then, state.Else].map((to) => ({ to, stack }));
  return state.Next === undefined ? [] : [{ to: state.Next, stack }];
}

/** The edge to the topmost handler, with the stack below it. */
export const errorEdge = (stack: Stack | undefined): VisitEdge | undefined =>
  stack?.handled && { to: stack.handled.top.handler, stack: stack.handled.below };

/** Whether a Task state can succeed or fail. */
export function outcomesOf(state: TaskState): { readonly succeeds: boolean; readonly fails: boolean } {
  const { Action, Value } = state;
  if (Action !== undefined || Value === undefined) return { succeeds: true, fails: true };
  const fails = isObject(Value) && Object.hasOwn(Value, "error");
  return { succeeds: !fails, fails };
}
