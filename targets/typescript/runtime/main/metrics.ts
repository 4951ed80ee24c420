import type { Engine, Telemetry } from "../engine.ts";
import { noRuns } from "../run-counts.ts";
import type { AnyWorkflow } from "../workflow.ts";
import { createCounter, createGauge, createHistogram } from "./open-metrics.ts";

/** The metrics of a program: what the engine reports, and what is read for each request. */
export interface ProgramMetrics {
  readonly telemetry: Telemetry;
  /** All metrics in the text format of OpenMetrics 1.0. Rejects if the store cannot be read. */
  read(engine: Engine): Promise<string>;
}

/** Creates the metrics of a process. Series are bounded by the workflows, their steps and the statuses of runs. */
export function createMetrics(workflows: readonly AnyWorkflow[]): ProgramMetrics {
  const runs = runMetrics();
  const calls = callMetrics();
  const store = storeMetrics();
  const node = processMetrics();
  return {
    telemetry: { ...runs.telemetry, call: calls.call, committed: store.committed },
    async read(engine) {
      await Promise.all([runs.read(engine, workflows), store.read(engine)]);
      const families = [...runs.families, ...calls.families, ...store.families, ...node.read()];
      return `${families.map((family) => family.print()).join("")}# EOF\n`;
    },
  };
}

function runMetrics() {
  const started = createCounter("waybill_runs_started", "Runs that have started.");
  const ended = createCounter("waybill_runs_ended", "Runs that have ended.");
  const duration = createHistogram("waybill_run_duration_seconds", "From the start of runs to their end.");
  const resting = createGauge("waybill_runs", "Runs in the store by status.");
  const active = createGauge("waybill_runs_active", "Runs that compute or call functions in this process.");
  const awaited = createGauge("waybill_tasks_awaited", "Tasks without an answer that runs wait for.");
  const here = new Set<string>();
  const leave = (id: string): void => {
    if (here.delete(id)) active.set({}, here.size);
  };
  active.set({}, 0);
  const telemetry: Omit<Telemetry, "call"> = {
    started: ({ workflow }) => started.add({ workflow }),
    resumed({ id }) {
      here.add(id);
      active.set({}, here.size);
    },
    suspended: leave,
    ended({ id, workflow, status, created, updated }) {
      leave(id);
      ended.add({ workflow, status });
      duration.observe({ workflow }, (Date.parse(updated) - Date.parse(created)) / 1000);
    },
  };
  return {
    telemetry,
    families: [started, ended, duration, resting, active, awaited],
    async read(engine: Engine, workflows: readonly AnyWorkflow[]) {
      const [counts, tasks] = await Promise.all([engine.counts(), engine.awaitedTasks()]);
      awaited.clear();
      for (const [workflow, count] of tasks) awaited.set({ workflow }, count);
      resting.clear();
      for (const workflow of new Set([...workflows.map(({ id }) => id), ...counts.keys()]))
        for (const [status, count] of Object.entries(counts.get(workflow) ?? noRuns))
          resting.set({ workflow, status }, count);
    },
  };
}

function callMetrics() {
  const duration = createHistogram("waybill_call_duration_seconds", "The duration of calls of functions.");
  const failures = createCounter(
    "waybill_calls_failed",
    "Calls of functions that have failed, by the name of the error.",
  );
  const retries = createCounter("waybill_calls_retried", "Calls of functions that were repeated after a failure.");
  const active = createGauge("waybill_calls_active", "Calls of functions in progress.");
  active.set({}, 0);
  const call: Telemetry["call"] = ({ workflow }, { step, attempt }, work) => {
    const labels = { workflow, step };
    const since = performance.now();
    active.add({}, 1);
    if (attempt > 1) retries.add(labels);
    const end = (): void => {
      active.add({}, -1);
      duration.observe(labels, (performance.now() - since) / 1000);
    };
    const fail = (reason: unknown): never => {
      end();
      failures.add({ ...labels, error: errorName(reason) });
      throw reason;
    };
    try {
      const result = work();
      if (!(result instanceof Promise)) {
        end();
        return result;
      }
      return result.then((value) => {
        end();
        return value;
      }, fail);
    } catch (reason) {
      return fail(reason);
    }
  };
  return { call, families: [duration, failures, retries, active] };
}

/** Names of errors come from functions: those that are not names would make a series each. */
const errorName = (reason: unknown): string =>
  reason instanceof Error && /^[\w.$-]{1,60}$/.test(reason.name) ? reason.name : "Error";

function storeMetrics() {
  const commits = createHistogram("waybill_store_commit_duration_seconds", "The duration of commits.");
  const reads = createGauge("waybill_store_read_duration_seconds", "The duration of the last count of the outbox.");
  const isWritable = createGauge("waybill_store_writable", "Whether the last commit succeeded: 1 or 0.");
  const unsent = createGauge("waybill_events_unsent", "Emitted events that no sink has accepted, and those refused.");
  return {
    families: [commits, reads, isWritable, unsent],
    committed: (seconds: number) => commits.observe({}, seconds),
    async read(engine: Engine) {
      isWritable.set({}, engine.fault() ? 0 : 1);
      const since = performance.now();
      const counted = await engine.unsent();
      reads.set({}, (performance.now() - since) / 1000);
      unsent.set({ state: "waiting" }, counted.unsent - counted.refused);
      unsent.set({ state: "refused" }, counted.refused);
    },
  };
}

function processMetrics() {
  const memory = createGauge("process_resident_memory_bytes", "Memory of the process.");
  const time = createCounter("process_cpu_seconds", "Processor time of the process.");
  const start = createGauge("process_start_time_seconds", "When the process started, since 1970.");
  const delay = createGauge("nodejs_eventloop_delay_seconds", "How late timers are: quantiles since the last request.");
  const { monitorEventLoopDelay } = process.getBuiltinModule("node:perf_hooks") as Partial<
    typeof import("node:perf_hooks")
  >;
  const delays = monitorEventLoopDelay?.({ resolution: 20 });
  delays?.enable();
  let used = 0;
  start.set({}, Math.round(performance.timeOrigin) / 1000);
  return {
    read() {
      memory.set({}, process.memoryUsage.rss());
      const { user, system } = process.cpuUsage();
      time.add({}, (user + system) / 1e6 - used);
      used = (user + system) / 1e6;
      if (delays)
        for (const quantile of [0.5, 0.99, 1])
          delay.set({ quantile: String(quantile) }, Math.max(0, delays.percentile(quantile * 100) / 1e9 - 0.02));
      delays?.reset();
      return [memory, time, start, delay];
    },
  };
}
