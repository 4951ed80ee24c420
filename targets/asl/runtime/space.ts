import type { JsonObject } from "../../../src/json.ts";
import { type Choice, correlationText, firstFulfilled, inOrder } from "../../../src/matching/matching.ts";
import { matcherOf, plain, tokenFrom } from "./matching.ts";
import {
  type Alternative,
  type Answer,
  type Arrival,
  type Definition,
  failedLook,
  type Run,
  type Space,
  type Wait,
  type Waiting,
} from "./model.ts";

/** A space in which nothing has happened. */
export const emptySpace: Space = { version: 0, next: 0, events: [], waits: [], starts: [], runs: new Map() };

/** A run begins to wait, in place of what it waited for under the same key, and looks at what has come. */
export function waited(space: Space, waiting: Waiting, definition: Definition): Space {
  const others = space.waits.filter(({ key }) => key !== waiting.key);
  return looked({ ...space, waits: [...others, waiting] }, waiting, definition, waiting.at);
}

/** All that wait look at what has come: those of the oldest run first, within a run by position. */
export function settled(space: Space, definition: Definition, now: number): Space {
  let result: Space = { ...space, waits: space.waits.filter((waiting) => !isForgotten(waiting, definition, now)) };
  for (const { key } of result.waits.toSorted(byAge)) {
    const waiting = result.waits.find((each) => each.key === key)!;
    if (!waiting.ended && !waiting.over) result = looked(result, waiting, definition, now);
  }
  return result;
}

/** A wait that drops what it has not used has been given up: that is all that had come by then, whatever it was about to take. */
export function givenUp(space: Space, key: string, definition: Definition): Space {
  const waiting = space.waits.find((each) => each.key === key);
  if (!waiting) return space;
  const back = restored(space, waiting);
  const end = endOf(waiting, definition);
  const dropped = new Set(inboxOf(back, waiting).filter(({ at }) => at <= end));
  return told({ ...back, events: back.events.filter((arrival) => !dropped.has(arrival)) }, key);
}

/** The task of a wait has been told. */
export const told = (space: Space, key: string): Space => ({
  ...space,
  waits: space.waits.filter((each) => each.key !== key),
});

/**
 * The task of a wait that was over has ended without it: what it took is there for others again. A wait that drops what it has not used stays, as one that
 * is over, for its run to give it up.
 */
export function takenBack(space: Space, waiting: Waiting, definition: Definition, now: number): Space {
  const back = restored(space, waiting);
  const { ended: _, ...rest } = waiting;
  const isDropping = definition.waits.get(waiting.step)!.unused === "drop";
  const waits = back.waits.flatMap((each) =>
    each.key !== waiting.key ? each : isDropping ? { ...rest, over: true as const } : [],
  );
  return settled({ ...back, waits }, definition, now);
}

/** A space with what a wait has taken, and its run without the correlation value that it has from that. */
function restored(space: Space, { ended, run, after }: Waiting): Space {
  if (!ended) return space;
  const events = [...space.events, ...ended.taken].sort((a, b) => a.order - b.order);
  return ended.sets ? withToken({ ...space, events }, run, { after }) : { ...space, events };
}

/** One that waits looks at the events one by one, in order of arrival: the first alternative that they fulfil is taken. */
function looked(space: Space, waiting: Waiting, definition: Definition, now: number): Space {
  const inbox = inboxOf(space, waiting);
  const wait = definition.waits.get(waiting.step)!;
  try {
    const choice = choiceOf(inbox, waiting, definition, now);
    if (choice) return accepted(space, waiting, inbox, choice, definition, now);
  } catch (error) {
    return ended(space, waiting, failed(error as LookError, waiting, definition), { now, taken: [], sets: false });
  }
  const isOver = wait.alternatives.every(({ within }) => within === 0);
  return isOver ? nothing(space, waiting, wait, inbox, now) : space;
}

/** What an expression fails with. */
interface LookError {
  readonly value?: unknown;
  readonly message: string;
}

/** A condition has failed: so does the wait of the run whose condition it is. */
function failed({ value, message }: LookError, { step, token }: Waiting, definition: Definition): Answer {
  const unnamedError = definition.waits.get(step)!.unnamedError ?? definition.unnamedError;
  const named = typeof value === "object" && value !== null && "name" in value && typeof value.name === "string";
  const name = named ? (value.name as string) : (unnamedError ?? "ExpressionError");
  const error = { origin: "expression", name, message };
  return {
    received: { alternative: failedLook, events: [], groups: [{ name: "error", event: error }] },
    token: token ?? null,
  };
}

