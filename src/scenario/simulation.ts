import type { Edge, RunRecorder } from "../environment/environment.ts";
import { type CallSite, comparePositions, type SimulatedEnvironment } from "../environment/environment.ts";
import { FunctionFailure, maxLaunches, maxStartedRuns, maxSteps, StepLimit } from "../environment/errors.ts";
import type { BuiltIn } from "../ir/protocols.ts";
import type { Scope, Step, Workflow } from "../ir/workflow.ts";
import type { Json, JsonObject } from "../json.ts";
import { callBuiltIn } from "../reference/built-in.ts";
import type { Outcome } from "../target/simulator.ts";
import type { WorkerResult } from "../worker.ts";
import { abortable, type Clock, createClock } from "./clock.ts";
import type { RecordedCall } from "./model.ts";

/** What a function does on one call. */
export interface Reply {
  /** Seconds of virtual time until the answer. */
  readonly takes: number;
  readonly answer:
    | { readonly kind: "returns"; readonly value: Json }
    | { readonly kind: "throws"; readonly name: string; readonly message: string; readonly data?: Json | undefined };
}

/** What a simulation is given: when the run begins, which events come (`at` in seconds from then), and what functions answer to their n-th call (from 0). */
export interface Setup {
  readonly clock: number;
  readonly events: readonly { readonly at: number; readonly event: JsonObject }[];
  /** `run` is the id of the run that calls. */
  reply(name: string, index: number, argument: Json, run: string): Promise<Reply>;
  /** What a function answers whose text a workflow has. Absent: no workflow has any. */
  script?(workflow: Workflow, name: string, argument: Json): WorkerResult;
  /** The functions that are built in, by name: nobody is asked for these. */
  readonly builtIns?: ReadonlyMap<string, BuiltIn> | undefined;
  /** The workflows that events produced by runs may start. */
  readonly startable?: readonly StartableWorkflow[] | undefined;
  /** The texts of secrets, by id and key. */
  readonly secrets?: ReadonlyMap<string, ReadonlyMap<string, string | null>> | undefined;
}

/** A workflow that events start: `run` waits for them. */
export interface StartableWorkflow {
  readonly workflow: string;
  readonly run: (environment: SimulatedEnvironment) => Promise<Outcome>;
}

/** What was seen of one run. */
export interface Observed {
  /** How it ended; `waiting` when nothing more could happen, `not-started` when no event ever started it. */
  readonly outcome: Outcome | { readonly status: "waiting" | "not-started" };
  readonly calls: readonly RecordedCall[];
  readonly emitted: readonly JsonObject[];
  /** The steps or states entered, in order. */
  readonly path: readonly string[];
  /** Seconds of virtual time from start to end; undefined when it did not end. */
  readonly elapsed: number | undefined;
  /** Which parts of the IR were reached: empty but where the IR itself was executed. */
  readonly recording: Recording;
}

/** What was recorded of one run, and of the workflows that it left running. */
export interface Recording {
  readonly entered: ReadonlySet<Step | Scope>;
  readonly left: ReadonlySet<Edge>;
  /** The instants at which joins were decided while branches went on, in milliseconds since 1970: how far these got is no part of the meaning. */
  readonly cutOffs: ReadonlySet<number>;
  /** The instants at which branches or iterations were over since one of them had failed, in milliseconds since 1970. */
  readonly failures: ReadonlySet<number>;
  /** What a run used of its platform, and how many times. */
  readonly used: ReadonlyMap<string, number>;
}

/** The recording of a run of which nothing is known. */
export const nothingRecorded: Recording = {
  entered: new Set(),
  left: new Set(),
  cutOffs: new Set(),
  failures: new Set(),
  used: new Map(),
};

/** More steps than this in one run are taken for a loop without end, also where it waits. */
export const mostVisits = maxSteps + 50_000;

