import { endOf } from "../../../../src/events/draft.ts";
import type { Place, Subscription, WaitRequest, WaitResult } from "../host.ts";
import type { Json } from "../json.ts";
import { awaitedEvents } from "../rules.ts";
import type { AnyWorkflow } from "../workflow.ts";
import { resultIn } from "./recorded-answer.ts";
import type { ReplayingRun, Request, Waits } from "./replay.ts";
import { startTimer } from "./timers.ts";

/**
 * Subscribes a run, or a subflow in it, to events from now on. A run that replays has its subscriptions stored already.
 */
export function subscribe(
  run: ReplayingRun,
  key: string,
  workflow: AnyWorkflow,
  value: Json | undefined,
): Subscription {
  const { core, ref } = run;
  core.adopt(workflow);
  const store = () => {
    if (run.subscribed.has(key)) return;
    run.subscribed.add(key);
    run.write(function* () {
      const after = key === "" ? (yield* core.sql.lastEventBefore.get(run.created))!.number : undefined;
      const number = yield* core.refOf(workflow);
      yield* core.broker.join({ run: ref, inbox: key, workflow: number, value, after, root: run.root });
    });
  };
  run.subscriptions.set(key, store);
  if (!run.isReplaying) store();
  const close = () => {
    run.subscriptions.delete(key);
    if (key !== "" && run.subscribed.has(key) && !run.isReplaying) run.decide(() => core.broker.leave(ref, key));
  };
  return { key, workflow, ...(key === "" && { value: run.value }), close };
}

/** Waits for events. The store keeps the wait until the run has received its answer. */
export function receive(run: ReplayingRun, key: string, request: WaitRequest, place: Place): Promise<WaitResult> {
  const { core, ref } = run;
  const at = run.storedWaits.get(key)?.at ?? beganBefore(run, key) ?? core.now();
  return run.ask(key, place.signal, {
    begin: (pending) => begin(run, key, at, request, place, pending),
    waits: { key, at, events: awaitedEvents(request.subscription.workflow, request.wait) },
    read: resultIn,
    given() {
      if (run.isReplaying) run.answered.add(key);
      else run.decide(() => core.broker.confirm(ref, key));
    },
    cutOff: () => run.decide(() => core.broker.cancel(ref, key)),
  });
}

function begin(
  run: ReplayingRun,
  key: string,
  at: number,
  { subscription, wait, variables, values }: WaitRequest,
  { position }: Place,
  request: Request,
): void {
  const { core, ref, created } = run;
  const { key: inbox, workflow } = subscription;
  const isStored = run.storedWaits.has(key);
  if (!isStored) {
    const seq = run.reserve();
    const beginning = { run: ref, key, inbox, workflow, wait, created, position, at, variables, values, seq };
    run.decide(() => core.broker.wait(beginning as never), true);
  }
  const due = Math.ceil(endOf({ at }, core.broker.ruleOf(workflow, wait)));
  if (!Number.isFinite(due)) return;
  const expire = () => run.decide(() => core.broker.expire(ref, key, Math.max(core.now(), due)));
  startTimer(run, request, { at, due }, { isNew: !isStored, fire: expire });
}

/** When a wait began, if an earlier program has stored only that. */
function beganBefore({ resting }: ReplayingRun, key: string): number | undefined {
  if (resting === null) return undefined;
  try {
    const waits = JSON.parse(resting) as readonly Waits[];
    return waits.find((wait) => wait.key === key)?.at;
  } catch {
    return undefined;
  }
}
