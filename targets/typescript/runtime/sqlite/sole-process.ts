import { alarmOf } from "./alarm.ts";
import type { Core } from "./core.ts";
import { catchUp } from "./delivery.ts";
import { storeErrorOf } from "./file.ts";
import { inTransaction } from "./opening.ts";
import { outboxOf } from "./outbox.ts";
import type { Activity, Processes } from "./processes.ts";
import { resumeRuns } from "./resuming.ts";
import { Known, type Task } from "./store.ts";
import { settleEarlierEvents } from "./upgrade.ts";

/** The only process on a store, which executes all its runs. */
export const soleProcess = (core: Core): Processes => ({
  isAlone: true,
  elsewhere: new Set(),
  *prepare() {
    yield* settleClock(core);
    yield* inTransaction(core.db, function* () {
      yield* core.broker.route();
      for (const ref of core.workflows.keys()) yield* catchUp(core, ref);
    });
  },
  begin: () => begin(core),
  admits: () => true,
  *reserve(run) {
    return { seq: (yield* core.sql.lastSeq.get(run, run))!.seq + 1, isElsewhere: false };
  },
  refresh: nothing,
  stop: nothing,
});

/** No other process changes anything. */
const nothing = () => new Known<void>(undefined);

/** Continues the runs of a store. Closes the store if it is damaged. */
function* begin(core: Core): Task<readonly Activity[]> {
  const alarm = alarmOf(core);
  core.alarm = alarm.at;
  try {
    const resuming = resumeRuns(core);
    alarm.look();
    core.outbox = yield* outboxOf(core);
    return [resuming, alarm, yield* settleEarlierEvents(core)];
  } catch (reason) {
    void core.db.close();
    throw storeErrorOf(reason, core.options.store);
  }
}

/** If the clock was set back since the store was last used, timers keep the time that was left then. */
function* settleClock({ sql, now, db, log }: Core): Task<void> {
  const before = (yield* sql.clock.get())?.value ?? 0;
  if (now() >= before) return;
  log({ level: "warn", message: "The clock has been set back since the store was used last; timers are set anew." });
  yield* inTransaction(db, () => {
    const behind = before - now();
    sql.shiftWaiting.run(behind, behind, now());
    sql.shiftTimers.run(behind, behind, now());
    sql.setClock.run(now());
  });
}