/** A run of a simulation: when it begins, in seconds from the first instant, and what it does in its world. */
export interface SimulatedRun {
  readonly id: string;
  readonly at: number;
  /** The type of a produced event: this is the next run that such an event starts, of whatever workflow. */
  readonly startedBy?: string | undefined;
  readonly run: (environment: SimulatedEnvironment) => Promise<Outcome>;
}

/** Simulates one run: gives it a world, lets virtual time pass until the run ends or nothing more can happen, and tells what was seen. */
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
    taken: new Set(),
    produced: undefined,
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
  for (const [index, run] of runs.entries())
    if (run.startedBy === undefined) begun.push(beginRun(setup, shared, run, index));
  for (const { at, event } of setup.events) clock.plan(setup.clock + at * 1000, "arrival", () => hear(begun, event));
  do {
    do await quiet();
    while (await calls.flush());
    shared.produced = undefined;
    for (const { end } of begun) if (end.failure !== undefined) throw end.failure;
    if (started.length > maxStartedRuns) throw new StepLimit("starts");
  } while (clock.advance());
  if (begun.some(isTooLong)) throw new SeemsEndless();
  if (begun.some(hasNoEnd)) throw new Error(`${new StepLimit("launches").message} They seem never to end.`);
  return runs.map((run) => {
    const found = begun.find(({ log }) => log.id === run.id) ?? listedRun(run, runs, started);
    if (!found) return { ...seenOf(emptyLog(run.id, 0), {}), recording: nothingRecorded };
    return { ...seenOf(found.log, found.end), recording: found.recording() };
  });
}

/** A run that a produced event has started, and the type of the event. */
interface StartedRun {
  readonly type: string;
  readonly begun: Begun;
}

/** The run that a produced event has started for an entry with `startedBy`: the n-th for the n-th entry of its type. */
function listedRun(
  { id, startedBy }: SimulatedRun,
  runs: readonly SimulatedRun[],
  started: readonly StartedRun[],
): Begun | undefined {
  const rank = runs.filter((each) => each.startedBy === startedBy).findIndex((each) => each.id === id);
  return started.filter(({ type }) => type === startedBy)[rank]?.begun;
}

/** Lets a run of each workflow that events start wait for the next produced event. */
function standBy(setup: Setup, shared: Shared, begun: Begun[]): void {
  for (const { workflow, run } of setup.startable ?? []) {
    if (begun.some(({ log }) => log.standsBy === workflow && log.started === undefined)) continue;
    const index = begun.length;
    const standing = beginRun(setup, shared, { id: `${workflow}-${index}`, at: 0, run }, index, workflow);
    begun.push(standing);
  }
}

/** Begins a run at its time; its outcome is noted in its end. */
function beginRun(
  setup: Setup,
  shared: Shared,
  { id, run, at }: SimulatedRun,
  index: number,
  standsBy?: string,
): Begun {
  const log = { ...emptyLog(id, index), standsBy };
  const end: End = {};
  const { recorder, recording } = createRecorder(shared.clock);
  const begun: Begun = { log, end, recording };
  const environment = createWorld(setup, shared, begun, recorder);
  const settle = () => {
    end.at = shared.clock.now();
    end.steps = log.path.length;
  };
  const start = () =>
    void run(environment)
      .then(
        (outcome) => Object.assign(end, { outcome }),
        (failure: unknown) => Object.assign(end, failure instanceof StepLimit ? endless(failure) : { failure }),
      )
      .then(settle, settle);
  if (at > 0) shared.clock.plan(setup.clock + at * 1000, "start", start);
  else start();
  return begun;
}

/** What there is of a run. */
interface Begun {
  readonly log: Log;
  readonly end: End;
  recording(): Recording;
}

/** Whether more steps were taken than there may be, be it by what nobody waits for. */
const isTooLong = ({ log, end: { outcome } }: Begun): boolean =>
  log.path.length > mostVisits || (log.row > maxSteps && !isLimit(outcome));

/** Whether subflows that nobody waits for started each other without end. */
const hasNoEnd = ({ log, end: { outcome } }: Begun): boolean => log.launches > maxLaunches && !isLimit(outcome);

