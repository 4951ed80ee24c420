import { isObject, type Json, type JsonObject, own } from "../../../src/json.ts";
import { type Action, isConductor } from "./entities.ts";
import type { Fork, Part, Place, Run } from "./place.ts";
import type { Activation } from "./platform.ts";

/** The runs of a program, as far as activations tell of them. */
export interface Runs {
  /** Has a run wait for an event that starts it: an activation of an action, by its qualified name. */
  await(run: Run, action: string): void;
  /** Whether a run waits for an event that has an action start. */
  isAwaited(action: string): boolean;
  all(): Iterable<Run>;
  /**
   * Where an activation takes place: one that goes on with a run is where that is, and any other where what calls it is. Undefined: a run that nobody looks at.
   */
  placeOf(action: Action, params: JsonObject, around: Place): Place | undefined;
  /** Hears of an activation: by which id a conductor knows a run, and how the run ends. */
  recorded(activation: Activation, place: Place): void;
}

/** What is known of runs. */
interface Known {
  /** Those that wait for an event to start them, in the order in which they began to. */
  readonly waiting: { readonly run: Run; readonly action: string }[];
  /** Where runs and their subflows began, by the ids that conductors have for them. */
  readonly begun: Map<string, Place>;
  /** The fork that a thread which is suspended waits for, by the thread. */
  readonly forks: Map<string, Fork>;
  /** Forks by the ids by which their branches are joined. */
  readonly joined: Map<string, Fork>;
  /** The fork in a branch of which a thread is, by the thread. */
  readonly around: Map<string, Fork | undefined>;
}

/** No runs. */
export function createRuns(): Runs {
  const known: Known = {
    waiting: [],
    ...{ begun: new Map(), forks: new Map(), joined: new Map(), around: new Map() },
  };
  return {
    await: (run, action) => void known.waiting.push({ run, action }),
    isAwaited: (action) => known.waiting.some((waiting) => waiting.action === action),
    all: () =>
      new Set([
        ...[...known.begun.values()].flatMap(({ part }) => part?.run ?? []),
        ...known.waiting.map(({ run }) => run),
      ]),
    placeOf: (action, params, around) => placeOf(action, params, around, known),
    recorded: (activation, place) => recorded(activation, place, known),
  };
}

/** Does something in the world, unless a fork around it has been decided: then what comes of it is never told. */
export async function whileWanted<T>(
  part: Part | undefined,
  work: (decided: AbortSignal | undefined) => Promise<T>,
): Promise<T> {
  const signals = forksAround(part?.fork).map(({ decided }) => decided.signal);
  const decided = signals.length === 0 ? undefined : AbortSignal.any(signals);
  try {
    return await work(decided);
  } catch (error) {
    if (decided?.aborted) return new Promise(() => undefined);
    throw error;
  }
}

/** Whether somebody waits for what is done as a part of a run. */
const isWanted = ({ part }: Place): boolean => forksAround(part?.fork).every(({ decided }) => !decided.signal.aborted);

/**
 * Whether an activation takes one of the places of a namespace: not what nobody waits for any more, which is over at some time, nor a subflow that nobody waits
 * for, as those that start each other without end are to come to the limit that is their own.
 */
export const takesPlace = (place: Place): boolean =>
  isWanted(place) && !place.position.includes(Number.POSITIVE_INFINITY);

const forksAround = (fork: Fork | undefined): readonly Fork[] => (fork ? [fork, ...forksAround(fork.around)] : []);

/** What a helper or a conductor is told of the run that it is a part of. */
interface Sign {
  readonly run?: string | undefined;
  readonly position?: readonly number[];
  readonly join?: { readonly id?: string; readonly parent?: string; readonly thread?: string };
}

function placeOf(action: Action, params: JsonObject, around: Place, known: Known): Place | undefined {
  const sign = signIn(params);
  const begun = sign.run === undefined ? undefined : known.begun.get(sign.run);
  if (begun && isConductor(action)) return threadOf(begun, sign, around, known);
  if (begun && !around.part) return placeIn(begun, sign, known);
  if (!isConductor(action)) return action.name.endsWith("/rt-fork") ? forkIn(around) : calledIn(around);
  return around.part ? subflowIn(around, around.part) : startedBy(action, known);
}

function signIn(params: JsonObject): Sign {
  const sign = own(params, "$waybill");
  return isObject(sign) ? sign : {};
}

