import type { JsonObject } from "../../../../src/json.ts";
import { same } from "../store/documents.ts";
import { type Board, delivered, emptyBoard, type Outgoing } from "./board.ts";
import type { Surroundings } from "./surroundings.ts";
import { resume, startThread } from "./threads.ts";

const boardKey = "board";

/** Changes what all runs have in common; `step` tells this change from others of the same activation. */
export async function changeBoard(
  { documents, id }: Surroundings,
  step: string,
  next: (board: Board) => Board,
): Promise<Board> {
  const { value } = await documents.change<Board>(boardKey, `${id}/${step}`, (board = emptyBoard) => {
    const changed = next(board);
    return changed === board ? same : changed;
  });
  return value ?? emptyBoard;
}

/** What all runs have in common. */
export const readBoard = async ({ documents }: Surroundings): Promise<Board> =>
  (await documents.read<Board>(boardKey)) ?? emptyBoard;

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
