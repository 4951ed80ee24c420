import type { BuiltIn } from "../ir/protocols.ts";
import type { Scope, Step } from "../ir/workflow.ts";
import type { Json, JsonObject } from "../json.ts";
import { callBuiltIn } from "../reference/built-in.ts";
import type { Outcome } from "../target.ts";
import { byPosition, FunctionFailure, type Place, type Recorder, type Way, type World } from "../world.ts";
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
  reply(name: string, index: number, argument: Json): Promise<Reply>;
  /** The functions that are built in, by name: nobody is asked for these. */
  readonly builtIns?: ReadonlyMap<string, BuiltIn> | undefined;
  /** The texts of secrets, by id and key. */
  readonly secrets?: ReadonlyMap<string, ReadonlyMap<string, string | null>> | undefined;
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
  readonly left: ReadonlySet<Way>;
  readonly isCutOff: boolean;
}

/** The recording of a run of which nothing is known. */
export const nothingRecorded: Recording = { entered: new Set(), left: new Set(), isCutOff: false };

/** More steps than this in one run are taken for a loop without end. */
export const mostVisits = 200_000;

/** Simulates one run: gives it a world, lets virtual time pass until the run ends or nothing more can happen, and tells what was seen. */
export async function simulate(setup: Setup, run: (world: World) => Promise<Outcome>): Promise<Observed> {
  const clock = createClock(setup.clock);
  const log: Log = { calls: [], emitted: [], path: [], started: undefined, listeners: new Set() };
  const calls = createCalls(setup, clock, (call) => log.calls.push(call));
  for (const { at, event } of setup.events) clock.plan(setup.clock + at * 1000, "arrival", () => hear(log, event));
  const end: End = {};
  const { recorder, recording } = createRecorder();
  const world = createWorld(setup, clock, calls, log, recorder);
  const settle = () => {
    end.at = clock.now();
    end.steps = log.path.length;
  };
  run(world)
    .then(
      (outcome) => Object.assign(end, { outcome }),
      (failure: unknown) => Object.assign(end, { failure }),
    )
    .then(settle, settle);
  do {
    do await quiet();
    while (await calls.flush());
    if (end.failure !== undefined) throw end.failure;
  } while (clock.advance());
  if (log.path.length > mostVisits) throw endless();
  return { ...seenOf(log, end), recording: recording() };
}

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

const endless = (): Error => new Error(`The run took more than ${mostVisits} steps; it seems never to end.`);

/** Resolves when no promise is left that could go on by itself. */
const quiet = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

interface Log {
  readonly calls: RecordedCall[];
  readonly emitted: JsonObject[];
  readonly path: string[];
  started: number | undefined;
  readonly listeners: Set<(event: JsonObject) => void>;
}

/** What an id is in every scenario. */
const onlyId = "00000000-0000-4000-8000-000000000000";

function createWorld(setup: Setup, clock: Clock, { call }: Calls, log: Log, recorder: Recorder): World {
  const world: World = {
    now: () => clock.now(),
    runId: "run",
    sleep: (seconds, signal, position) =>
      abortable(signal, (resolve) => clock.plan(clock.now() + seconds * 1000, "timer", () => resolve(), position)),
    call(name, argument, place) {
      const builtIn = setup.builtIns?.get(name);
      if (!builtIn) return call(name, argument, place);
      return new Promise((resolve) => resolve(callBuiltIn(builtIn, argument, world)));
    },
    random: () => 0.5,
    id: () => onlyId,
    secret: (id, key) => setup.secrets?.get(id)?.get(key) ?? undefined,
    listen(listener) {
      log.listeners.add(listener);
      return () => log.listeners.delete(listener);
    },
    emit: (event) => void log.emitted.push(event),
    started() {
      log.started ??= clock.now();
    },
    visit(step) {
      if (log.path.push(step) > mostVisits) throw endless();
    },
    recorder,
  };
  return world;
}

function hear({ listeners }: Log, event: JsonObject): void {
  for (const listener of [...listeners]) listener(event);
}

/** The calls of a run: those of one instant are gathered, and then made in the order of their places. */
interface Calls {
  readonly call: World["call"];
  /** Makes the calls that are due; false when there were none. */
  flush(): Promise<boolean>;
}

/** Calls that the setup answers; each is recorded when it is made. */
function createCalls(setup: Setup, clock: Clock, record: (call: RecordedCall) => void): Calls {
  const counts = new Map<string, number>();
  const pending = new Set<Pending>();
  const make = async (call: Pending) => {
    const index = counts.get(call.function) ?? 0;
    counts.set(call.function, index + 1);
    record({ function: call.function, argument: call.argument });
    const reply = await setup.reply(call.function, index, call.argument);
    clock.plan(clock.now() + reply.takes * 1000, "answer", () => settle(call, reply), call.place.position);
  };
  return {
    call: (name, argument, place) =>
      abortable<Json>(place.signal, (resolve, reject) => {
        const call: Pending = { function: name, argument, place, resolve, reject };
        pending.add(call);
        return () => void pending.delete(call);
      }),
    async flush() {
      const due = [...pending].sort((a, b) => byPosition(a.place.position, b.place.position));
      pending.clear();
      for (const call of due) await make(call);
      return due.length > 0;
    },
  };
}

interface Pending extends RecordedCall {
  readonly place: Place;
  readonly resolve: (value: Json) => void;
  readonly reject: (reason: unknown) => void;
}

function settle(call: Pending, { answer }: Reply): void {
  if (answer.kind === "returns") call.resolve(answer.value);
  else call.reject(new FunctionFailure(answer.name, answer.message, answer.data));
}

/** A recorder, and what it has recorded so far. */
function createRecorder(): { readonly recorder: Recorder; recording(): Recording } {
  const entered = new Set<Step | Scope>();
  const left = new Set<Way>();
  let isCutOff = false;
  return {
    recorder: {
      entered: (part) => void entered.add(part),
      left: (by) => void left.add(by),
      leftBehind() {
        isCutOff = true;
      },
    },
    recording: () => ({ entered, left, isCutOff }),
  };
}
