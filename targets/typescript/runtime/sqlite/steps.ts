import type { PendingStep, StepFilter, StepPage, StepRecord } from "../engine.ts";
import { isObject, type Json } from "../json.ts";
import { stepRange } from "../paging.ts";
import type { Core } from "./core.ts";
import { instant, jsonIn, waitsOf } from "./reading.ts";
import type { RunRow, StepRow } from "./statements.ts";
import { isTokenKey } from "./task-keys.ts";

/** A page of the recorded steps of a run, in their order; undefined if the run does not exist. */
export async function listSteps(core: Core, id: string, filter: StepFilter = {}): Promise<StepPage | undefined> {
  const { limit, after, maxSize } = stepRange(filter);
  const row = await core.read(core.sql.runById.get(id));
  if (!row) return undefined;
  const found = await core.read(core.sql.steps.all(maxSize, row.ref, after, limit + 1));
  const steps = found.slice(0, limit).map((each) => recordOf(each, maxSize));
  if (found.length > limit) return { steps, pending: [], next: `${found[limit - 1]!.seq}` };
  return { steps, pending: pendingIn(core, row) };
}

/** A recorded step. Tokens of tasks are not shown: who may read a run may not therefore answer for it. */
function recordOf({ seq, key, kind, value, size, at, took, attempt }: StepRow, maxSize: number): StepRecord {
  const isFailed = kind === "failure";
  const status = isFailed ? "failed" : kind === "fired" ? "fired" : "done";
  return {
    cursor: `${seq}`,
    key,
    status,
    at: instant(at),
    ...(took !== null && { began: instant(at - took) }),
    ...(attempt !== null && { attempt }),
    ...(value === null || isTokenKey(key)
      ? {}
      : size !== null && size > maxSize
        ? { size }
        : contentOf(jsonIn(value), isFailed)),
  };
}

function contentOf(value: Json, isFailed: boolean): Pick<StepRecord, "result" | "error"> {
  if (!isFailed) return { result: value };
  const { name, message, data } = isObject(value) ? value : {};
  return { error: { name: String(name ?? ""), message: String(message ?? ""), ...(data !== undefined && { data }) } };
}

/** What a run has begun and has no result: what it waits for, and calls if this process executes it. */
function pendingIn(core: Core, row: RunRow): readonly PendingStep[] {
  if (row.status !== "running" && row.status !== "waiting") return [];
  const run = core.live.get(row.ref);
  const calls = run
    ? [...run.requests].flatMap(([key, { began }]) => (began === undefined ? [] : [{ key, began: instant(began) }]))
    : [];
  const waits = waitsOf(core, row).map(({ key, at, events, isTask, activity, until }) => ({
    key,
    began: instant(at),
    ...(events && { events }),
    ...(isTask && { isTask }),
    ...(activity !== undefined && { activity }),
    ...(until !== undefined && Number.isFinite(until) && { until: instant(until) }),
  }));
  return [...calls, ...waits];
}
