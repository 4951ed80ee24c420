import { shapeOf } from "../../expressions/index.ts";
import { stepsById } from "../../ir/walk.ts";
import type { Scope, Step } from "../../ir/workflow.ts";
import { never, nullShape, type Shape } from "../../shapes/shape.ts";
import { union } from "../../shapes/union.ts";
import { areEqual, joined, type Variables, widened } from "./shapes.ts";
import { perform } from "./steps.ts";

/** What is known while a workflow is followed. */
export interface Flow {
  /** The variables with which each step can begin; steps that cannot be reached have none. */
  readonly before: Map<string, Variables>;
  /** What the steps give that end the whole run. */
  readonly ends: Shape[];
  /** The variable that holds the workflow's document. */
  readonly document: string;
  /** What another workflow of the program gives. */
  readonly outputOf: (workflow: string) => Shape;
  /** How many steps may still be looked at. */
  left: number;
}

/** What comes of following a scope. */
export interface Followed {
  /** What it ends with, where it does not fail; never where it does not end. */
  readonly value: Shape;
  /** The variables with which it ends. */
  readonly exit: Variables | undefined;
  /** The variables at any time in it, if that was asked for; else those with which it begins. */
  readonly anywhere: Variables;
}

/** Thrown when a workflow is too large, or its variables change too often, to be followed. */
export class TooMuch extends Error {}

/** How often a step is looked at with other variables, before those that still change can be anything. */
const patience = 6;

/** Follows the ways through a scope until nothing new comes up. `shares`: what its variables are in the midst of it matters outside. */
export function follow(scope: Scope, variables: Variables, flow: Flow, shares = false): Followed {
  const steps = stepsById(scope);
  const visits = new Map<string, number>();
  const ends: { shape: Shape; variables: Variables }[] = [];
  const waiting = new Set<string>();
  let anywhere = variables;
  const pass = (now: Variables) => {
    if (shares) anywhere = joined(anywhere, now);
  };
  const send = (id: string, now: Variables) => {
    pass(now);
    const before = visits.has(id) ? flow.before.get(id)! : undefined;
    const next = before ? joined(before, now) : now;
    if (before && areEqual(before, next)) return;
    const count = (visits.get(id) ?? 0) + 1;
    visits.set(id, count);
    flow.before.set(id, before && count > patience ? widened(before, next) : next);
    waiting.add(id);
  };
  send(scope.entry.name, variables);
  const ways: Ways = { send, pass, end: (shape, now) => void ends.push({ shape, variables: now }) };
  for (const id of waiting) {
    waiting.delete(id);
    const step = steps.get(id);
    if (step) look(step, flow, ways);
  }
  const value = union(
    scope.window ? (variables.get(flow.document) ?? nullShape) : never,
    ...ends.map(({ shape }) => shape),
  );
  const exits = [...(scope.window ? [variables] : []), ...ends.map((each) => each.variables)];
  return { value, exit: exits.length > 0 ? exits.reduce(joined) : undefined, anywhere };
}

/** What a step does with what is known. */
export interface Ways {
  /** Goes on to a step. */
  send(id: string, variables: Variables): void;
  /** Ends the scope. */
  end(shape: Shape, variables: Variables): void;
  /** Variables that there are for a while. */
  pass(variables: Variables): void;
}

function look(step: Step, flow: Flow, ways: Ways): void {
  flow.left -= 1;
  if (flow.left < 0) throw new TooMuch();
  perform(step, flow.before.get(step.id)!, flow, ways);
}

/** The variables with which a scope begins: its own with their first values, in front of those around it. */
export function entered(scope: Scope, outer: Variables, given: Variables = new Map()): Variables {
  const seen = new Map([...outer, ...given]);
  const own = new Map(given);
  for (const { name, initial } of scope.variables)
    if (!given.has(name)) own.set(name, initial ? shapeOf(initial, seen) : nullShape);
  return new Map([...outer, ...own]);
}
