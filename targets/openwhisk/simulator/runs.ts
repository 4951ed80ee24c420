import { isObject, type Json, type JsonObject, own } from "../../../src/json.ts";
import type { ActivationScope, PendingFork, RunPart, TrackedRun } from "./activation-scope.ts";
import { type Action, isConductor } from "./entities.ts";
import type { Activation } from "./platform.ts";

/** Tracks the runs of a program by observing its activations. */
export interface RunTracker {
  /** Registers a run that an event will start. */
  await(run: TrackedRun, action: string): void;
  /** Whether a registered run waits for an event to start an action. */
  isAwaited(action: string): boolean;
  all(): Iterable<TrackedRun>;
  /** The scope of an activation. Undefined if no scenario observes the run. */
  scopeOf(action: Action, params: JsonObject, outer: ActivationScope): ActivationScope | undefined;
  /** Learns run ids and results from an activation. */
  recorded(activation: Activation, scope: ActivationScope): void;
}

interface TrackedRuns {
  /** Oldest first. */
  readonly waiting: { readonly run: TrackedRun; readonly action: string }[];
  /** The initial scopes of runs and subflows, by id. */
  readonly started: Map<string, ActivationScope>;
  /** The fork that a suspended thread waits for. */
  readonly forks: Map<string, PendingFork>;
  readonly joined: Map<string, PendingFork>;
  /** The fork that contains a thread. */
  readonly outer: Map<string, PendingFork | undefined>;
  /** The number of subflows that wait for each other, up to that of a thread; default: 0. */
  readonly depths: Map<string, number>;
}

/** Creates a tracker without runs. */
export function createRunTracker(): RunTracker {
  const tracked: TrackedRuns = {
    waiting: [],
    ...{ started: new Map(), forks: new Map(), joined: new Map(), outer: new Map(), depths: new Map() },
  };
  return {
    await: (run, action) => void tracked.waiting.push({ run, action }),
    isAwaited: (action) =>
      tracked.waiting.some((waiting) => waiting.action === action && waiting.run.environment.mayStart()),
    all: () =>
      new Set([
        ...[...tracked.started.values()].flatMap(({ part }) => part?.run ?? []),
        ...tracked.waiting.map(({ run }) => run),
      ]),
    scopeOf: (action, params, outer) => scopeOf(action, params, outer, tracked),
    recorded: (activation, scope) => recorded(activation, scope, tracked),
  };
}

/** Performs an effect in the environment. Never settles if an enclosing fork is decided meanwhile. */
export async function untilForkDecided<T>(
  part: RunPart | undefined,
  work: (decided: AbortSignal | undefined) => Promise<T>,
): Promise<T> {
  const decided = part?.fork?.decided.signal;
  try {
    return await work(decided);
  } catch (error) {
    if (decided?.aborted) return new Promise(() => undefined);
    throw error;
  }
}

const isForkUndecided = ({ part }: ActivationScope): boolean => part?.fork?.decided.signal.aborted !== true;

/**
 * Whether an activation counts against the concurrency limit. Branches that no join waits for do not, nor do detached
 * subflows, which have a limit of their own.
 */
export const countsAsConcurrent = (scope: ActivationScope): boolean =>
  isForkUndecided(scope) && !scope.position.includes(Number.POSITIVE_INFINITY);

function createPendingFork(outer: PendingFork | undefined): PendingFork {
  const fork: PendingFork = { outer, inner: new Set(), decided: new AbortController() };
  if (outer?.decided.signal.aborted) fork.decided.abort();
  else outer?.inner.add(fork);
  return fork;
}

/** Decides a fork, and with it the forks of its branches. */
function decide(fork: PendingFork): void {
  fork.outer?.inner.delete(fork);
  const open = [fork];
  for (let next = open.pop(); next; next = open.pop()) {
    next.decided.abort();
    open.push(...next.inner);
  }
}

interface RunMarker {
  readonly run?: string | undefined;
  readonly position?: readonly number[];
  /** Absent at the start of a subflow. */
  readonly state?: Json;
  readonly params?: JsonObject;
  readonly join?: { readonly id?: string; readonly parent?: string; readonly thread?: string };
}

function scopeOf(
  action: Action,
  params: JsonObject,
  outer: ActivationScope,
  tracked: TrackedRuns,
): ActivationScope | undefined {
  const marker = markerIn(params);
  const started = marker.run === undefined ? undefined : tracked.started.get(marker.run);
  if (started && isConductor(action)) return resumeThread(started, marker, params, outer, tracked);
  if (started && !outer.part) return threadScope(started, marker, tracked);
  if (!isConductor(action)) return own(params, "operation") === "fork" ? forkScope(outer) : callScope(outer);
  return outer.part ? subflowScope(outer, outer.part, params) : startScope(action, tracked);
}

function markerIn(params: JsonObject): RunMarker {
  const marker = own(params, "$waybill");
  return isObject(marker) ? marker : {};
}

