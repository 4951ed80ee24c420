import type { RunRecorder, SimulatedEnvironment } from "../environment/environment.ts";
import {
  FunctionFailure,
  type LimitKind,
  maxDataSize,
  maxDepth,
  maxLaunches,
  maxStartedRuns,
  maxSteps,
  StepLimit,
} from "../environment/errors.ts";
import { isLargerThan } from "../environment/size.ts";
import type { BuiltIn } from "../ir/protocols.ts";
import type { Workflow } from "../ir/workflow.ts";
import type { Json, JsonObject } from "../json.ts";
import { callBuiltIn } from "../reference/built-in.ts";
import type { Outcome } from "../target/simulator.ts";
import { lastInstant } from "../text/iso8601.ts";
import type { WorkerResult } from "../worker.ts";
import { afterPromises } from "./after-promises.ts";
import { type Calls, createCalls } from "./calls.ts";
import { abortable, type Clock, createClock } from "./clock.ts";
import type { RecordedCall } from "./model.ts";
import { createRecorder, nothingRecorded, type Recording } from "./recording.ts";

/** The response of a function to one call. */
export interface Reply {
  /** Seconds of virtual time until the result. */
  readonly takes: number;
  /** When heartbeats of a callback arrive, in seconds from the call. */
  readonly heartbeats?: readonly number[] | undefined;
  readonly answer:
    | { readonly kind: "returns"; readonly value: Json }
    | { readonly kind: "never" }
    | { readonly kind: "throws"; readonly name: string; readonly message: string; readonly data?: Json | undefined };
}

/**
 * The setup of a simulation: its start, the arriving events (`at` in seconds from the start), and the responses to the
 * n-th call of each function (from 0).
 */
export interface Setup {
  readonly clock: number;
  readonly events: readonly { readonly at: number; readonly event: JsonObject }[];
  /** `run` is the id of the run that calls. */
  reply(name: string, index: number, argument: Json, run: string): Promise<Reply>;
  /** Calls a function whose source is part of a workflow; omitted if there are no such functions. */
  script?(workflow: Workflow, name: string, argument: Json): WorkerResult;
  /** The built-in functions by name, which are evaluated and not recorded as calls. */
  readonly builtIns?: ReadonlyMap<string, BuiltIn> | undefined;
  /** The workflows that events produced by runs may start. */
  readonly startable?: readonly StartableWorkflow[] | undefined;
  /** The values of secrets by id and key. */
  readonly secrets?: ReadonlyMap<string, ReadonlyMap<string, string | null>> | undefined;
}

/** A workflow that events start: `run` waits for them. */
export interface StartableWorkflow {
  readonly workflow: string;
  readonly run: (environment: SimulatedEnvironment) => Promise<Outcome>;
}

/** The observed behavior of a run. */
export interface Observed {
  /** Its outcome; `waiting` if it cannot continue, `not-started` if no event started it. */
  readonly outcome: Outcome | { readonly status: "waiting" | "not-started" };
  readonly calls: readonly RecordedCall[];
  readonly emitted: readonly JsonObject[];
  /** The entered steps or states, in order. */
  readonly path: readonly string[];
  /** Seconds of virtual time from start to end; undefined if it did not end. */
  readonly elapsed: number | undefined;
  /** The reached parts of the IR, on the reference. */
  readonly recording: Recording;
}

/** The number of steps after which a run counts as endless, even if it waits. */
export const mostVisits = maxSteps + 50_000;

/** A run of a simulation. `at`: its start, in seconds from the start of the simulation. */
export interface SimulatedRun {
  readonly id: string;
  readonly at: number;
  /** The type of a produced event: this is the next run that such an event starts, of any workflow. */
  readonly startedBy?: string | undefined;
  /** Its calls and events count as those of the first run. */
  readonly isCountedAsFirst?: true | undefined;
  readonly run: (environment: SimulatedEnvironment) => Promise<Outcome>;
}

/** Simulates one run until it ends or cannot continue. */
export async function simulate(setup: Setup, run: SimulatedRun["run"]): Promise<Observed> {
  const [seen] = await simulateAll(setup, [{ id: "run", at: 0, run }]);
  return seen!;
}

/**
 * Simulates several runs in one environment: an event is for the run that began first of those that use it, and results
 * of functions count over all of them. Events that runs produce are delivered too, and may start further runs: those
 * are observed as the runs with `startedBy`; calls and events of any others count as those of the first run.
 */
