import type { PendingStep, StepPage, StepRecord } from "../../engine.ts";
import type { Json } from "../../json.ts";
import type { StepRange } from "../../paging.ts";
import type { Query, Row } from "./query.ts";
import { type JournalEntry, type RunOutline, stepsQuery } from "./reading.ts";

/** A result in Restate's journal, as the run recorded it. */
interface RecordedResult {
  readonly kind?: string;
  readonly value?: Json;
  readonly text?: string;
}

/** A page of the steps in Restate's journal of a run. */
export async function listSteps({ kept }: RunOutline, query: Query, range: StepRange): Promise<StepPage> {
  const { done, pending } = readJournal(await query(stepsQuery(kept)), range.maxSize);
  const steps = done.slice(range.after, range.after + range.limit);
  const end = range.after + steps.length;
  return end < done.length ? { steps, pending: [], next: `${end}` } : { steps, pending };
}

/** The completed steps in their order, and the others. */
function readJournal(rows: readonly Row[], maxSize: number) {
  const open = new Map<number, { readonly key: string; readonly began: string }>();
  const done: StepRecord[] = [];
  for (const row of rows) {
    const { Command: command, Notification: notification } = JSON.parse(`${row["entry_json"]}`) as JournalEntry;
    const at = `${row["appended_at"]}`;
    for (const { completion_id: id, name: key } of Object.values(command ?? {})) open.set(id, { key, began: at });
    for (const { completion_id: id, result } of Object.values(notification?.Completion ?? {})) {
      const step = open.get(id);
      open.delete(id);
      if (step) done.push({ cursor: `${done.length + 1}`, ...step, at, ...outcomeOf(result?.Success, maxSize) });
    }
  }
  const pending: readonly PendingStep[] = [...open.values()];
  return { done, pending };
}

function outcomeOf(
  bytes: readonly number[] | undefined,
  maxSize: number,
): Pick<StepRecord, "status" | "result" | "size" | "error"> {
  if (!bytes) return { status: "fired" };
  if (bytes.length > maxSize) return { status: "done", size: bytes.length };
  const { kind, value, text } = JSON.parse(Buffer.from(bytes).toString()) as RecordedResult;
  if (kind !== "failure")
    return { status: kind === "fired" ? "fired" : "done", ...(value !== undefined && { result: value }) };
  const { name, message, data } = JSON.parse(text ?? "{}") as NonNullable<StepRecord["error"]>;
  return { status: "failed", error: { name, message, ...(data !== undefined && { data }) } };
}
