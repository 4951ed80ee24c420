import type { WorkflowError } from "../errors.ts";
import type { NewTask, Place, TaskOffer, TaskRequest } from "../host.ts";
import type { Json } from "../json.ts";
import {
  type ActivityTask,
  digestOf,
  missedHeartbeat,
  newTaskToken,
  reportedFailure,
  type TakeOptions,
  type TaskOptions,
  type TaskReceipt,
  type TaskReport,
  taskOf,
} from "../tasks.ts";
import { announceAnswer, type OutsideAnswer, type StoredAnswer, storeAnswer } from "./answers.ts";
import type { Core } from "./core.ts";
import type { ReplayingRun, Request } from "./replay.ts";
import type { OfferedTaskRow, TaskRow } from "./statements.ts";
import type { QueryReading, Task } from "./store.ts";
import { callKeyOf, tokenKeyOf } from "./task-keys.ts";
import { startTimer } from "./timers.ts";
import { failureText, storable, textOf, valueIn } from "./values.ts";

/** Creates the token of a task. The token and the task are stored before the run continues. */
export const openTask = (run: ReplayingRun, key: string, { answer }: NewTask, { signal }: Place): Promise<string> =>
  run.ask(key, signal, {
    begin() {
      const [{ core, ref }, token] = [run, newTaskToken()];
      run.record(key, "value", textOf(token), ({ resolve }) => resolve(token), {
        store: () => void core.sql.addTask.run(taskOf(token), ref, answer, key, core.now()),
      });
    },
  });

/** Offers a task to workers, and waits until one has taken it. */
export function offerTask(run: ReplayingRun, key: string, offer: TaskOffer, { signal }: Place): Promise<void> {
  const { core } = run;
  const task = taskOf(offer.token);
  return run.ask(key, signal, {
    begin() {
      const input = storable(JSON.stringify(offer.input), core.longest);
      run.write(
        () => void core.sql.offerTask.run(offer.activity, input, key, core.now(), task),
        () => {
          for (const poll of core.pollers) poll();
        },
      );
    },
    waits: { key, at: core.now(), activity: offer.activity },
    cutOff: () => endTask(run, task),
  });
}

/** Waits for the answer of a task. */
export function taskAnswer(run: ReplayingRun, key: string, request: TaskRequest, { signal }: Place): Promise<Json> {
  const task = taskOf(request.token);
  return run.ask(key, signal, {
    begin: (pending) => begin(run, key, { task, heartbeat: request.heartbeat }, pending),
    waits: { key, at: run.core.now(), isTask: true },
    cutOff: () => endTask(run, task),
  });
}

const endTask = (run: ReplayingRun, task: string): void =>
  run.write(() => void run.core.sql.endTask.run("over", run.core.now(), null, task));

/**
 * Ends the tasks of the step whose timeout fires, in the transaction that records it: a later answer is refused, although
 * the run has not received the timeout.
 */
export function endTasksAt({ core, ref, requests }: ReplayingRun, timer: string): void {
  const [, step] = /^(.*)#timeout(?:#\d+)?$/s.exec(timer) ?? [];
  if (step === undefined || ![...requests.values()].some(({ waits }) => waits?.isTask)) return;
  const token = `${step}#token`;
  core.sql.endTasksOf.run(core.now(), ref, token, `${token}#`, `${token}#`);
}

/** A task, and the seconds between its heartbeats. */
interface AwaitedTask {
  readonly task: string;
  readonly heartbeat: number | undefined;
}

/** Reopens a task that was over, or forgotten, before its run was retried, and begins to expect its heartbeats. */
function begin(run: ReplayingRun, key: string, { task, heartbeat }: AwaitedTask, request: Request): void {
  const { core, ref } = run;
  let row: TaskRow | undefined;
  let missed: StoredAnswer | undefined;
  const watch = (isNew: boolean): void => {
    if (heartbeat === undefined || row?.state !== "awaited" || request.isRemoved) return;
    const due = Math.ceil(row.beat + heartbeat * 1000);
    startTimer(run, request, { at: row.beat, due }, { isNew, fire: () => run.write(check, checked) });
  };
  const check = function* (): Task<void> {
    [row, missed] = [yield* core.sql.task.get(task), undefined];
    if (row?.state !== "awaited" || row.beat + heartbeat! * 1000 > core.now()) return;
    core.sql.endTask.run("over", core.now(), null, task);
    missed = yield* storeAnswer(core, { run: ref, key, ...failed(missedHeartbeat()) });
  };
  const checked = (): void => {
    if (missed) announceAnswer(core, missed);
    else watch(false);
  };
  const reopen = function* (): Task<void> {
    row = yield* core.sql.task.get(task);
    if (row?.state === "awaited") return;
    if (row) core.sql.reopenTask.run(core.now(), task);
    else core.sql.addTask.run(task, ref, key, tokenKeyOf(callKeyOf(key)), core.now());
    row = yield* core.sql.task.get(task);
  };
  run.write(reopen, () => watch(true));
}