export async function simulateAll(setup: Setup, runs: readonly SimulatedRun[]): Promise<readonly Observed[]> {
  const clock = createClock(setup.clock);
  const calls = createCalls(setup, clock);
  const begun: Begun[] = [];
  const started: StartedRun[] = [];
  const shared: Shared = {
    clock,
    calls,
    produced: undefined,
    numbered: 0,
    deliver: (event) => hear(begun, event),
    standBy: () => standBy(setup, shared, begun),
    onStarted(run) {
      const type = String(shared.produced?.["type"]);
      started.push({ type, begun: run });
      const { length } = started.filter((each) => each.type === type);
      const isListed = runs.filter(({ startedBy: each }) => each === type).length >= length;
      const main = isListed ? undefined : begun[0]?.log;
      if (main) Object.assign(run.log, { calls: main.calls, emitted: main.emitted });
    },
  };
  // Events of the first instant precede those that runs produce at it.
  for (const { at, event } of setup.events) clock.plan(setup.clock + at * 1000, "arrival", () => hear(begun, event));
  // A run may produce an event as it starts, which prepares further runs behind all of these.
  const starts = runs
    .filter(({ startedBy }) => startedBy === undefined)
    .map((run) => addRun(setup, shared, begun, run));
  for (const start of starts) start();
  do {
    do await quiet();
    while (await calls.flush());
    shared.produced = undefined;
    for (const { end } of begun) if (end.failure !== undefined) throw end.failure;
    if (started.length <= maxStartedRuns) continue;
    for (const run of begun) if (!run.end.outcome) exceed("starts", run, shared);
    break;
  } while (clock.advance());
  if (begun.some(({ log }) => log.path.length > mostVisits)) throw new SeemsEndless();
  return runs.map((run) => {
    const found = begun.find(({ log }) => log.id === run.id) ?? listedRun(run, runs, started);
    if (!found) return { ...seenOf(emptyLog(run.id, 0), {}), recording: nothingRecorded };
    return { ...seenOf(found.log, found.end), recording: found.recording() };
  });
}

/** A run that a produced event started, with the type of the event. */
interface StartedRun {
  readonly type: string;
  readonly begun: Begun;
}

/**
 * The run for an entry with `startedBy`: the n-th that an event of its type started, for the n-th entry with that type.
 */
function listedRun(
  { id, startedBy }: SimulatedRun,
  runs: readonly SimulatedRun[],
  started: readonly StartedRun[],
): Begun | undefined {
  const rank = runs.filter((each) => each.startedBy === startedBy).findIndex((each) => each.id === id);
  return started.filter(({ type }) => type === startedBy)[rank]?.begun;
}

/** Prepares a run of each startable workflow for the next produced event. */
function standBy(setup: Setup, shared: Shared, begun: Begun[]): void {
  for (const { workflow, run } of setup.startable ?? []) {
    if (begun.some(({ log }) => log.standsBy === workflow && log.started === undefined)) continue;
    addRun(setup, shared, begun, { id: `${workflow}-${begun.length}`, at: 0, run }, workflow)();
  }
}

/** Adds a run behind the others and records its end. Returns the function that starts it at its time. */
function addRun(
  setup: Setup,
  shared: Shared,
  begun: Begun[],
  { id, run, at, isCountedAsFirst }: SimulatedRun,
  standsBy?: string,
): () => void {
  const log = { ...emptyLog(id, begun.length), standsBy };
  const end: End = {};
  const { recorder, recording } = createRecorder(shared.clock);
  const added: Begun = { log, end, recording };
  const first = isCountedAsFirst ? begun[0]?.log : undefined;
  if (first) Object.assign(log, { calls: first.calls, emitted: first.emitted });
  begun.push(added);
  const environment = createWorld(setup, shared, added, recorder);
  const settle = (result: Pick<End, "outcome" | "failure">): void => {
    if (!log.limit) Object.assign(end, result, { at: shared.clock.now(), steps: log.path.length });
  };
  const start = () =>
    void run(environment).then(
      (outcome) => settle({ outcome }),
      (failure: unknown) => {
        if (failure instanceof StepLimit) exceed(failure.kind, added, shared);
        else settle({ failure });
      },
    );
  return at > 0 ? () => void shared.clock.plan(setup.clock + at * 1000, "start", start) : start;
}

