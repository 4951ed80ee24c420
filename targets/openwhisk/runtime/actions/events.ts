import type { JsonObject } from "../../../../src/json.ts";
import { type Board, changeBoard, delivered, type Outgoing } from "./board.ts";
import type { Surroundings } from "./surroundings.ts";
import { resume, startThread } from "./threads.ts";

/**
 * Tells the threads what has been decided for them. Whoever has changed the board does this, for all that is there: what somebody else has left
 * undone too. That a thing is told twice does no harm; what could not be told stays there.
 */
export async function deliver(board: Board, surroundings: Surroundings): Promise<void> {
  if (board.outgoing.length === 0) return;
  const told: Outgoing[] = [];
  const failures: unknown[] = [];
  for (const outgoing of board.outgoing) {
    try {
      await tell(outgoing, surroundings);
      told.push(outgoing);
    } catch (error) {
      failures.push(error);
    }
  }
  const step = `told ${told.map(({ thread, at = "" }) => `${thread}@${at}`).join()}`;
  if (told.length > 0) await changeBoard(surroundings, step, (now) => delivered(now, told));
  if (failures.length > 0) throw failures[0];
}

const tell = async (outgoing: Outgoing, surroundings: Surroundings): Promise<unknown> =>
  outgoing.flow === undefined
    ? resume(outgoing.thread, outgoing.at, outgoing.params, surroundings)
    : startThread(outgoing, surroundings);

/** What is to be told to a thread that waits. */
export const answerFor = ({ outgoing }: Board, thread: string, at: string): JsonObject | undefined => {
  const found = outgoing.find((each) => each.thread === thread && each.at === at);
  return found?.flow === undefined ? found?.params : undefined;
};
