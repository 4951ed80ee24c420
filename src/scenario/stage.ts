import type { Outcome } from "../../targets/target.ts";
import type { Json, JsonObject } from "../json.ts";
import { type Clock, createClock } from "./clock.ts";
import { FunctionFailure, type Place, type World } from "./world.ts";

/** What a function does on one call. */
export interface Reply {
  /** Seconds of virtual time until the answer. */
  readonly takes: number;
  readonly answer: { readonly kind: "returns"; readonly value: Json } | { readonly kind: "throws"; readonly name: string; readonly message: string; readonly data?: Json | undefined };
}

/** What a stage plays: when the run begins, which events come (`at` in seconds from then), and what functions answer to their n-th call (from 0). */
export interface Script {
  readonly clock: number;
  readonly events: readonly { readonly at: number; readonly event: JsonObject }[];
  reply(name: string, index: number, argument: Json): Promise<Reply>;
}

/** A call as it was made. */
export interface RecordedCall {
  readonly function: string;
  readonly argument: Json;
}

/** What was seen of one run. */
export interface Performance {
  /** How it ended; `waiting` when nothing more could happen, `not-started` when no event ever started it. */
  readonly outcome: Outcome | { readonly status: "waiting" | "not-started" };
  readonly calls: readonly RecordedCall[];
  readonly emitted: readonly JsonObject[];
  /** The steps or states entered, in order. */
  readonly path: readonly string[];
  /** Seconds of virtual time from start to end; undefined when it did not end. */
  readonly elapsed: number | undefined;
}

/** More steps than this in one run are taken for a loop without end. */
export const mostVisits = 200_000;

/** Plays a script for one run: gives it a world, lets virtual time pass until the run ends or nothing more can happen, and tells what was seen. */
export async function perform(script: Script, run: (world: World) => Promise<Outcome>): Promise<Performance> {
  const clock = createClock(script.clock);
  const log = { calls: [] as RecordedCall[], emitted: [] as JsonObject[], path: [] as string[], started: undefined as number | undefined };
  const { world, flush } = createWorld(script, clock, log);
  const end: { outcome?: Outcome; failure?: unknown; at?: number; steps?: number } = {};
  const settle = () => {
    end.at = clock.now();
    end.steps = log.path.length;
  };
  run(world).then((outcome) => Object.assign(end, { outcome }), (failure: unknown) => Object.assign(end, { failure })).then(settle, settle);
  do {
    do await quiet();
    while (await flush());
    if (end.failure !== undefined) throw end.failure;
  } while (clock.advance());
  if (log.path.length > mostVisits) throw endless();
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
}

interface Pending extends RecordedCall {
  readonly place: Place;
  readonly resolve: (value: Json) => void;
  readonly reject: (reason: unknown) => void;
}

function createWorld(script: Script, clock: Clock, log: Log): { world: World; flush: () => Promise<boolean> } {
  const listeners = new Set<(event: JsonObject) => void>();
  const counts = new Map<string, number>();
  let pending: Pending[] = [];
  for (const { at, event } of script.events) {
    clock.plan(script.clock + at * 1000, "arrival", () => {
      for (const listener of [...listeners]) listener(event);
    });
  }
  const world: World = {
    now: () => clock.now(),
    runId: "run",
    sleep: (seconds, signal) => abortable(signal, (resolve) => clock.plan(clock.now() + seconds * 1000, "timer", () => resolve())),
    call: (name, argument, place) =>
      abortable<Json>(place.signal, (resolve, reject) => {
        const call = { function: name, argument, place, resolve, reject };
        pending.push(call);
        return () => {
          pending = pending.filter((other) => other !== call);
        };
      }),
    listen(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    emit: (event) => void log.emitted.push(event),
    started() {
      log.started ??= clock.now();
    },
    visit(step) {
      if (log.path.push(step) > mostVisits) throw endless();
    },
  };

  /** Makes the calls that are due, in the order of their places; false when there were none. */
  const flush = async (): Promise<boolean> => {
    const due = pending.sort((a, b) => byPosition(a.place.position, b.place.position));
    pending = [];
    for (const call of due) {
      const index = counts.get(call.function) ?? 0;
      counts.set(call.function, index + 1);
      log.calls.push({ function: call.function, argument: call.argument });
      const { takes, answer } = await script.reply(call.function, index, call.argument);
      clock.plan(clock.now() + takes * 1000, "answer", () => {
        if (answer.kind === "returns") call.resolve(answer.value);
        else call.reject(new FunctionFailure(answer.name, answer.message, answer.data));
      });
    }
    return due.length > 0;
  };
  return { world, flush };
}

/** A promise that an aborted signal rejects with its reason; `begin` starts the work and returns how to call it off. */
function abortable<T = void>(signal: AbortSignal | undefined, begin: (resolve: (value: T) => void, reject: (reason: unknown) => void) => () => void): Promise<T> {
  return new Promise<T>((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason);
    const stop = () => {
      cancel();
      reject(signal!.reason);
    };
    const done = () => signal?.removeEventListener("abort", stop);
    const cancel = begin(
      (value) => (done(), resolve(value)),
      (reason) => (done(), reject(reason)),
    );
    signal?.addEventListener("abort", stop, { once: true });
  });
}

function byPosition(a: readonly number[], b: readonly number[]): number {
  for (let i = 0; i < Math.min(a.length, b.length); i++) if (a[i] !== b[i]) return a[i]! - b[i]!;
  return a.length - b.length;
}
