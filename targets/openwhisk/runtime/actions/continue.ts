import { unchanged } from "../store/documents.ts";
import type { Operation } from "./action.ts";
import { type Caller, type Continuation, isInside, joinOf, suspended } from "./caller.ts";
import { isAwaited, isCurrent, launch, type Thread, threadKey, threadOf } from "./threads.ts";

/** Continues a run in a new activation, which has a budget of its own. A branch that its fork has abandoned ends here. */
export const continueRun: Operation = async ({ $waybill }, context) => {
  const { params, isInspected, ...caller } = $waybill as unknown as Continuation & Caller;
  if (isInside(caller)) throw new Error("A branch whose fork waits for its activation cannot continue in another one.");
  const { id } = context;
  const fence = `${id}!`;
  const join = joinOf(caller);
  if (!(await isAwaited(join, context))) return suspended;
  const thread = threadOf(caller, { kind: "going", id: fence, params, isInspected }, context.now());
  const next: Thread = { ...thread, join: { ...join, fence } };
  const { value, isMine } = await context.documents.change<Thread>(threadKey(join.thread), id, (old) =>
    isCurrent(old, join) ? { ...next, partitions: old?.partitions } : unchanged,
  );
  if (isMine) await launch(value ?? next, context);
  return suspended;
};
