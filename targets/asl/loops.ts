import { stronglyConnectedComponents } from "../../src/analysis/components.ts";
import { type Expression, isBinary } from "../../src/expressions/index.ts";
import { scopesOf, successors } from "../../src/ir/walk.ts";
import type { Scope, Step, Workflow } from "../../src/ir/workflow.ts";
import { edgesOf, iterationEvents, leastEvents, maxHistoryEvents, shortestHistory } from "./history.ts";
import type { Machine, MachineState, StateKey } from "./machine.ts";

/** A loop whose number of rounds the definition does not limit, and how many rounds one history allows at most. */
export interface UnlimitedLoop {
  /** The step of its first state. */
  readonly step: string;
  readonly kind: "rounds" | "elements";
  readonly most: number;
  /** The type of the innermost state around it, if any. */
  readonly within: "Parallel" | "Map" | undefined;
}

/** Whether the rounds of a loop of steps that act are not limited in a scope itself. */
export function hasUnlimitedRounds(scope: Scope): boolean {
  const repeated = new Set(repeatedSteps(scope));
  return scope.steps.some(({ id, kind }) => repeated.has(id) && !["assign", "choose", "end"].includes(kind));
}

/** The unlimited loops of a machine that call, wait or run iterations. Child executions have their own histories. */
export function unlimitedLoops(machine: Machine, workflow: Workflow): readonly UnlimitedLoop[] {
  const repeated = new Set(scopesOf(workflow).flatMap(({ scope }) => repeatedSteps(scope)));
  const others = shortestHistory(machine).events;
  const room = maxHistoryEvents - Math.min(others, maxHistoryEvents);
  return loopsIn(machine, repeated).map(({ events, ...loop }) => ({
    ...loop,
    most: Math.floor(room / events),
  }));
}

interface CostlyLoop extends Omit<UnlimitedLoop, "most"> {
  /** What a round adds to the history at least. */
  readonly events: number;
}

function loopsIn(
  machine: Machine,
  repeated: ReadonlySet<string>,
  within?: UnlimitedLoop["within"],
): readonly CostlyLoop[] {
  const inner = machine.states.flatMap((state) => [
    ...elementsOf(state, within),
    ...(state.branches ?? []).flatMap((branch) => loopsIn(branch, repeated, "Parallel")),
    ...(state.processor && !state.isDistributed ? loopsIn(state.processor, repeated, "Map") : []),
  ]);
  return [...cyclesOf(machine, repeated).map((loop) => ({ ...loop, within })), ...inner];
}

function elementsOf(
  { step, processor, itemCount, isDistributed }: MachineState,
  within: UnlimitedLoop["within"],
): readonly CostlyLoop[] {
  if (!processor || itemCount !== undefined || isDistributed) return [];
  const own = leastEvents(processor);
  return Number.isFinite(own) ? [{ step, kind: "elements", events: iterationEvents + own, within }] : [];
}

/** The cycles among the states of steps that may be repeated without limit. */
function cyclesOf({ states }: Machine, repeated: ReadonlySet<string>): readonly Omit<CostlyLoop, "within">[] {
  const members = new Map(states.filter(({ step }) => repeated.has(step)).map((state) => [state.key, state]));
  const next = (state: MachineState): readonly MachineState[] =>
    edgesOf(state).flatMap(([, key]) => (key === undefined ? [] : (members.get(key) ?? [])));
  return stronglyConnectedComponents(members.values(), next).flatMap((component) => {
    const inside = new Set(component);
    const first = states.find((state) => inside.has(state))!;
    const acts = component.some(({ type }) => ["Task", "Wait", "Parallel", "Map"].includes(type));
    const events = acts ? cheapestRound(first, new Map(component.map((state) => [state.key, state]))) : undefined;
    const isLeft = component.some((state) => edgesOf(state).some(([, key]) => !hasKey(component, key)));
    return events !== undefined && isLeft ? [{ step: first.step, kind: "rounds", events }] : [];
  });
}

const hasKey = (states: readonly MachineState[], key: StateKey | undefined): boolean =>
  states.some((state) => state.key === key);

/** The fewest events of a path from a state back to it; undefined without one. */
function cheapestRound(first: MachineState, members: ReadonlyMap<StateKey, MachineState>): number | undefined {
  const least = new Map<StateKey, number>();
  const pending: (readonly [state: MachineState, events: number])[] = [[first, 0]];
  for (const [state, events] of pending) {
    for (const [own, key] of edgesOf(state)) {
      const target = key === undefined ? undefined : members.get(key);
      const total = events + own;
      if (!target || !Number.isFinite(total) || total >= (least.get(target.key) ?? Number.POSITIVE_INFINITY)) continue;
      least.set(target.key, total);
      if (target !== first) pending.push([target, total]);
    }
  }
  return least.get(first.key);
}

/** The steps on cycles that no counter ends after few rounds, such as those of retries. */
function repeatedSteps(scope: Scope): readonly string[] {
  const byId = new Map(scope.steps.map((step) => [step.id, step]));
  const counters = countersOf(scope);
  const next = (step: Step): readonly Step[] =>
    unlimitedSuccessors(step, counters).flatMap((name) => byId.get(name) ?? []);
  const isCyclic = (component: readonly Step[]): boolean =>
    component.length > 1 || component.some((step) => next(step).includes(step));
  return stronglyConnectedComponents(scope.steps, next)
    .filter(isCyclic)
    .flatMap((component) => component.map(({ id }) => id));
}

function unlimitedSuccessors(step: Step, counters: ReadonlySet<string>): readonly string[] {
  if (step.kind !== "choose") return successors(step).map(({ name }) => name);
  const open = step.cases.filter(({ when }) => !isLimited(when, counters));
  return [...open.map(({ next }) => next.name), ...(step.otherwise ? [step.otherwise.name] : [])];
}

/** Rounds that are not worth a report. */
const fewRounds = 1000;

function isLimited(condition: Expression, counters: ReadonlySet<string>): boolean {
  if (condition.kind !== "call") return false;
  if (condition.name === "and") return condition.args.some((part) => isLimited(part, counters));
  if (!isBinary(condition) || condition.name !== "<") return false;
  const [count, limit] = condition.args;
  return (
    count.kind === "variable" &&
    counters.has(count.name) &&
    limit.kind === "literal" &&
    Number(limit.value) <= fewRounds
  );
}

/** The variables that steps only set to a constant or increment. */
function countersOf({ steps }: Scope): ReadonlySet<string> {
  const set = new Set<string>();
  const others = new Set<string>();
  for (const step of steps) {
    if ("bind" in step && step.bind !== undefined) others.add(step.bind);
    if (step.kind !== "assign") continue;
    for (const { variable, value } of step.values) (isCount(value, variable) ? set : others).add(variable);
  }
  return new Set([...set].filter((name) => !others.has(name)));
}

function isCount(value: Expression, name: string): boolean {
  if (value.kind === "literal") return true;
  if (value.kind !== "call" || !isBinary(value) || value.name !== "+") return false;
  const [count, step] = value.args;
  return count.kind === "variable" && count.name === name && step.kind === "literal" && Number(step.value) > 0;
}
