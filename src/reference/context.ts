import type { SimulatedEnvironment } from "../environment/environment.ts";
import { type Expression, evaluateAll, evaluateOne } from "../expressions/index.ts";
import { scopesOf, stepsById } from "../ir/walk.ts";
import type { Program, Scope, Step, Window, Workflow } from "../ir/workflow.ts";
import type { Json } from "../json.ts";
import type { Activities } from "./activities.ts";
import type { EventService } from "./events.ts";
import { failureOf } from "./failure.ts";

/** One run of one workflow: a subflow's run has its own, in the same world. */
export interface Run {
  readonly program: Program;
  readonly workflow: Workflow;
  readonly simulated: SimulatedEnvironment;
  readonly steps: StepIndex;
  readonly events: EventService;
  /** Its name as a receiver of events. */
  readonly subscriber: string;
  /** Older runs receive events first: the number of the root run, then its own. */
  readonly age: readonly number[];
  /** The correlation value, once there is one. */
  token: Json | undefined;
  /** All that goes on in it and in the runs that it belongs to. */
  readonly activities: Activities;
  /** Counts the events that it and the runs it belongs to have produced, so that each has an id of its own. */
  readonly emitted: { count: number };
  /** Counts the subflows that nobody waits for: each has a position behind all that was there before. */
  readonly detached: { count: number };
}

/** Variables of a scope and, for reading, of those around it. */
export interface Environment {
  readonly own: Map<string, Json>;
  get(name: string): Json | undefined;
}

/** Where a step is executed. */
export interface Context {
  readonly run: Run;
  readonly environment: Environment;
  /** Indexes of the branches and elements around it, outermost first. */
  readonly position: readonly number[];
}

/** An environment with its own variables, in front of another. */
export function environmentIn(
  outer: { get(name: string): Json | undefined } | undefined,
  own: Map<string, Json>,
): Environment {
  return { own, get: (name) => (own.has(name) ? own.get(name) : outer?.get(name)) };
}

/** The one value of an expression; fails as the step does. */
export function compute(
  expression: Expression,
  { environment }: Pick<Context, "environment">,
  extra?: ReadonlyMap<string, Json>,
): Json {
  try {
    return evaluateOne(expression, { input: null, variables: extra ? withExtra(environment, extra) : environment });
  } catch (error) {
    throw failureOf(error);
  }
}

/** The first value of an expression that may have none. */
export function firstOf(expression: Expression, variables: ReadonlyMap<string, Json>): Json | undefined {
  return evaluateAll(expression, { input: null, variables })[0];
}

const withExtra = (environment: Environment, extra: ReadonlyMap<string, Json>) => ({
  get: (name: string) => (extra.has(name) ? extra.get(name) : environment.get(name)),
});

/** The environment that a scope starts in: its variables, with first values over those around it. */
export function enter(
  scope: Scope,
  outer: Environment | undefined,
  given: ReadonlyMap<string, Json> = new Map(),
): Environment {
  const seen = environmentIn(outer, new Map(given));
  const own = new Map(given);
  for (const { name, initial } of scope.variables) {
    if (!given.has(name)) own.set(name, initial ? compute(initial, { environment: seen }) : null);
  }
  return environmentIn(outer, own);
}

/** The steps of all scopes of a program by their ids, for one run and the subflows that it starts. */
export type StepIndex = ReadonlyMap<Scope, ReadonlyMap<string, Step>>;

/** Indexes the steps of a program. */
export const indexSteps = ({ workflows }: Program): StepIndex =>
  new Map(workflows.flatMap((workflow) => scopesOf(workflow).map(({ scope }) => [scope, stepsById(scope)] as const)));

/** A step of a scope by its id. */
export function stepOf(scope: Scope, id: string, { steps }: Run): Step {
  const step = steps.get(scope)?.get(id);
  if (!step) throw new Error(`There is no step ${id}.`);
  return step;
}

/** Whether an instant (in milliseconds) lies in a window. */
export function isActive(window: Window | undefined, now: number): boolean {
  if (!window) return true;
  return (
    !(window.from !== undefined && now < Date.parse(window.from)) &&
    !(window.until !== undefined && now >= Date.parse(window.until))
  );
}
