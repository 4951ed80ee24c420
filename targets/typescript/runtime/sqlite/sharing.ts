import type { CloudEvent } from "../events.ts";
import { definitionOf, isOf } from "../flow/matching.ts";
import type { AnyWorkflow } from "../workflow.ts";
import type { Core } from "./core.ts";
import type { Entry, LiveRun } from "./live.ts";
import { storedEvent } from "./reading.ts";
import type { HolderRow } from "./statements.ts";

/** Where an event has come to: a place in the journal of a run, and an inbox there. */
export interface Arrived {
  readonly run: number;
  readonly inbox: string;
  readonly place: ArrivalPlace;
}

/** The place of an event in a journal, its number in the store, and whether others may have it too: who uses it takes it from them. */
export interface ArrivalPlace {
  readonly seq: number;
  readonly number: number;
  readonly isShared: boolean;
}

/** An inbox of a run. */
export interface Recipient {
  readonly run: number;
  readonly inbox: string;
}

/** A definition of a workflow of the program by which an event is for anybody. */
export interface OpenDefinition {
  readonly ref: number;
  readonly workflow: AnyWorkflow;
  readonly name: string;
}

/** Whether events of a definition are for anybody: nothing says to which run they belong. */
export const isOpen = (name: string, workflow: AnyWorkflow): boolean => !definitionOf(name, workflow).correlation;

/** Whether an event is for anybody by some definition of a workflow. */
export const isForAnybody = (event: CloudEvent, workflow: AnyWorkflow): boolean =>
  Object.keys(workflow.events ?? {}).some((name) => isOpen(name, workflow) && isOf(name, event, workflow));

/** The definitions of the program by which an event is for anybody. */
const openFor = (core: Core, event: CloudEvent): readonly OpenDefinition[] =>
  [...core.workflows].flatMap(([ref, workflow]) =>
    Object.keys(workflow.events ?? {})
      .filter((name) => isOpen(name, workflow) && isOf(name, event, workflow))
      .map((name) => ({ ref, workflow, name })),
  );

/** Those who are given an event that is for anybody, the oldest run first: the first that is sure to use it, and all before that may. */
export interface Candidates {
  readonly all: readonly Recipient[];
  /** The one that is sure to use it, with the definition by which it waits for it. */
  readonly sure: (Recipient & OpenDefinition) | undefined;
}

/** Those who wait for an event that is for anybody, and were there when it came. Within a transaction. */
export function candidatesFor({ sql }: Core, number: number, definitions: readonly OpenDefinition[]): Candidates {
  const [sure] = definitions
    .flatMap((definition) =>
      sql.sure.all(definition.ref, definition.name, number).map((recipient) => ({ ...recipient, ...definition })),
    )
    .sort((a, b) => a.run - b.run);
  const last = sure?.run ?? Number.MAX_SAFE_INTEGER;
  const unsure = definitions.flatMap(({ ref, name }) => sql.unsure.all(ref, name, number, last));
  return { all: sure ? [...unsure, sure] : unsure, sure };
}

/** Puts an event into inboxes, once each, the oldest run first. Within a transaction. */
export function put(
  core: Core,
  number: number,
  recipients: readonly Recipient[],
  mayBeShared: boolean,
): readonly Arrived[] {
  const { sql, live, turns, cluster } = core;
  const each = new Map(recipients.map((recipient) => [`${recipient.run} ${recipient.inbox}`, recipient] as const));
  const isShared = mayBeShared || each.size > 1;
  return [...each.values()]
    .sort((a, b) => a.run - b.run)
    .map(({ run, inbox }) => {
      const there = live.get(run);
      if (!there && cluster?.isElsewhere(run)) {
        const place = { seq: cluster.newPlace(), number, isShared };
        sql.putEvent.run(run, place.seq, inbox, number);
        return { run, inbox, place };
      }
      const seq = there ? there.seq++ : sql.lastSeq.get(run, run, run)!.seq + 1;
      sql.putEvent.run(run, seq, inbox, number);
      if (!there || there.isStoredAsWaiting) sql.activate.run(run);
      there?.setActive();
      if (there) turns.touch(there);
      return { run, inbox, place: { seq, number, isShared } };
    });
}

