import { assertNever } from "../../../../src/json.ts";
import { changeBoard, giveUp, withdraw } from "./board.ts";
import { timedOut } from "./continuation.ts";
import { answerFor, deliver } from "./events.ts";
import { advance } from "./forks.ts";
import type { Surroundings } from "./surroundings.ts";
import { type Checkpoint, forgetThread, forksAround, readThread, resume, setAlarm } from "./threads.ts";

/** Does what is due at a checkpoint, if the thread is still there and waited for; where it is too soon, the alarm is set again. */
export async function ring(thread: string, id: string, surroundings: Surroundings): Promise<void> {
  const known = await readThread(surroundings, thread);
  const at = known?.at;
  if (at?.id !== id || at.due === undefined) return;
  if (!(await forksAround(known!.join, surroundings))) return forgetThread(known!, surroundings);
  if (at.due > surroundings.now()) return setAlarm(thread, at, surroundings);
  switch (at.kind) {
    case "delay":
      await resume(thread, id, at.isTimeout ? timedOut : {}, surroundings);
      return;
    case "wait":
      return isOver(at, surroundings) ? stopWaiting(thread, id, surroundings) : giveUpWaiting(thread, id, surroundings);
    case "fork":
      if (isOver(at, surroundings)) await resume(thread, id, timedOut, surroundings);
      else await advance(thread, id, surroundings);
      return;
    case "going":
    case "ended":
      return;
    default:
      return assertNever(at);
  }
}

/** Whether the time is over that the workflow gives. */
const isOver = (
  { timeoutAt }: Checkpoint & { readonly timeoutAt?: number | undefined },
  { now }: Surroundings,
): boolean => timeoutAt !== undefined && timeoutAt <= now();

/** Ends a wait, whatever may come; where it has ended already, its thread is told by what. */
async function stopWaiting(thread: string, id: string, surroundings: Surroundings): Promise<void> {
  const board = await changeBoard(surroundings, "withdraw", (now) => withdraw(now, thread, id));
  if (answerFor(board, thread, id)) await deliver(board, surroundings);
  else await resume(thread, id, timedOut, surroundings);
}

async function giveUpWaiting(thread: string, id: string, surroundings: Surroundings): Promise<void> {
  const now = surroundings.now();
  await deliver(await changeBoard(surroundings, "give up", (board) => giveUp(board, thread, id, now)), surroundings);
}
