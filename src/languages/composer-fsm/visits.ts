import type { Composition, State, TaskState } from "../../generated/composer-fsm-definition.ts";
import { isObject, own } from "../../json.ts";
import { createStacks, effectOf, type Stack, type StackEffect } from "./stack.ts";

/** A state as some way leads to it: with something on the stack. A state that is reached with different things there is visited several times. */
export interface Visit {
  readonly name: string;
  readonly state: State;
  readonly stack: Stack | undefined;
  /** What it leaves on the stack, or what of it cannot be. */
  readonly effect: StackEffect;
}

/** All visits that a run can make. */
export interface Visits {
  /** In the order in which they are found, the first state first. */
  readonly all: readonly Visit[];
  /** By the names of their states. */
  readonly byState: ReadonlyMap<string, readonly Visit[]>;
  /** The visit of a state with a stack; undefined where there is no such state. */
  at(name: string, stack: Stack | undefined): Visit | undefined;
  /** The state where the stack was found to grow without end; there may then be more visits than are told. */
  readonly growing: string | undefined;
}

/** A way out of a visit: to a state, with a stack. */
export interface VisitEdge {
  readonly to: string;
  readonly stack: Stack | undefined;
}

/** Follows all ways from the first state: what any run can visit is among the visits, except for what an error of an action or a function never does. */
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

/** With so many different stacks a state is visited; with more, the stack is taken to grow without end. */
const maxStacks = 16;

/** So many things are on a stack at most. */
const maxFrames = 1000;

/** The ways out of a visit, those that exist and those whose states do not. */
export function edgesOf(visit: Visit): readonly VisitEdge[] {
  const error = visit.state.Type === "Task" && outcomesOf(visit.state).fails ? errorEdge(visit.stack) : undefined;
  return [...successEdges(visit), ...(error ? [error] : [])];
}

/** The ways out of a visit that does its work without an error. */
function successEdges({ state, effect }: Visit): readonly VisitEdge[] {
  if (effect.kind === "violation" || (state.Type === "Task" && !outcomesOf(state).succeeds)) return [];
  const { stack } = effect;
  if (state.Type === "Choice") return [state.Then, state.Else].map((to) => ({ to, stack }));
  return state.Next === undefined ? [] : [{ to: state.Next, stack }];
}

/** Where an error goes: to the uppermost handler, with what is below it; undefined where there is none. */
export const errorEdge = (stack: Stack | undefined): VisitEdge | undefined =>
  stack?.handled && { to: stack.handled.top.handler, stack: stack.handled.below };

/** Whether a Task state can go on, and whether it can fail: a value is an error or none, of actions and functions nobody knows. */
export function outcomesOf(state: TaskState): { readonly succeeds: boolean; readonly fails: boolean } {
  const { Action, Value } = state;
  if (Action !== undefined || Value === undefined) return { succeeds: true, fails: true };
  const fails = isObject(Value) && Object.hasOwn(Value, "error");
  return { succeeds: !fails, fails };
}