/** An event has come to an inbox, and the store knows that: its run hears of it. */
export function tell(core: Core, { run, inbox, place }: Arrived, event: CloudEvent): void {
  const live = core.live.get(run);
  if (!live) core.wake(run);
  else if (live.loadedTo < place.seq) live.push(arrival(live, inbox, place, event));
}

/** An event comes to a run, after it has come to older ones that have it too, and unless one of these has used it by then. */
export const arrival = (run: LiveRun, key: string, place: ArrivalPlace, event: CloudEvent): Entry => ({
  seq: place.seq,
  isHeldBack: () => place.isShared && isOnItsWay(run, place),
  give() {
    const inbox = run.inboxes.get(key);
    if (run.lost.delete(place.seq) || !inbox) return false;
    inbox.arrive(place, event);
    return true;
  },
});

/** Whether an older run in memory has not heard yet of an event that it has: it goes through its journal, or has more to hear before. */
const isOnItsWay = ({ core: { sql, live }, ref }: LiveRun, { number }: ArrivalPlace): boolean =>
  sql.elders.all(number, ref).some(({ run, seq }) => (live.get(run)?.told ?? seq) < seq);

/**
 * Offers an event that is for anybody, and that a run has not used, to those who wait for it, and keeps it for those who will. Within a transaction;
 * whoever gets it has to be told.
 */
export function giveOn(core: Core, number: number, event: CloudEvent): readonly Arrived[] {
  const definitions = openFor(core, event);
  for (const { workflow, name } of definitions) core.sql.addEarly.run(workflow.id, name, "", number, core.now());
  const { all } = candidatesFor(core, number, definitions);
  const others = all.filter(({ run, inbox }) => core.sql.has.get(number, run, inbox) === undefined);
  return put(core, number, others, true);
}

/** An event that is given to those who are to be told of it. */
export interface Given {
  readonly arrived: Arrived;
  readonly event: CloudEvent;
}

/** A run leaves events to others, which it has and does not wait for: those that are for anybody. */
export function leave(
  run: LiveRun,
  events: readonly { readonly place: ArrivalPlace; readonly event: CloudEvent }[],
): void {
  if (events.length === 0) return;
  const { core, ref } = run;
  let given: readonly Given[] = [];
  const store = () => {
    given = events.flatMap(({ place: { seq, number }, event }) => {
      const isThere = core.sql.forgetArrival.run(ref, seq).changes > 0;
      return isThere ? giveOn(core, number, event).map((arrived) => ({ arrived, event })) : [];
    });
  };
  run.write(store, () => tellAll(core, given));
}

/**
 * What an inbox, or a run (without an inbox), has and will not use any more, as it is over: what is for anybody is for others, also what it has not heard
 * of. It listens to nothing from now on. Within a transaction; whoever gets something has to be told.
 */
export function leaveAll(core: Core, run: number, inbox: string | null): readonly Given[] {
  const { sql } = core;
  const left = leftBy(core, run, inbox);
  if (inbox === null) sql.endInterests.run(run);
  else sql.endInterest.run(run, inbox);
  return left.flatMap(({ seq, number, event }) => {
    sql.forgetArrival.run(run, seq);
    return giveOn(core, number, event).map((arrived) => ({ arrived, event }));
  });
}

/**
 * What a run has that cannot go on is for others too, as far as it is for anybody, and nothing is kept from them any more as it is sure to use that. Within
 * a transaction; whoever gets something has to be told.
 */
export function shareAll(core: Core, run: number): readonly Given[] {
  core.sql.unsettle.run(run);
  return leftBy(core, run, null).flatMap(({ number, event }) =>
    giveOn(core, number, event).map((arrived) => ({ arrived, event })),
  );
}

/**
 * The events that an inbox, or a run (without an inbox), has and has not used, and that are for anybody; where its code is missing, which could tell that,
 * all that nobody has used.
 */
