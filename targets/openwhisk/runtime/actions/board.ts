import { createHash } from "node:crypto";
import { equalJson, type Json, type JsonObject, own, setOwn } from "../../../../src/json.ts";
import {
  type Choice,
  correlationText,
  firstFulfilled,
  hasAttributes,
  inOrder,
  matches,
  type Taken,
} from "../../../../src/matching/matching.ts";
import { same } from "../store/documents.ts";
import {
  type Alternative,
  createEvaluate,
  type Definitions,
  type Evaluate,
  errorOf,
  matcherOf,
  tokenOf,
  type View,
} from "./matching.ts";
import { type Collecting, inboxOf, type Listener, type Starting, startsBy } from "./starting.ts";
import type { Surroundings } from "./surroundings.ts";

/**
 * What all runs of a program have in common: who waits for what, and the events that nothing has taken. It is one document, so that an event
 * is taken, the wait that takes it ends, and nobody else sees it any more, in one step. What is decided stays in `outgoing` until it has been told to the
 * threads: who comes first tells it, whoever that is.
 */
export interface Board {
  /** Events that nobody has taken, in the order in which they came. */
  readonly events: readonly Arrival[];
  /** The keys of the last events, oldest first: one that comes again is no other event. */
  readonly recent: readonly string[];
  /** Who waits, those of the oldest run first. */
  readonly waits: readonly Waiting[];
  /** What is waited for, by a digest: runs that wait at the same place share it. */
  readonly kinds: { readonly [digest: string]: Awaited };
  /** The correlation values of runs that events have given them, by their inboxes. */
  readonly tokens: { readonly [inbox: string]: Json };
  /** The events that may start a run together with others, by the flow. */
  readonly collected: Collecting;
  /** The last forks that have been decided while branches of theirs went on, oldest first: what runs in those waits for nothing any more. */
  readonly decided: readonly string[];
  readonly outgoing: readonly Outgoing[];
}

/** An event that has come. */
export interface Arrival {
  /** Tells events apart: their source and id. */
  readonly key: string;
  readonly event: JsonObject;
  readonly at: number;
  /** Forgotten after that, in milliseconds since 1970. */
  readonly until: number;
  /** Whose it is, where it has started a run; where it has started one of another flow, the flow that collects it. */
  readonly inbox?: string;
  /** The inboxes of runs that an event of the same instant behind it has started: it came before they began. */
  readonly before?: readonly string[];
}

/** What a wait is for, and what becomes of events that came during it and that it does not use. */
export interface Awaited {
  readonly alternatives: readonly Alternative[];
  readonly unused?: "drop";
  readonly definitions: Definitions;
}

/** A thread that waits. */
export interface Waiting {
  readonly thread: string;
  /** The id of this wait: the thread may have had others. */
  readonly at: string;
  readonly inbox: string;
  /** When its run began, and when the wait did. */
  readonly began: number;
  readonly since: number;
  readonly kind: string;
  readonly variables: JsonObject;
  /** The forks that the thread runs in. */
  readonly forks: readonly string[];
}

/** What is to be told to a thread, or a thread that is to be started. */
export type Outgoing = { readonly thread: string } & (
  | { readonly at: string; readonly params: JsonObject; readonly flow?: never }
  | {
      readonly flow: string;
      /** When the event came that starts it, in milliseconds since 1970: its run has what came since. */
      readonly began: number;
      readonly at?: never;
    }
);

/** Nobody waits, and nothing has come. */
export const emptyBoard: Board = {
  events: [],
  recent: [],
  waits: [],
  kinds: {},
  tokens: {},
  collected: {},
  decided: [],
  outgoing: [],
};

const boardKey = "board";

/** Changes what all runs have in common; `step` tells this change from others of the same activation. */
export async function changeBoard(
  { documents, id }: Surroundings,
  step: string,
  next: (board: Board) => Board,
): Promise<Board> {
  const { value } = await documents.change<Board>(boardKey, `${id}/${step}`, (board = emptyBoard) => {
    const changed = next(board);
    return changed === board ? same : changed;
  });
  return value ?? emptyBoard;
}

/** What all runs have in common. */
export const readBoard = async ({ documents }: Surroundings): Promise<Board> =>
  (await documents.read<Board>(boardKey)) ?? emptyBoard;