/** Where a thread of a run begins or goes on. A fork that it has waited for by being suspended is decided then. */
function threadOf(begun: Place, sign: Sign, { part }: Place, known: Known): Place {
  const thread = threadIn(sign);
  known.forks.get(thread)?.decided.abort();
  known.forks.delete(thread);
  if (sign.position?.length) known.around.set(thread, sign.join ? forkOf(sign.join, known) : part?.forking);
  return placeIn(begun, sign, known);
}

/** The fork that a branch is joined by. */
function forkOf({ id = "", parent = "" }: NonNullable<Sign["join"]>, { forks, joined, around }: Known): Fork {
  const fork = joined.get(id) ?? { around: around.get(parent), decided: new AbortController() };
  joined.set(id, fork);
  if (!fork.decided.signal.aborted) forks.set(parent, fork);
  return fork;
}

/** What a thread of a run is known by: one that has been suspended by its name, and a branch that is waited for inside an action by where it is. */
const threadIn = ({ run = "", position = [], join }: Sign): string =>
  join?.thread ?? (position.length > 0 ? JSON.stringify([run, ...position]) : run);

/** Where an action is that waits for branches. */
const forkIn = ({ part, ...around }: Place): Place => ({
  ...around,
  part: part && { ...part, forking: { around: part.fork, decided: new AbortController() } },
});

/** Where an action is: one that nobody waits for goes on, whatever becomes of the branch that called it. */
const calledIn = ({ part, ...around }: Place): Place => ({
  ...around,
  part: part && { ...part, forking: undefined, ...(around.isDetached && { fork: undefined }) },
});

/** Where a thread of a run is. */
function placeIn({ environment, position: base, part }: Place, sign: Sign, known: Known): Place {
  const { run, isRoot } = part!;
  const { position = [] } = sign;
  const within = { run, isRoot: isRoot && position.length === 0, fork: known.around.get(threadIn(sign)) };
  return { environment, position: [...base, ...position], part: within };
}

/** Where a subflow begins. One that nobody waits for comes after all that its starter does, and goes on whatever becomes of that. */
function subflowIn(around: Place, { run, isRoot, fork }: Part): Place {
  if (isRoot && run.id === undefined) return around;
  if (!around.isDetached) return { ...around, part: { run, isRoot: false, fork } };
  run.environment.launch();
  run.left += 1;
  return { ...around, position: apart(around.position, run.left), part: { run, isRoot: false } };
}

/** Where the n-th subflow is that nobody waits for: behind what started it, and those before it. */
function apart(position: readonly number[], n: number): readonly number[] {
  const end = position.indexOf(Number.POSITIVE_INFINITY);
  return [...(end < 0 ? position : position.slice(0, end)), Number.POSITIVE_INFINITY, n];
}

/** Where a run begins that an event starts, if there is one that waits for that. */
function startedBy({ name }: Action, { waiting }: Known): Place | undefined {
  const next = waiting.findIndex(({ action }) => action === name);
  if (next < 0) return undefined;
  const { run } = waiting.splice(next, 1)[0]!;
  run.environment.started();
  return { environment: run.environment, position: [], part: { run, isRoot: true } };
}

function recorded({ role, response }: Activation, place: Place, known: Known): void {
  const { part } = place;
  if (!part) return;
  const { run, isRoot } = part;
  const { result } = response;
  if (role === "conductor") begin(runIn(result), place, part, known);
  if (!isSuspended(result)) part.forking?.decided.abort();
  if (role !== "composition" || !isRoot || !isObject(result)) return;
  const isOver = own(result, "status") !== "suspended" || own(result, "run") !== run.id || run.id === undefined;
  if (isOver) run.ended(result);
}

/** Notes by which id a conductor knows a run or a subflow that has begun. */
function begin(id: string | undefined, place: Place, part: Part, { begun, around }: Known): void {
  if (id === undefined || begun.has(id)) return;
  begun.set(id, place);
  around.set(threadIn({ run: id }), part.fork);
  if (part.isRoot) part.run.id ??= id;
}

const isSuspended = (answer: Json): boolean => isObject(answer) && own(answer, "$waybill") === "suspended";

/** The id of the run of which a conductor keeps the state. */
function runIn(said: Json): string | undefined {
  const state = isObject(said) ? own(said, "state") : undefined;
  const resume = isObject(state) ? own(state, "$resume") : undefined;
  const id = isObject(resume) ? own(resume, "run") : undefined;
  return typeof id === "string" ? id : undefined;
}