function choiceOf(
  inbox: readonly Arrival[],
  { step, at, token, variables }: Waiting,
  definition: Definition,
  now: number,
): Choice<Arrival> | undefined {
  const { alternatives } = definition.waits.get(step)!;
  const isOpen = ({ within }: Alternative) => within === undefined || now <= at + within * 1000;
  const known = correlationText(token) ?? undefined;
  return firstFulfilled(alternatives, isOpen, inbox, known, matcherOf(definition, variables));
}

function accepted(
  space: Space,
  waiting: Waiting,
  inbox: readonly Arrival[],
  { alternative, groups, seen }: Choice<Arrival>,
  definition: Definition,
  now: number,
): Space {
  const used = inOrder(groups, inbox);
  const dropped = definition.waits.get(waiting.step)!.unused === "drop" ? inbox.slice(0, seen) : [];
  const taken = [...new Set([...used.map(({ event }) => event), ...dropped])];
  const token = waiting.token ?? tokenFrom(used, definition);
  const sets = token !== undefined && waiting.token === undefined;
  const known = sets ? withToken(space, waiting.run, { token, after: waiting.after }) : space;
  const received = { alternative, events: plain(used, definition), groups: plain(groups, definition) };
  return ended(known, { ...waiting, token }, { received, token: token ?? null }, { now, taken, sets });
}

/** A wait that does not wait for anything to come, and for which nothing was there. */
function nothing(space: Space, waiting: Waiting, wait: Wait, inbox: readonly Arrival[], now: number): Space {
  const answer = { received: { alternative: null, events: [], groups: [] }, token: waiting.token ?? null };
  return ended(space, waiting, answer, { now, taken: wait.unused === "drop" ? inbox : [], sets: false });
}

function ended(
  space: Space,
  waiting: Waiting,
  answer: Answer,
  { now, taken, sets }: { readonly now: number; readonly taken: readonly Arrival[]; readonly sets: boolean },
): Space {
  const over: Waiting = { ...waiting, ended: { at: now, attempt: 1, answer, taken, sets } };
  return {
    ...space,
    events: space.events.filter((arrival) => !taken.includes(arrival)),
    waits: space.waits.map((each) => (each.key === waiting.key ? over : each)),
  };
}

/** What a run has of the events: those that started it, and all that have come since it began. */
const inboxOf = ({ events }: Space, { run, started, after }: Waiting): readonly Arrival[] =>
  events.filter((each) =>
    each.run === undefined ? (after === undefined ? each.at >= started : each.order > after) : each.run === run,
  );

/** A run gets its correlation value, or loses it, wherever it waits. */
const withToken = (space: Space, run: string, known: Run): Space => ({
  ...space,
  runs: new Map([...space.runs, [run, known]]),
  waits: space.waits.map((each) => (each.run === run && !each.ended ? { ...each, token: known.token } : each)),
});

/** When the last alternative of a wait is given up. */
const endOf = ({ step, at }: Waiting, { waits }: Definition): number =>
  Math.max(...waits.get(step)!.alternatives.map(({ within }) => at + (within ?? Number.POSITIVE_INFINITY) * 1000));

/** Whether the task of a wait has timed out and nothing is left to do for that. */
const isForgotten = (waiting: Waiting, definition: Definition, now: number): boolean =>
  !waiting.ended && definition.waits.get(waiting.step)!.unused === "keep" && endOf(waiting, definition) < now;

function byAge(a: Waiting, b: Waiting): number {
  if (a.started !== b.started) return a.started - b.started;
  if (a.run !== b.run) return a.run < b.run ? -1 : 1;
  for (let i = 0; i < Math.min(a.position.length, b.position.length); i++)
    if (a.position[i] !== b.position[i]) return a.position[i]! - b.position[i]!;
  return a.position.length - b.position.length;
}

/** An event comes: those that wait look. `mayStart`: what runs are called that it starts where nobody uses it. */
export function arrived(
  space: Space,
  event: JsonObject,
  { at, mayStart }: { readonly at: number; readonly mayStart: string },
  definition: Definition,
): Space {
  const arrival: Arrival = { order: space.next, at, event, mayStart };
  return settled({ ...space, next: space.next + 1, events: [...space.events, arrival] }, definition, at);
}