/** So many events are known by their keys after they have been taken, and so many forks after they have been decided. */
const mostRecent = 200;

/** An event has come: who waits for it takes it, the oldest run first; else it starts a run; else it is kept. */
export function arrive(board: Board, arrival: Arrival, listeners: readonly Listener[], newThread: () => string): Board {
  const { key, at: now } = arrival;
  if (hasCome(board, key)) return board;
  const recent = [...board.recent, key].slice(-mostRecent);
  const known = timely({ ...board, recent }, now);
  const evaluate = createEvaluate();
  const offered = offer({ ...known, events: [...known.events, arrival] }, now, evaluate, (waiting, sight) =>
    isHeardBy(waiting, arrival, sight),
  );
  return offered.events.includes(arrival) ? started(offered, arrival, listeners, newThread) : offered;
}

/** Whether an event has come before, as far as that is known. */
const hasCome = ({ recent, events }: Board, key: string): boolean =>
  recent.includes(key) || events.some((known) => known.key === key);

/** A thread waits: for what has come already, it may be. `token`: the run's correlation value as far as the run knows. */
export function register(board: Board, waiting: Omit<Waiting, "kind">, awaited: Awaited, token: Json): Board {
  if (isKnown(board, waiting) || waiting.forks.some((fork) => board.decided.includes(fork))) return board;
  const kind = createHash("sha256").update(JSON.stringify(awaited)).digest("base64url").slice(0, 16);
  const waits = [...board.waits, { ...waiting, kind }].sort((a, b) => a.began - b.began);
  const now = waiting.since;
  const known = withToken(board, waiting.inbox, token);
  const begun = timely({ ...known, waits, kinds: { ...board.kinds, [kind]: awaited } }, now);
  return offer(begun, now, createEvaluate(), ({ inbox }) => inbox === waiting.inbox);
}

/** Whether a wait has been registered: it goes on, or its end is still to be told. */
const isKnown = ({ waits, outgoing }: Board, { thread, at }: Pick<Waiting, "thread" | "at">): boolean =>
  [...waits, ...outgoing].some((other) => other.thread === thread && other.at === at);

/** The time of a wait is over: when all its alternatives are given up it goes on without one. */
export function giveUp(board: Board, thread: string, at: string, now: number): Board {
  const waiting = board.waits.find((other) => other.thread === thread && other.at === at);
  if (!waiting) return board;
  const awaited = awaitedBy(board, waiting);
  const isGivenUp = ({ withinMs }: Alternative) => withinMs !== undefined && waiting.since + withinMs <= now;
  if (!awaited.alternatives.every(isGivenUp)) return board;
  const sight = sightOf(board, waiting, createEvaluate());
  const kept = awaited.unused === "drop" ? board.events.filter((each) => !isOwn(waiting, each, sight)) : board.events;
  return told({ ...board, events: kept }, waiting, received(null, [], [], sight.token));
}

/** A thread waits no more: its workflow has given it no more time. */
export const withdraw = (board: Board, thread: string, at: string): Board =>
  withoutUnusedKinds({ ...board, waits: board.waits.filter((other) => other.thread !== thread || other.at !== at) });

/** A fork has been decided while branches of it go on: an event is for nothing in them any more. */
export const cutOff = (board: Board, fork: string): Board =>
  board.decided.includes(fork)
    ? board
    : withoutUnusedKinds({
        ...board,
        waits: board.waits.filter(({ forks }) => !forks.includes(fork)),
        decided: [...board.decided, fork].slice(-mostRecent),
      });

/** A run has ended: what was its own is forgotten. */
export function forget(board: Board, inbox: string): Board {
  const { [inbox]: _, ...tokens } = board.tokens;
  const left = withoutUnusedKinds({ ...board, waits: board.waits.filter((waiting) => waiting.inbox !== inbox) });
  return { ...left, tokens, events: board.events.filter((arrival) => arrival.inbox !== inbox) };
}

/** Some of what was to be told has been told. */
export const delivered = (board: Board, done: readonly Outgoing[]): Board => ({
  ...board,
  outgoing: board.outgoing.filter((each) => !done.some((other) => equalJson(toJson(each), toJson(other)))),
});