const isLimit = (outcome: Outcome | undefined): boolean =>
  outcome?.status === "failed" && outcome.error.origin === "limit";

const endless = ({ name, message }: StepLimit): Pick<End, "outcome"> => ({
  outcome: { status: "failed", error: { name, message, origin: "limit" } },
});

/** How a run ended, if it did; `at` is the instant, `steps` how many had been entered by then. */
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

/** A run entered more steps than there may be. */
export class SeemsEndless extends Error {
  constructor() {
    super(`The run took more than ${mostVisits} steps; it seems never to end.`);
  }
}

/** Resolves when no promise is left that could go on by itself. */
const quiet = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

interface Log {
  readonly id: string;
  /** The place of the run among all. */
  readonly index: number;
  /** The workflow of a run that waits for a produced event to start it. */
  readonly standsBy?: string | undefined;
  /** Those of another run, if the run is not observed by itself. */
  readonly calls: RecordedCall[];
  readonly emitted: JsonObject[];
  readonly path: string[];
  /** How many steps there were since the run last did something in the world. */
  row: number;
  /** How many subflows that nobody waits for were started since a function was called or something was waited for. */
  launches: number;
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
  started: undefined,
  listeners: new Set(),
});

/** What an id is in every scenario. */
const onlyId = "00000000-0000-4000-8000-000000000000";

/** What all runs of a simulation share. */
interface Shared {
  readonly clock: Clock;
  readonly calls: Calls;
  /** The events that some run has used or dropped. */
  readonly taken: Set<JsonObject>;
  /** The produced event that is being delivered. */
  produced: JsonObject | undefined;
  deliver(event: JsonObject): void;
  /** Makes sure that a produced event can start a run of each workflow. */
  standBy(): void;
  /** A run that stood by has started. */
  onStarted(begun: Begun): void;
}

/** The world of one run. */
function createWorld(setup: Setup, shared: Shared, begun: Begun, recorder: RunRecorder): SimulatedEnvironment {
  const { log } = begun;
  const environment: SimulatedEnvironment = {
    runId: log.id,
    simulation: shared,
    ...passing(shared.clock, log),
    ...answering(setup, shared.calls, log, () => environment),
    ...hearing(shared, log),
    ...counting(shared, begun),
    recorder,
  };
  return environment;
}

/** The run has done something in the world. */
function act(log: Log): void {
  log.row = 0;
  log.launches = 0;
}

/** Where in the world something of a run is: runs are one behind the other. */
const placeOf = (log: Log, position: readonly number[] = []): readonly number[] => [log.index, ...position];

/** Time. */
const passing = (clock: Clock, log: Log): Pick<SimulatedEnvironment, "now" | "sleep"> => ({
  now: () => clock.now(),
  sleep(seconds, signal, position) {
    act(log);
    const ring = (resolve: () => void) =>
      clock.plan(clock.now() + seconds * 1000, "timer", () => resolve(), placeOf(log, position));
    return abortable(signal, ring);
  },
});

