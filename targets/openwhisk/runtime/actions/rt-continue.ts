import type { JsonObject } from "../../../../src/json.ts";
import { same } from "../store/documents.ts";
import { type Caller, type Continuation, isInside, joinOf, suspended } from "./continuation.ts";
import { type Surroundings, served } from "./surroundings.ts";
import { forksAround, isCurrent, launch, type Thread, threadKey, threadOf } from "./threads.ts";

/**
 * Continues a run in a new activation, which has a budget of components of its own. A branch whose fork has abandoned it
 * stops here.
 */
export async function onward({ $waybill }: JsonObject, surroundings: Surroundings): Promise<JsonObject> {
  const { params, isInspected, ...caller } = $waybill as unknown as Continuation & Caller;
  if (isInside(caller)) throw new Error("A branch that its fork waits for inside an action cannot go on elsewhere.");
  const { id } = surroundings;
  const fence = `${id}!`;
  const join = joinOf(caller);
  if (!(await forksAround(join, surroundings))) return suspended;
  const thread = threadOf(caller, { kind: "going", id: fence, params, isInspected }, surroundings.now());
  const next: Thread = { ...thread, join: { ...join, fence } };
  const { isMine } = await surroundings.documents.change<Thread>(threadKey(join.thread), id, (old) =>
    isCurrent(old, join) ? next : same,
  );
  if (isMine) await launch(next, surroundings);
  return suspended;
}

export const main = served(onward);
