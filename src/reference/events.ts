import type { SimulatedEnvironment } from "../environment/environment.ts";
import { createMemoryBroker, type MemoryBroker, type StartedRun } from "../events/memory.ts";
import type { Answer } from "../events/partition.ts";
import { defaultSource, givenAttributes } from "../ir/emitted-events.ts";
import type { Emit, EventDefinition, Program, Receive, Workflow } from "../ir/workflow.ts";
import { isObject, type Json, type JsonObject, setOwn } from "../json.ts";
import { type Work, waiting } from "./activities.ts";
import { type Context, compute } from "./context.ts";
import { errorValueOf, StepFailure } from "./failure.ts";
import { correlationOf, rulesOf, variablesOf, waitName } from "./rules.ts";

/** What the runs of a simulation share to receive events. */
export interface EventService {
  readonly broker: MemoryBroker;
  /** Numbers runs, and subflows in them, by their beginning. */
  nextAge(): number;
  nextWait(): string;
  /** Waits for the events that start a run of a workflow; never resolves if they do not arrive. */
  untilStarted(workflow: Workflow, environment: SimulatedEnvironment): Promise<StartedRun>;
}

/** The event service of the simulation that an environment belongs to. */
export function eventServiceOf(program: Program, environment: SimulatedEnvironment): EventService {
  const known = services.get(environment.simulation);
  if (known) return known;
  const service = createEventService(program, environment);
  services.set(environment.simulation, service);
  return service;
}

const services = new WeakMap<object, EventService>();

interface PendingRun {
  readonly id: string;
  readonly workflow: string;
  readonly environment: SimulatedEnvironment;
  readonly start: (run: StartedRun) => void;
}

function createEventService(program: Program, environment: SimulatedEnvironment): EventService {
  const pending: PendingRun[] = [];
  let [ages, waits, starts] = [0, 0, 0];
  const nextFor = (workflow: string) =>
    pending.find((each) => each.workflow === workflow && each.environment.mayStart());
  const rules = rulesOf(program, (start) => nextFor(start.workflow)?.id);
  const begin = (run: StartedRun) => {
    const index = pending.findIndex(({ id }) => id === run.run);
    const [started] = pending.splice(index, 1);
    started!.environment.received();
    started!.start(run);
  };
  const broker = createMemoryBroker(rules, () => environment.now(), begin);
  environment.listen((event) => broker.arrive(event));
  return {
    broker,
    nextAge: () => ages++,
    nextWait: () => `wait ${waits++}`,
    untilStarted: (workflow, runEnvironment) =>
      new Promise((start) => {
        pending.push({ id: `started ${starts++}`, workflow: workflow.id, environment: runEnvironment, start });
      }),
  };
}

/** Waits for the first alternative that is fulfilled; `{ alternative, events, groups }`, with null after a timeout. */
export const receive = (step: Receive, context: Context): Work<Json> =>
  waiting((wake) => {
    const { run, position, environment } = context;
    const { simulated, events, workflow } = run;
    const id = events.nextWait();
    const variables: { [name: string]: Json } = {};
    for (const name of variablesOf(step)) setOwn(variables, name, environment.get(name) ?? null);
    const values: { [key: string]: Json } = {};
    for (const { key, value } of step.correlation ?? []) setOwn(values, key, compute(value, context));
    const stop = new AbortController();
    const end = (answer: Answer) => {
      simulated.received();
      if (answer.value !== undefined) run.token = answer.value;
      if (answer.error === undefined) wake({ value: received(answer) });
      else wake({ error: new StepFailure(errorValueOf(answer.error)) });
    };
    const wait = { id, run: run.subscriber, step: waitName(workflow, step), age: run.age, position, variables, values };
    const cancel = events.broker.wait(wait, end);
    const timeout = Math.max(...step.alternatives.map(({ within = Number.POSITIVE_INFINITY }) => within));
    if (timeout < Number.POSITIVE_INFINITY)
      simulated.sleep(timeout, stop.signal, position).then(
        () => events.broker.expire(id),
        () => undefined,
      );
    return () => {
      cancel();
      stop.abort(new Error("done"));
    };
  });

const received = ({ alternative, events, groups }: Answer): Json => ({
  alternative,
  events: events.map(({ name, event }) => ({ name, event })),
  groups: groups.map(({ name, event }) => ({ name, event })),
});

/**
 * Produces an event as a CloudEvent in structured mode, with a correlation value where its definition has an attribute
 * for it: that of the step, or else that of the run. Returns the event. A bound one has an id as built-in functions give.
 */
export function emit(step: Emit, context: Context): JsonObject {
  const { run } = context;
  const { name, type, source, subject, correlationAttribute } = definitionOf(step.event.name, run.workflow);
  run.emitted.count += 1;
  const generated: JsonObject = {
    specversion: "1.0",
    id: step.bind === undefined ? `${run.simulated.runId}-${run.emitted.count}` : run.simulated.id(),
    source: source ?? defaultSource(run.workflow),
    type: type ?? name,
    ...(subject === undefined ? {} : { subject }),
    time: new Date(run.simulated.now()).toISOString(),
    datacontenttype: "application/json",
  };
  const data = compute(step.data, context);
  const given = compute(givenAttributes(step), context);
  const event: { [key: string]: Json } = { ...generated, ...(isObject(given) ? given : {}) };
  const own = step.correlation && compute(step.correlation, context);
  const value = own !== null && typeof own !== "object" && own !== undefined ? own : run.token;
  if (correlationAttribute !== undefined && value !== undefined) setOwn(event, correlationAttribute, value);
  const emitted = { ...event, data };
  run.simulated.emit(emitted);
  return emitted;
}

/** The correlation value of an event, if its definition has one. */
export const tokenOf = ({ correlation }: EventDefinition, event: JsonObject): Json | undefined =>
  (correlation && correlationOf(correlation, event)) ?? undefined;

/** The definition of an event by its name. */
export function definitionOf(name: string, { events }: Workflow): EventDefinition {
  const definition = events.find((each) => each.name === name);
  if (!definition) throw new Error(`There is no event ${name}.`);
  return definition;
}
