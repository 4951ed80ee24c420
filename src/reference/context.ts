import type { SimulatedEnvironment } from "../environment/environment.ts";
import { type Expression, evaluateAll, evaluateOne } from "../expressions/index.ts";
import { scopesOf, stepsById } from "../ir/walk.ts";
import type { Program, Scope, Step, Window, Workflow } from "../ir/workflow.ts";
import type { Json } from "../json.ts";
import type { Activities } from "./activities.ts";
import type { EventService } from "./events.ts";
import { failureOf } from "./failure.ts";

/** One run of a workflow. A subflow has its own, in the same environment. */
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
  /** The correlation value, if known. */
  token: Json | undefined;
  /** The scheduler that it shares with its subflows. */
  readonly activities: Activities;
  /** Numbers the events that it and its subflows emit, for their ids. */
  readonly emitted: { count: number };
  /** Numbers detached subflows, for their positions. */
  readonly detached: { count: number };
  /** The number of subflows that wait for each other, up to this one. */
  readonly depth: number;
  /** Stop the detached subflows that end with it. */
  readonly children: Set<() => void>;
}

/** The variables of a scope, and read access to those of enclosing scopes. */
export interface Environment {
  readonly own: Map<string, Json>;
  get(name: string): Json | undefined;
}

/** The context in which a step is executed. */
export interface Context {
  readonly run: Run;
  readonly environment: Environment;
  /** Indexes of the enclosing branches and iterations, outermost first. */
  readonly position: readonly number[];
}

/** Creates an environment nested in another. */
export function environmentIn(
  outer: { get(name: string): Json | undefined } | undefined,
  own: Map<string, Json>,
): Environment {
  return { own, get: (name) => (own.has(name) ? own.get(name) : outer?.get(name)) };
}

/** Evaluates an expression to its one value. Throws a `StepFailure`. */
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

/** Evaluates an expression to its first value, if any. */
export function firstOf(expression: Expression, variables: ReadonlyMap<string, Json>): Json | undefined {
  return evaluateAll(expression, { input: null, variables })[0];
}

const withExtra = (environment: Environment, extra: ReadonlyMap<string, Json>) => ({
  get: (name: string) => (extra.has(name) ? extra.get(name) : environment.get(name)),
});

/** The environment at the start of a scope: its variables with their initial values. */
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

/** The steps of all scopes of a program, by id. */
export type StepIndex = ReadonlyMap<Scope, ReadonlyMap<string, Step>>;

/** Indexes the steps of a program. */
export const indexSteps = ({ workflows }: Program): StepIndex =>
  new Map(workflows.flatMap((workflow) => scopesOf(workflow).map(({ scope }) => [scope, stepsById(scope)] as const)));

/** Finds a step of a scope by id. */
export function stepOf(scope: Scope, id: string, { steps }: Run): Step {
  const step = steps.get(scope)?.get(id);
  if (!step) throw new Error(`There is no step ${id}.`);
  return step;
}

/** Whether a window contains an instant, in milliseconds since 1970. */
export function isActive(window: Window | undefined, now: number): boolean {
  if (!window) return true;
  return (
    !(window.from !== undefined && now < Date.parse(window.from)) &&
    !(window.until !== undefined && now >= Date.parse(window.until))
  );
}
