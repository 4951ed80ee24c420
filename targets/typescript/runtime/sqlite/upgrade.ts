import { announce } from "./announcing.ts";
import type { Core } from "./core.ts";
import type { Decision } from "./decisions.ts";
import type { Task } from "./store.ts";

/** How often is checked whether all runs of an earlier form wait again, in milliseconds. */
const interval = 50;

/**
 * Decides whether runs use the events that an earlier form had left undecided, or the events start runs: as soon as the
 * waiting runs have begun their waits again. Returns how to stop.
 */
export function* settleEarlierEvents(core: Core): Task<{ stop(): void }> {
  const { sql } = core;
  const open = (yield* sql.storedEvents.all(0)).filter(({ state }) => {
    const { isFree, isNew } = JSON.parse(state) as { readonly isFree: boolean; readonly isNew?: boolean };
    return isFree && isNew === true;
  });
  if (open.length === 0) return { stop: () => undefined };
  const look = async () => {
    const isReplaying = [...core.live.values()].some((run) => run.isReplaying || run.writing > 0);
    if (isReplaying) return;
    for (const ref of core.workflows.keys()) if ((await core.read(sql.due.all(ref, 0))).length > 0) return;
    clearInterval(timer);
    for (const { ref } of open) {
      let decision: Decision | undefined;
      const settle = function* (): Task<void> {
        decision = undefined;
        decision = yield* core.broker.settle(ref);
      };
      core.commits.ask(settle, () => decision && announce(core, decision)).catch(() => undefined);
    }
  };
  const timer = setInterval(() => void look().catch(() => undefined), interval);
  return { stop: () => clearInterval(timer) };
}
