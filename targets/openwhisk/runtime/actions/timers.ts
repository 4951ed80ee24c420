import { assertNever } from "../../../../src/json.ts";
import type { HelperContext, Operation } from "./action.ts";
import { setAlarm } from "./alarms.ts";
import { joinOf, timedOut } from "./caller.ts";
import type { SuspendUntil } from "./delay.ts";
import { advance } from "./forks.ts";
import { type Checkpoint, checkpoint, forgetThread, isAwaited, readThread, resume, type Thread } from "./threads.ts";

/** Suspends a run for a long delay. */
export const suspendUntil: SuspendUntil<HelperContext> = async (due, { caller, isTimeout }, context) => {
  const at: Checkpoint = { kind: "delay", id: context.id, due, isTimeout };
  if (await checkpoint(caller, at, context)) await setAlarm(joinOf(caller).thread, at, context);
};

type WaitCheckpoint = Extract<Checkpoint, { readonly kind: "wait" }>;

/** How waits for events end by time. Undefined in programs without such waits. */
export interface WaitTimers<Context extends HelperContext> {
  giveUp(thread: Thread, at: WaitCheckpoint, context: Context): Promise<void>;
  stopWaiting(thread: Thread, at: WaitCheckpoint, context: Context): Promise<void>;
  cancelWait(thread: Thread, at: WaitCheckpoint, context: Context): Promise<void>;
}

/** Creates the operation of alarms. */
export const createTimeout =
  <Context extends HelperContext>(waits?: WaitTimers<Context>): Operation =>
  async ({ thread, at }, context) => {
    await ring(String(thread), String(at), context as Context, waits);
    return {};
  };

/** Does what is due at a checkpoint. If it is too early, sets the alarm again. */
export async function ring<Context extends HelperContext>(
  name: string,
  id: string,
  context: Context,
  waits?: WaitTimers<Context>,
): Promise<void> {
  const thread = await readThread(context, name);
  const at = thread?.at;
  if (at?.id !== id || at.due === undefined) return;
  if (!(await isAwaited(thread!.join, context))) {
    if (at.kind === "wait") await waits?.cancelWait(thread!, at, context);
    return forgetThread(thread!, context);
  }
  if (at.due > context.now()) return setAlarm(name, at, context);
  switch (at.kind) {
    case "delay":
      await resume(name, id, at.isTimeout ? timedOut : {}, context);
      return;
    case "wait":
      return isOver(at, context) ? waits?.stopWaiting(thread!, at, context) : waits?.giveUp(thread!, at, context);
    case "fork":
      if (isOver(at, context)) await resume(name, id, timedOut, context);
      else await advance(name, id, context);
      return;
    case "going":
    case "ended":
      return;
    default:
      return assertNever(at);
  }
}

/** Whether the time that the workflow allows has passed. */
const isOver = (
  { timeoutAt }: Checkpoint & { readonly timeoutAt?: number | undefined },
  { now }: HelperContext,
): boolean => timeoutAt !== undefined && timeoutAt <= now();