/** Resuming a thread decides the fork that it waited for. */
function resumeThread(
  started: ActivationScope,
  marker: RunMarker,
  input: JsonObject,
  { part }: ActivationScope,
  tracked: TrackedRuns,
): ActivationScope {
  const thread = threadName(marker);
  const { state, join, position = [] } = marker;
  if (position.length > 0 && !tracked.depths.has(thread)) {
    const outerDepth = (join ? tracked.depths.get(join.parent ?? "") : part?.depth) ?? 0;
    const depth = state === undefined ? outerDepth + 1 : outerDepth;
    if (depth > outerDepth) started.environment.subflow(depth, input);
    tracked.depths.set(thread, depth);
  }
  if (isObject(marker.params) && own(marker.params, "received") !== undefined) started.environment.received();
  const waitedFor = tracked.forks.get(thread);
  if (waitedFor) decide(waitedFor);
  tracked.forks.delete(thread);
  if (marker.position?.length)
    tracked.outer.set(thread, marker.join ? joinedFork(marker.join, tracked) : part?.forking);
  return threadScope(started, marker, tracked);
}

function joinedFork(
  { id = "", parent = "" }: NonNullable<RunMarker["join"]>,
  { forks, joined, outer }: TrackedRuns,
): PendingFork {
  const fork = joined.get(id) ?? createPendingFork(outer.get(parent));
  joined.set(id, fork);
  if (!fork.decided.signal.aborted) forks.set(parent, fork);
  return fork;
}

/** The name of a joined thread, the position of one that an action waits for, otherwise the run. */
const threadName = ({ run = "", position = [], join }: RunMarker): string =>
  join?.thread ?? (position.length > 0 ? JSON.stringify([run, ...position]) : run);

const forkScope = ({ part, ...outer }: ActivationScope): ActivationScope => ({
  ...outer,
  part: part && { ...part, forking: createPendingFork(part.fork) },
});

/** A detached action continues after its branch has lost. */
const callScope = ({ part, ...outer }: ActivationScope): ActivationScope => ({
  ...outer,
  part: part && { ...part, forking: undefined, ...(outer.isDetached && { fork: undefined }) },
});

function threadScope(
  { environment, position: base, part }: ActivationScope,
  marker: RunMarker,
  tracked: TrackedRuns,
): ActivationScope {
  const { run, isRoot } = part!;
  const { position = [] } = marker;
  const thread = threadName(marker);
  const fork = tracked.outer.get(thread);
  const depth = tracked.depths.get(thread) ?? (position.length > 0 ? part!.depth : 0);
  return {
    environment,
    position: [...base, ...position],
    part: { run, isRoot: isRoot && position.length === 0, depth, fork },
  };
}

/** A detached subflow is ordered after its caller and outlives it. */
function subflowScope(outer: ActivationScope, { run, isRoot, depth, fork }: RunPart, input: Json): ActivationScope {
  if (isRoot && run.id === undefined) return outer;
  if (!outer.isDetached) {
    run.environment.subflow(depth + 1, input);
    return { ...outer, part: { run, isRoot: false, depth: depth + 1, fork } };
  }
  run.environment.launch();
  run.left += 1;
  return { ...outer, position: detachedPosition(outer.position, run.left), part: { run, isRoot: false, depth: 0 } };
}

/** Orders detached subflows after their caller, and by `n`. */
function detachedPosition(position: readonly number[], n: number): readonly number[] {
  const end = position.indexOf(Number.POSITIVE_INFINITY);
  return [...(end < 0 ? position : position.slice(0, end)), Number.POSITIVE_INFINITY, n];
}

function startScope({ name }: Action, { waiting }: TrackedRuns): ActivationScope | undefined {
  const next = waiting.findIndex(({ action, run }) => action === name && run.environment.mayStart());
  if (next < 0) return undefined;
  const { run } = waiting.splice(next, 1)[0]!;
  run.environment.started();
  run.environment.received();
  return { environment: run.environment, position: [], part: { run, isRoot: true, depth: 0 } };
}

function recorded({ role, response }: Activation, scope: ActivationScope, tracked: TrackedRuns): void {
  const { part } = scope;
  if (!part) return;
  const { run, isRoot } = part;
  const { result } = response;
  if (role === "conductor") begin(runIn(result), scope, part, tracked);
  if (part.forking && !isSuspended(result)) decide(part.forking);
  if (role !== "composition" || !isRoot || !isObject(result)) return;
  const hasEnded = own(result, "status") !== "suspended" || own(result, "run") !== run.id || run.id === undefined;
  if (hasEnded) run.ended(result);
}

function begin(id: string | undefined, scope: ActivationScope, part: RunPart, { started, outer }: TrackedRuns): void {
  if (id === undefined || started.has(id)) return;
  started.set(id, scope);
  outer.set(threadName({ run: id }), part.fork);
  if (part.isRoot) part.run.id ??= id;
}

const isSuspended = (answer: Json): boolean => isObject(answer) && own(answer, "$waybill") === "suspended";

function runIn(result: Json): string | undefined {
  const state = isObject(result) ? own(result, "state") : undefined;
  const resume = isObject(state) ? own(state, "$resume") : undefined;
  const id = isObject(resume) ? own(resume, "run") : undefined;
  return typeof id === "string" ? id : undefined;
}