/** Functions, those that are built in or written in the definition, and what these give. */
const answering = (
  setup: Setup,
  calls: Calls,
  log: Log,
  environment: () => SimulatedEnvironment,
): Pick<SimulatedEnvironment, "call" | "script" | "random" | "id" | "secret"> => ({
  call(name, argument, { position, signal }) {
    act(log);
    const builtIn = setup.builtIns?.get(name);
    if (builtIn) return new Promise((resolve) => resolve(callBuiltIn(builtIn, argument, environment())));
    return calls.call({ function: name, argument, position: placeOf(log, position), signal }, log);
  },
  script(workflow, name, argument) {
    act(log);
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
  log: Log,
): Pick<SimulatedEnvironment, "listen" | "isAvailable" | "claim" | "emit" | "mayStart" | "received"> => ({
  listen(listener) {
    log.listeners.add(listener);
    return () => log.listeners.delete(listener);
  },
  isAvailable: (event) => !shared.taken.has(event),
  claim(event) {
    act(log);
    shared.taken.add(event);
  },
  mayStart: () => log.standsBy === undefined || (shared.produced !== undefined && log.started === undefined),
  received: () => act(log),
  emit(event) {
    log.row = 0;
    log.emitted.push(event);
    shared.standBy();
    shared.clock.plan(shared.clock.now(), "arrival", () => {
      shared.produced = event;
      shared.deliver(event);
    });
  },
});

/** What is counted of a run, and when it began. */
const counting = (shared: Shared, begun: Begun): Pick<SimulatedEnvironment, "started" | "visit" | "launch"> => ({
  started() {
    const { log } = begun;
    if (log.started !== undefined) return;
    log.started = shared.clock.now();
    if (log.standsBy !== undefined) shared.onStarted(begun);
  },
  visit(step) {
    const { log } = begun;
    log.row += 1;
    if (log.path.push(step) > mostVisits) throw new SeemsEndless();
    if (log.row > maxSteps) throw new StepLimit("steps");
  },
  launch() {
    const { log } = begun;
    log.launches += 1;
    if (log.launches > maxLaunches) throw new StepLimit("launches");
  },
});

/** The run that began first hears an event first; those that have not begun come last. */
function hear(runs: readonly Begun[], event: JsonObject): void {
  const age = ({ log }: Begun): number => log.started ?? Number.POSITIVE_INFINITY;
  const ordered = [...runs].sort((a, b) => (age(a) === age(b) ? a.log.index - b.log.index : age(a) - age(b)));
  for (const { log } of ordered) for (const listener of [...log.listeners]) listener(event);
}

/** The calls of all runs: those of one instant are gathered, and then made in the order of their places. */
interface Calls {
  /** Makes a call, and records it in a log when it is made. */
  call(asked: Asked, log: Log): Promise<Json>;
  /** Makes the calls that are due; false when there were none. */
  flush(): Promise<boolean>;
}

interface Asked extends RecordedCall, CallSite {}

/** Calls that the setup answers. */
function createCalls(setup: Setup, clock: Clock): Calls {
  const counts = new Map<string, number>();
  const pending = new Set<Pending>();
  const make = async (call: Pending) => {
    const index = counts.get(call.function) ?? 0;
    counts.set(call.function, index + 1);
    call.log.calls.push({ function: call.function, argument: call.argument });
    const reply = await setup.reply(call.function, index, call.argument, call.log.id);
    clock.plan(clock.now() + reply.takes * 1000, "answer", () => settle(call, reply), call.position);
  };
  return {
    call: (asked, log) =>
      abortable<Json>(asked.signal, (resolve, reject) => {
        const call: Pending = { ...asked, log, resolve, reject };
        pending.add(call);
        return () => void pending.delete(call);
      }),
    async flush() {
      const due = [...pending].sort((a, b) => comparePositions(a.position, b.position));
      pending.clear();
      for (const call of due) await make(call);
      return due.length > 0;
    },
  };
}

interface Pending extends Asked {
  readonly log: Log;
  readonly resolve: (value: Json) => void;
  readonly reject: (reason: unknown) => void;
}

function settle(call: Pending, { answer }: Reply): void {
  if (answer.kind === "returns") call.resolve(answer.value);
  else call.reject(new FunctionFailure(answer.name, answer.message, answer.data));
}

/** A recorder, and what it has recorded so far. */
function createRecorder(clock: Clock): { readonly recorder: RunRecorder; recording(): Recording } {
  const entered = new Set<Step | Scope>();
  const left = new Set<Edge>();
  const used = new Map<string, number>();
  const cutOffs = new Set<number>();
  const failures = new Set<number>();
  return {
    recorder: {
      entered: (part) => void entered.add(part),
      left: (by) => void left.add(by),
      onAbandoned() {
        cutOffs.add(clock.now());
      },
      onJoinFailed() {
        failures.add(clock.now());
      },
      uses: (what, times) => void used.set(what, (used.get(what) ?? 0) + times),
    },
    recording: () => ({ entered, left, cutOffs, failures, used }),
  };
}
