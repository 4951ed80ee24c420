import type { Json, JsonObject } from "../../../../src/json.ts";
import { same } from "../store/documents.ts";
import { changeBoard, forget, readBoard } from "./board.ts";
import type { Caller, Join } from "./continuation.ts";
import { branchEnded } from "./forks.ts";
import type { Ended } from "./joining.ts";
import { type Surroundings, served } from "./surroundings.ts";
import { endThread, isCurrent, readThread } from "./threads.ts";

/** How a thread has ended, as the conductor tells it. */
export type Told = Join & { readonly result?: JsonObject; readonly error?: Json; readonly $waybill: Caller };

/** How a run ended, as it is stored under `done:<run>` and told by a trigger. */
export interface RunOutcome {
  readonly run: string;
  readonly status: "succeeded" | "failed";
  readonly output?: Json;
  readonly error?: Json;
  /** When, in milliseconds since 1970. */
  readonly ended: number;
}

/** An outcome as it is stored: by which resumption it is told, and whether that has been done. */
interface StoredOutcome {
  readonly outcome: RunOutcome;
  readonly teller?: string | undefined;
  readonly isTold: boolean;
}

/** A thread has ended: who waits for it is told, once. What is told by an activation that has no say any more is dropped. */
export async function join(params: JsonObject, surroundings: Surroundings): Promise<JsonObject> {
  const { result = {}, error, $waybill: caller, ...ended } = params as unknown as Told;
  if (!isCurrent(await readThread(surroundings, ended.thread), ended)) return {};
  const { index } = ended;
  const end: Ended = error === undefined ? { index, result } : { index, error };
  if (ended.id === "run") await endRun(caller, ended, end, surroundings);
  else await branchEnded(ended, end, surroundings);
  await endThread(ended, surroundings);
  if (ended.inbox === ended.thread) await forgetRun(ended.inbox, surroundings);
  return {};
}

/** Stores how a run ended, and fires the trigger that is to tell it; again where the run was resumed after that had come to nothing. */
async function endRun(
  { run, flow }: Caller,
  { fence: teller }: Join,
  { result, error }: Ended,
  { documents, platform, settings, id, now }: Surroundings,
): Promise<void> {
  const outcome: RunOutcome =
    error === undefined
      ? { run, status: "succeeded", output: result ?? null, ended: now() }
      : { run, status: "failed", error, ended: now() };
  const kept = { keepMs: settings.keepOutcomesMs };
  const { value, isMine } = await documents.change<StoredOutcome>(
    `done:${run}`,
    id,
    (old = { outcome, isTold: false }) => (old.isTold || old.teller === teller ? same : { ...old, teller }),
    kept,
  );
  const trigger = Object.entries(settings.ended).find(([action]) => flow.endsWith(`/${action}`))?.[1];
  if (!isMine || !value || trigger === undefined) return;
  await platform.fire(trigger, { ...value.outcome });
  await documents.change<StoredOutcome>(`done:${run}`, `${id}.`, () => ({ ...value, isTold: true }), kept);
}

/** Takes what was a run's own from what all have in common, where there is something. */
async function forgetRun(inbox: string, surroundings: Surroundings): Promise<void> {
  const { tokens, events, waits } = await readBoard(surroundings);
  const isKnown = Object.hasOwn(tokens, inbox) || [...events, ...waits].some((each) => each.inbox === inbox);
  if (isKnown) await changeBoard(surroundings, "forget", (board) => forget(board, inbox));
}

export const main = served(join);