/** Accepts a report about a task, in one transaction with its effects. */
export function reportTask(
  core: Core,
  token: string,
  report: TaskReport,
  options: TaskOptions = {},
): Promise<TaskReceipt> {
  let answer: StoredAnswer | undefined;
  const accept = function* (): Task<TaskReceipt> {
    answer = undefined;
    yield* core.processes.refresh();
    const { sql } = core;
    const row = yield* sql.task.get(taskOf(token));
    const run = row && (yield* sql.run.get(row.run));
    if (!row || !run || !mayUse(core, run.workflow, options)) return "unknown";
    if (row.state === "answered")
      return report.kind !== "heartbeat" && row.digest === digestOf(token, report) ? "duplicate" : "answered";
    if (row.state === "over" || !openStatuses.has(run.status)) return "over";
    if (report.kind === "heartbeat") sql.beatTask.run(core.now(), row.task);
    else {
      const result = report.kind === "success" ? succeeded(report.output) : failed(reportedFailure(report));
      storable(result.value, core.longest);
      sql.endTask.run("answered", core.now(), digestOf(token, report), row.task);
      answer = yield* storeAnswer(core, { run: row.run, key: row.key, ...result });
    }
    return "accepted";
  };
  return core.commits.ask(accept, () => answer && announceAnswer(core, answer));
}

/** A run that is stranded continues when its version is there again. */
const openStatuses: ReadonlySet<string> = new Set(["running", "waiting", "stranded"]);

type Recorded = Pick<OutsideAnswer, "kind" | "value">;

const succeeded = (value: Json): Recorded => ({ kind: "value", value: textOf(value) });

const failed = (failure: WorkflowError): Recorded => ({ kind: "failure", value: failureText(failure) });

const mayUse = ({ names }: Core, workflow: number, { workflows }: TaskOptions): boolean =>
  workflows?.includes(names.get(workflow)?.id ?? "") ?? true;

/** Takes the oldest task that is offered to the workers of an activity, and waits for one as long as the options say. */
export async function takeTask(
  core: Core,
  activity: string,
  { wait = 0, signal, ...options }: TakeOptions = {},
): Promise<ActivityTask | undefined> {
  const end = performance.now() + wait * 1000;
  for (;;) {
    const task = await takeNow(core, activity, options);
    const left = end - performance.now();
    if (task || left <= 0 || signal?.aborted || core.isClosing) return task;
    await offerOrTime(core, Math.min(left, pollInterval), signal);
  }
}

/** Other processes on the store may offer tasks too; in milliseconds. */
const pollInterval = 1000;

/** Resolves when this process offers a task, at the latest after some milliseconds. */
async function offerOrTime({ pollers }: Core, milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, milliseconds);
  const done = () => resolve();
  pollers.add(done);
  signal?.addEventListener("abort", done);
  await promise;
  clearTimeout(timer);
  pollers.delete(done);
  signal?.removeEventListener("abort", done);
}

function takeNow(core: Core, activity: string, options: TaskOptions): Promise<ActivityTask | undefined> {
  let taken: StoredAnswer | undefined;
  const take = function* (): Task<ActivityTask | undefined> {
    taken = undefined;
    yield* core.processes.refresh();
    const { sql } = core;
    const row = yield* offeredTask(core, activity, options);
    const token = row && valueIn((yield* sql.result.get(row.run, row.token))?.value ?? null);
    if (!row || typeof token !== "string") return undefined;
    sql.takeTask.run(core.now(), row.task);
    taken = yield* storeAnswer(core, { run: row.run, key: row.taken, kind: "value", value: null, since: row.beat });
    return { token, input: JSON.parse(row.input) as Json };
  };
  return core.commits.ask(take, () => taken && announceAnswer(core, taken));
}

function offeredTask(
  { sql, names }: Core,
  activity: string,
  { workflows }: TaskOptions,
): QueryReading<OfferedTaskRow | undefined> {
  if (workflows === undefined) return sql.offeredTask.get(activity);
  const refs = [...names].flatMap(([ref, { id }]) => (workflows.includes(id) ? [`${ref}`] : []));
  return sql.offeredTaskOf.get(activity, JSON.stringify(refs));
}

/** The number of tasks without an answer, by workflow. */
export async function awaitedTasks({ sql, read, names }: Core): Promise<ReadonlyMap<string, number>> {
  const counts = new Map<string, number>();
  for (const { workflow, n } of await read(sql.countAwaited.all())) {
    const id = names.get(workflow)?.id ?? "";
    counts.set(id, (counts.get(id) ?? 0) + n);
  }
  return counts;
}
