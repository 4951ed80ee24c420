import type { CloudEvent } from "../events.ts";
import { type Arrival, startWith } from "./arriving.ts";
import type { Core } from "./core.ts";
import { storedEvent } from "./reading.ts";
import { claimOf, holdersIn } from "./sharing.ts";
import type { HolderRow } from "./statements.ts";
import type { Touchable } from "./turns.ts";

/** Decides of the events of which that was left open when the process ended. */
export function decideAll(core: Core): void {
  for (const { number, text } of core.sql.undecided.all()) {
    const event = storedEvent(core, number, text);
    if (event) decide(core, number, event);
    else startNothing(core, number);
  }
}

/** It is decided of an event that cannot be read: it starts no run. */
function startNothing({ turns, sql, log }: Core, number: number): void {
  const strand = (reason: unknown) => log({ level: "error", message: `An event stays undecided: ${String(reason)}` });
  const store = () => {
    for (const { workflow } of sql.undecidedOf.all(number)) sql.endUndecided.run(number, workflow);
  };
  turns.write({ strand }, store, () => undefined);
}

/** An event that runs have starts another run of their workflow, when all of them have heard of it and none has used it. */
export function decide(core: Core, number: number, event: CloudEvent, ids?: Arrival["ids"]): void {
  const { sql, turns, claims, live } = core;
  let looks = 0;
  const decision: Touchable = {
    touched: false,
    strand: (reason) => core.log({ level: "error", message: `An event starts nothing: ${String(reason)}` }),
    look() {
      looks += 1;
      if (looks > patience && looks % patience > 0) return turns.touch(decision);
      const open = core.isClosing
        ? []
        : sql.undecidedOf.all(number).filter(({ workflow }) => core.newest.has(workflow));
      const next = open.find(({ workflow }) => !isOnItsWay(core, number, workflow));
      if (next) start(next.workflow, { event, number, at: next.at, ids });
      else if (open.length > 0 && !core.cluster) turns.touch(decision);
    },
  };
  const start = (id: string, arrival: Arrival) => {
    const key = claimOf(number, id);
    if (!core.newest.get(id)!.workflow.start?.complete) claims.set(key, noRun);
    let [run, lost]: [number | undefined, readonly HolderRow[]] = [undefined, []];
    const store = () => {
      [run, lost] = [undefined, []];
      const isOpen = sql.undecidedOf.all(number).some(({ workflow }) => workflow === id);
      if (!isOpen || isUnheard(core, number, id)) return;
      sql.endUndecided.run(number, id);
      ({ run, lost } = startWith(core, id, arrival));
    };
    turns.write(decision, store, () => {
      claims.delete(key);
      for (const { run: holder, inbox, seq } of lost) live.get(holder)?.lose(inbox, seq);
      if (run !== undefined) core.wake(run);
      turns.touch(decision);
    });
  };
  turns.touch(decision);
}

/** So many turns in a row it is asked in each whether an event can be decided of, then in one of so many: a long journal takes many turns. */
const patience = 16;

/** Whether some run may still use an event that it has: it has not heard of it, or the store does not know that it has used it. */
const isOnItsWay = (core: Core, number: number, id: string): boolean =>
  core.claims.has(`${number}`) || core.claims.has(claimOf(number, id)) || isUnheard(core, number, id);

/** Whether a run in memory has not heard yet of an event that it has. */
const isUnheard = (core: Core, number: number, id: string): boolean =>
  holdersIn(core, number, id).some(({ run, seq }) => {
    const there = core.live.get(run);
    if (!there) return core.cluster?.isUnheard(run, seq) ?? false;
    return there.isReplaying || there.told < seq;
  });

/** Uses an event, and is no run: one that starts. */
const noRun = -1;
