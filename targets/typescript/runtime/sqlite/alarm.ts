import type { Core } from "./core.ts";
import { retentionOf } from "./retention.ts";
import { complete } from "./store.ts";
import { glance } from "./timers.ts";

/** Wakes the runs that are not in memory when their timers fire. */
export interface Alarm {
  /** There is one more timer. */
  at(time: number): void;
  /** Wakes what is due, and sets itself for what is next. */
  look(): void;
  stop(): void;
}

/** How soon to look again for runs that are just being woken, in milliseconds. */
const soon = 10;

/** The alarm of an engine: one timer for all runs. It looks at the clock at least once a minute. */
export function alarmOf(core: Core): Alarm {
  let timer: NodeJS.Timeout | undefined;
  let [next, isStopped] = [Number.POSITIVE_INFINITY, false];
  const forget = retentionOf(core);
  const set = (time: number) => {
    clearTimeout(timer);
    next = time;
    timer = setTimeout(look, Math.min(Math.max(next - core.now(), 0) / (core.options.pace ?? 1), glance));
  };
  const look = () => {
    if (isStopped) return;
    const now = core.now();
    let isLeft = false;
    for (const ref of core.workflows.keys()) {
      const due = complete(core.sql.due.all(ref, now));
      isLeft ||= due.length > 0;
      for (const run of due) core.wake(run.ref);
    }
    forget();
    set(isLeft ? now + soon : nextWake(core, now));
  };
  return {
    at: (time) => time < next && set(time),
    look,
    stop() {
      isStopped = true;
      clearTimeout(timer);
    },
  };
}

function nextWake({ sql, workflows }: Core, now: number): number {
  return Math.min(
    ...[...workflows.keys()].map((ref) => complete(sql.nextWake.get(ref, now))?.at ?? Number.POSITIVE_INFINITY),
  );
}