const toJson = (outgoing: Outgoing): Json => outgoing as unknown as Json;

/** Without the events whose time is over, but for those that have started a run. */
const timely = (board: Board, now: number): Board => ({
  ...board,
  events: board.events.filter(({ until, inbox }) => until > now || inbox !== undefined),
});

/**
 * Lets those look at the events whom a change concerns, those of the oldest run first. The others have looked in vain, and look again only where what is gone
 * may help them, or their run has got its correlation value.
 */
function offer(board: Board, now: number, evaluate: Evaluate, concerns: Concerns): Board {
  const look = (left: Board, waiting: Waiting) => looked(left, waiting, now, evaluate, concerns);
  const offered = board.waits.reduce(look, board);
  const { tokens } = offered;
  if (tokens === board.tokens) return offered;
  return offer(offered, now, evaluate, ({ inbox }) => own(tokens, inbox) !== own(board.tokens, inbox));
}

/** Whether a wait is to look at the events. */
type Concerns = (waiting: Waiting, sight: Sight) => boolean;

/** Looks at what has come for a wait: the first alternative that it fulfils is taken. */
function looked(board: Board, waiting: Waiting, now: number, evaluate: Evaluate, concerns: Concerns): Board {
  const { alternatives } = awaitedBy(board, waiting);
  const sight = sightOf(board, waiting, evaluate);
  const isHelpedByLess = alternatives.some(({ none = [] }) => none.length > 0);
  const isOpen = ({ withinMs }: Alternative) => withinMs === undefined || now <= waiting.since + withinMs;
  try {
    if (!isHelpedByLess && !concerns(waiting, sight)) return board;
    const inbox = board.events.filter((arrival) => isHeardBy(waiting, arrival, sight)).map(({ event }) => event);
    const choice = firstFulfilled(alternatives, isOpen, inbox, textOf(sight), matcherOf(sight));
    return choice ? accepted(board, waiting, inbox, choice, sight) : board;
  } catch (error) {
    return told(board, waiting, { error: errorOf(error) });
  }
}

function accepted(
  board: Board,
  waiting: Waiting,
  inbox: readonly JsonObject[],
  { alternative, groups, seen }: Choice<JsonObject>,
  sight: Sight,
): Board {
  const used = inOrder(groups, inbox);
  const gone = new Set<JsonObject>(used.map(({ event }) => event));
  if (awaitedBy(board, waiting).unused === "drop")
    for (const arrival of upTo(inbox[seen - 1]!, board)) if (isOwn(waiting, arrival, sight)) gone.add(arrival.event);
  let { token } = sight;
  for (const { name, event } of used) token ??= tokenOf(name, event, sight);
  const left = { ...board, events: board.events.filter(({ event }) => !gone.has(event)) };
  return told(withToken(left, waiting.inbox, token), waiting, received(alternative, used, groups, token));
}

const received = (
  alternative: number | null,
  events: readonly Taken<JsonObject>[],
  groups: readonly Taken<JsonObject>[],
  token: Json | undefined,
): JsonObject => {
  const plain = (each: readonly Taken<JsonObject>[]): Json => each.map(({ name, event }) => ({ name, event }));
  return {
    received: { alternative, events: plain(events), groups: plain(groups) },
    ...(token === undefined ? {} : { token }),
  };
};

/** Ends a wait with what its thread is to go on with. */
function told(board: Board, { thread, at }: Waiting, params: JsonObject): Board {
  const left = withdraw(board, thread, at);
  return { ...left, outgoing: [...left.outgoing, { thread, at, params }] };
}

/** An event that nobody has taken may start runs: one of each flow that it starts. */
function started(board: Board, arrival: Arrival, listeners: readonly Listener[], newThread: () => string): Board {
  const starts = listeners.map((listener) => ({ listener, start: startsBy(listener, board, arrival) }));
  const complete = starts.filter(({ listener }) => listener.start?.complete);
  const collected = Object.fromEntries(complete.map(({ listener, start }) => [listener.flow, start.collected]));
  const known = { ...board, collected: { ...board.collected, ...collected } };
  const begun = starts.reduce(
    (left, { listener, start }) => (start.taken ? begin(left, arrival, listener.flow, start, newThread()) : left),
    known,
  );
  return begun === known ? known : withoutUnusedCopies(begun);
}