/** The state of a run. */
interface Begun {
  readonly log: Log;
  readonly end: End;
  recording(): Recording;
}

/** Fails a run, even if only a detached subflow of it still runs. Returns the error. */
function exceed(kind: LimitKind, { log, end }: Begun, { clock, calls }: Pick<Shared, "clock" | "calls">): StepLimit {
  log.limit ??= new StepLimit(kind);
  const { name, message } = log.limit;
  end.outcome = { status: "failed", error: { name, message, origin: "limit" } };
  end.at = clock.now();
  end.steps = log.path.length;
  calls.drop(log);
  return log.limit;
}

/** The end of a run, if any: `at` is the instant, `steps` the number of steps entered by then. */
interface End {
  outcome?: Outcome;
  failure?: unknown;
  at?: number;
  steps?: number;
}

function seenOf(log: Log, end: End): Omit<Observed, "recording"> {
  return {
    outcome: end.outcome ?? { status: log.started === undefined ? "not-started" : "waiting" },
    calls: log.calls,
    emitted: log.emitted,
    path: log.path.slice(0, end.steps),
    elapsed: end.outcome && log.started !== undefined ? (end.at! - log.started) / 1000 : undefined,
  };
}

/** A run took more than `mostVisits` steps. */
export class SeemsEndless extends Error {
  constructor() {
    super(`The run took more than ${mostVisits} steps; it seems never to end.`);
  }
}

/** Resolves when no promise can continue without a further occurrence. */
const quiet = (): Promise<void> => new Promise(afterPromises);

interface Log {
  readonly id: string;
  /** The index of the run. */
  readonly index: number;
  /** The workflow of a run that waits for a produced event to start it. */
  readonly standsBy?: string | undefined;
  /** Those of another run, if the run is not observed on its own. */
  readonly calls: RecordedCall[];
  readonly emitted: JsonObject[];
  readonly path: string[];
  /** The number of steps since the last external effect. */
  row: number;
  /** The number of detached subflows started since the last call or wait. */
  launches: number;
  /** The exceeded limit, after which nothing that the run does has an effect. */
  limit: StepLimit | undefined;
  started: number | undefined;
  readonly listeners: Set<(event: JsonObject) => void>;
}

const emptyLog = (id: string, index: number): Log => ({
  id,
  index,
  calls: [],
  emitted: [],
  path: [],
  row: 0,
  launches: 0,
  limit: undefined,
  started: undefined,
  listeners: new Set(),
});

/** The unique string in every scenario. */
const onlyId = "00000000-0000-4000-8000-000000000000";

/** The state that the runs of a simulation share. */
interface Shared {
  readonly clock: Clock;
  readonly calls: Calls;
  /** The produced event that is currently delivered. */
  produced: JsonObject | undefined;
  deliver(event: JsonObject): void;
  /** Prepares runs that the next produced event may start. */
  standBy(): void;
  /** A produced event has started a prepared run. */
  onStarted(begun: Begun): void;
  /** The number of events that got an id of their own. */
  numbered: number;
}

/** Creates the environment of a run. */
function createWorld(setup: Setup, shared: Shared, begun: Begun, recorder: RunRecorder): SimulatedEnvironment {
  const { log } = begun;
  const environment: SimulatedEnvironment = {
    runId: log.id,
    simulation: shared,
    ...passing(shared, begun),
    ...answering(setup, shared, begun, () => environment),
    ...hearing(shared, begun),
    ...counting(shared, begun),
    recorder,
  };
  return environment;
}

/** The wait of a run that has exceeded a limit. */
const never = new Promise<never>(() => undefined);

/** Resets the limits of a run after an external effect. */
function act(log: Log): void {
  log.row = 0;
  log.launches = 0;
}

/** The position of an occurrence among all runs, which are ordered by index. */
const placeOf = (log: Log, position: readonly number[] = []): readonly number[] => [log.index, ...position];

/** Time. */
const passing = (shared: Shared, begun: Begun): Pick<SimulatedEnvironment, "now" | "sleep"> => ({
  now: () => shared.clock.now(),
  sleep(seconds, signal, position) {
    const { log } = begun;
    if (log.limit) return never;
    act(log);
    const due = shared.clock.now() + seconds * 1000;
    const place = placeOf(log, position);
    return abortable(signal, (resolve) =>
      due <= lastInstant
        ? shared.clock.plan(due, "timer", () => resolve(), place)
        : shared.clock.plan(lastInstant, "timer", () => void exceed("time", begun, shared), place),
    );
  },
});