function leftBy(core: Core, run: number, inbox: string | null) {
  const { sql, workflows } = core;
  return sql.untaken.all(run, inbox).flatMap(({ seq, number, text, workflow: of }) => {
    const [event, workflow] = [storedEvent(core, number, text), workflows.get(of)];
    if (!event) return [];
    const isLeft = workflow ? isForAnybody(event, workflow) : sql.isTaken.get(number) === undefined;
    return isLeft ? [{ seq, number, event }] : [];
  });
}

/** Those who are given events hear of them. */
export function tellAll(core: Core, given: readonly Given[]): void {
  for (const { arrived, event } of given) tell(core, arrived, event);
}

/** What a run uses by an inbox: the workflow of that is a subflow's where it is one's. */
export interface Use {
  readonly workflow: AnyWorkflow;
  readonly place: ArrivalPlace;
  readonly event: CloudEvent;
}

/**
 * Takes an event that others have too from them: it is used once. They do not see it from now on, and do not have it any more when that is stored. Who has
 * it by a correlation value keeps it where its workflow is another one.
 */
export function claim(run: LiveRun, { workflow, place: { seq, number }, event }: Use): void {
  const { core, ref } = run;
  const isAnybodys = isForAnybody(event, workflow);
  const { sql, claims } = core;
  const ids = [...new Set([workflow.id, run.workflow.id])];
  const keys = isAnybodys ? [`${number}`] : ids.map((id) => claimOf(number, id));
  for (const key of keys) claims.set(key, ref);
  run.claiming += 1;
  let lost: readonly HolderRow[] = [];
  const take = () => {
    const isTaken = isAnybodys ? takenFromAll(core, workflow, event) : takenFromWorkflow(core, ids);
    lost = sql.holders.all(number, ref, seq).filter(isTaken);
    for (const holder of lost) sql.forgetArrival.run(holder.run, holder.seq);
    for (const id of ids) sql.endUndecided.run(number, id);
    if (isAnybodys) endOffer(core, number, workflow, event);
    else for (const id of ids) sql.endMissedBy.run(number, id);
  };
  run.write(take, () => {
    for (const key of keys) claims.delete(key);
    run.claiming -= 1;
    for (const { run: other, inbox, seq: place } of lost) core.live.get(other)?.lose(inbox, place);
  });
}

/** Whether what is for anybody is taken from one who has it. */
const takenFromAll =
  ({ workflows }: Core, user: AnyWorkflow, event: CloudEvent) =>
  ({ workflow }: HolderRow): boolean => {
    const holder = workflows.get(workflow);
    return holder === undefined || holder.id === user.id || isForAnybody(event, holder);
  };

/** Whether what runs of some workflows have by a correlation value is taken from one who has it. */
const takenFromWorkflow =
  ({ names }: Core, ids: readonly string[]) =>
  ({ workflow, root }: HolderRow): boolean =>
    [workflow, root].some((ref) => ids.includes(names.get(ref)?.id ?? ""));

/** What is for anybody has been used. */
function endOffer({ sql, workflows }: Core, number: number, user: AnyWorkflow, event: CloudEvent): void {
  const others = [...workflows.values()].filter((each) => each.id !== user.id && !isForAnybody(event, each));
  sql.endOpen.run(number);
  sql.endMissedByAll.run(number, JSON.stringify(others.map(({ id }) => id)));
}

/** Whether another run uses an event that a run has as well by an inbox of a workflow, and the store does not know that yet. */
export const isClaimed = (run: LiveRun, { workflow, place: { number }, event }: Use): boolean => {
  const { claims } = run.core;
  const ids = [workflow.id, run.workflow.id];
  return (
    ids.some((id) => claims.has(claimOf(number, id))) || (claims.has(`${number}`) && isForAnybody(event, workflow))
  );
};

/** Who has an event by an inbox of a workflow, or of a run of it. */
export const holdersIn = (core: Core, number: number, id: string): readonly HolderRow[] =>
  core.sql.holders.all(number, 0, 0).filter(takenFromWorkflow(core, [id]));

/** Stands for an event that a run of a workflow uses which it has as well. */
export const claimOf = (number: number, workflow: string): string => `${number} ${workflow}`;