/** A run begins with events: they are its own, and copies are there for other runs and for flows that collect them. */
function begin(board: Board, arrival: Arrival, flow: string, { taken = [], token }: Starting, thread: string): Board {
  const used = new Set(taken.map(({ event }) => event));
  const events = board.events.flatMap((each): readonly Arrival[] => {
    if (!used.has(each.event))
      return [each.at < arrival.at ? each : { ...each, before: [...(each.before ?? []), thread] }];
    if (each.inbox === inboxOf(flow)) return [{ ...each, inbox: thread }];
    if (each.inbox !== undefined) return [each, { ...each, event: { ...each.event }, inbox: thread }];
    const others = Object.entries(board.collected).filter(([, kept]) => kept.some(({ key }) => key === each.key));
    const copies = others.map(([other]) => ({ ...each, event: { ...each.event }, inbox: inboxOf(other) }));
    return [{ ...each, inbox: thread }, ...copies];
  });
  const outgoing = [...board.outgoing, { thread, flow, began: arrival.at }];
  return withToken({ ...board, events, outgoing }, thread, token);
}

/** Without the copies of events for flows that do not collect them any more. */
function withoutUnusedCopies(board: Board): Board {
  const unused = ({ inbox, key }: Arrival): boolean =>
    Object.entries(board.collected).some(
      ([flow, kept]) => inbox === inboxOf(flow) && !kept.some((each) => each.key === key),
    );
  return { ...board, events: board.events.filter((arrival) => !unused(arrival)) };
}

/** Sets a run's correlation value, unless it has one. */
function withToken(board: Board, inbox: string, token: Json | undefined): Board {
  if (token === undefined || token === null || own(board.tokens, inbox) !== undefined) return board;
  const tokens = { ...board.tokens };
  setOwn(tokens, inbox, token);
  return { ...board, tokens };
}

/** The events that have come, up to one. */
const upTo = (last: JsonObject, { events }: Board): readonly Arrival[] =>
  events.slice(0, events.findIndex(({ event }) => event === last) + 1);

/** How a wait looks at events: with the correlation value that its run has so far. */
interface Sight extends View {
  readonly token: Json | undefined;
}

const textOf = ({ token }: Sight): string | undefined => correlationText(token) ?? undefined;

/** Whether an event may be for a wait: it has started its run, or has come since that began and is nobody else's; and its workflow has a definition for it. */
function isHeardBy(waiting: Waiting, arrival: Arrival, sight: Sight): boolean {
  const { inbox: owner, event } = arrival;
  if (owner !== undefined) return owner === waiting.inbox;
  if (!hasComeSince(waiting, arrival)) return false;
  const [matcher, text] = [matcherOf(sight), textOf(sight)];
  return Object.keys(sight.definitions).some((name) => matches({ event: name }, event, text, matcher));
}

const hasComeSince = ({ inbox, began }: Waiting, { at, before = [] }: Arrival): boolean =>
  at >= began && !before.includes(inbox);

/** Whether an event is one of those that have come for a run: what a wait of it may take, and what has come since it began and is of no definition of its workflow. */
const isOwn = (waiting: Waiting, arrival: Arrival, sight: Sight): boolean =>
  isHeardBy(waiting, arrival, sight) ||
  (arrival.inbox === undefined &&
    hasComeSince(waiting, arrival) &&
    !Object.values(sight.definitions).some((definition) => hasAttributes(arrival.event, definition)));

const awaitedBy = ({ kinds }: Board, { kind }: Waiting): Awaited => own(kinds, kind)!;

const sightOf = (board: Board, waiting: Waiting, evaluate: Evaluate): Sight => ({
  definitions: awaitedBy(board, waiting).definitions,
  variables: waiting.variables,
  token: own(board.tokens, waiting.inbox),
  evaluate,
});

function withoutUnusedKinds(board: Board): Board {
  const used = new Set(board.waits.map(({ kind }) => kind));
  const kinds = Object.entries(board.kinds).filter(([digest]) => used.has(digest));
  return { ...board, kinds: Object.fromEntries(kinds) };
}