/** Functions, scripts and built-ins. */
const answering = (
  setup: Setup,
  shared: Shared,
  begun: Begun,
  environment: () => SimulatedEnvironment,
): Pick<SimulatedEnvironment, "call" | "token" | "script" | "random" | "id" | "secret"> => ({
  call(name, argument, { position, signal, onHeartbeat }) {
    const { log } = begun;
    if (log.limit) return never;
    act(log);
    const builtIn = setup.builtIns?.get(name);
    if (builtIn) return new Promise((resolve) => resolve(callBuiltIn(builtIn, argument, environment())));
    if (isLargerThan(argument, maxDataSize)) return Promise.reject(exceed("data", begun, shared));
    return shared.calls.call({ function: name, argument, position: placeOf(log, position), signal, onHeartbeat }, log);
  },
  token(name, { position, signal }) {
    const { log } = begun;
    if (log.limit) return never;
    return shared.calls.token(name, { position: placeOf(log, position), signal }, log);
  },
  script(workflow, name, argument) {
    act(begun.log);
    if (!setup.script) throw new Error("There is nothing that runs the functions of definitions.");
    const answer = setup.script(workflow, name, argument);
    if ("value" in answer) return answer.value;
    throw new FunctionFailure(answer.name, answer.message);
  },
  random: () => 0.5,
  id: () => onlyId,
  secret: (id, key) => setup.secrets?.get(id)?.get(key) ?? undefined,
});

/** Events. */
const hearing = (
  shared: Shared,
  begun: Begun,
): Pick<SimulatedEnvironment, "listen" | "emit" | "mayStart" | "received"> => ({
  listen(listener) {
    begun.log.listeners.add(listener);
    return () => begun.log.listeners.delete(listener);
  },
  mayStart: () =>
    begun.log.standsBy === undefined || (shared.produced !== undefined && begun.log.started === undefined),
  received: () => act(begun.log),
  emit(event) {
    const { log } = begun;
    if (log.limit) return;
    if (isLargerThan(event, maxDataSize)) throw exceed("data", begun, shared);
    log.row = 0;
    const own = withOwnId(event, shared);
    log.emitted.push(own);
    shared.standBy();
    shared.clock.plan(shared.clock.now(), "arrival", () => {
      shared.produced = own;
      shared.deliver(own);
    });
  },
});

/** All generated ids are equal, so an event with one gets an id of its own, or it would repeat an earlier event. */
const withOwnId = (event: JsonObject, shared: Shared): JsonObject =>
  event["id"] === onlyId ? { ...event, id: `${onlyId}-${++shared.numbered}` } : event;

/** Counters of a run and its start. */
const counting = (
  shared: Shared,
  begun: Begun,
): Pick<SimulatedEnvironment, "started" | "visit" | "launch" | "subflow"> => ({
  started() {
    const { log } = begun;
    if (log.started !== undefined) return;
    log.started = shared.clock.now();
    if (log.standsBy !== undefined) shared.onStarted(begun);
  },
  visit(step) {
    const { log } = begun;
    if (log.limit) throw log.limit;
    log.row += 1;
    if (log.path.push(step) > mostVisits) throw new SeemsEndless();
    if (log.row > maxSteps) throw exceed("steps", begun, shared);
  },
  launch() {
    const { log } = begun;
    if (log.limit) throw log.limit;
    log.launches += 1;
    if (log.launches > maxLaunches) throw exceed("launches", begun, shared);
  },
  subflow(depth, input) {
    const { log } = begun;
    if (log.limit) throw log.limit;
    if (depth > maxDepth) throw exceed("depth", begun, shared);
    if (isLargerThan(input, maxDataSize)) throw exceed("data", begun, shared);
  },
});

/** Delivers an event to the listeners of all runs: the oldest run first, then those that have not started. */
function hear(runs: readonly Begun[], event: JsonObject): void {
  const age = ({ log }: Begun): number => log.started ?? Number.POSITIVE_INFINITY;
  const ordered = [...runs].sort((a, b) => (age(a) === age(b) ? a.log.index - b.log.index : age(a) - age(b)));
  for (const { log } of ordered) for (const listener of [...log.listeners]) listener(event);
}
