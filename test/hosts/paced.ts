import type { SimulatedEnvironment } from "../../src/environment/environment.ts";
import type { JsonObject } from "../../src/json.ts";
import { callBuiltIn } from "../../src/reference/built-in.ts";
import { setupOf } from "../../src/scenario/answers.ts";
import type { Computer } from "../../src/scenario/computer.ts";
import type { RecordedCall, Scenario } from "../../src/scenario/model.ts";
import { nothingRecorded } from "../../src/scenario/recording.ts";
import type { Observed, Setup } from "../../src/scenario/simulation.ts";
import type { Engine, ListedRun, RunSummary } from "../../targets/typescript/runtime/engine.ts";
import type { WorkflowError as WorkflowErrorOf } from "../../targets/typescript/runtime/errors.ts";
import type { AnyWorkflow, Json, Step } from "../../targets/typescript/runtime/face.ts";
import type { HostUnderTest } from "./host.ts";
import type { HostProgram } from "./program.ts";

/**
 * Runs a scenario on a host with real time, `pace` times faster than its clock, and returns one observation per run.
 * An event is delivered after all runs that are due before it have started. If the scenario has events, only its first
 * workflow is started by events. `slowness` multiplies the timeouts, for busy machines.
 */
export async function observe(
  host: HostUnderTest,
  scenario: Scenario,
  emitted: HostProgram,
  computer: Computer,
  { pace, slowness }: { readonly pace: number; readonly slowness: number },
): Promise<readonly Observed[]> {
  const setup = setupOf(scenario, emitted.program, computer, emitted.language);
  const began = performance.now();
  const now = () => Math.floor(setup.clock + (performance.now() - began) * pace);
  const at = (seconds: number) => sleep(Math.max(0, setup.clock + seconds * 1000 - now()) / pace);
  const records: RunRecords = { calls: [], emitted: [], counts: new Map() };
  const engine = await host.open(emitted.load, {
    store: await host.newStore(),
    workflows: emitted.workflows.map((workflow, i) =>
      i === 0 || setup.events.length === 0 ? workflow : withoutStart(workflow),
    ),
    functions: functionsOf(setup, emitted, records, { now, pace }),
    send: (event) => void records.emitted.push({ run: event.id, event: event as JsonObject }),
    log: () => undefined,
    now,
    pace,
  });
  try {
    const workflow = emitted.workflows[0]!;
    const runs = [{ id: "run", at: 0, input: scenario.input }, ...scenario.runs];
    const start = async ({ id, at: second, input }: (typeof runs)[number]) => {
      await at(second);
      if (input === undefined && workflow.start?.on?.length) return;
      await engine.start(workflow.id, (input ?? {}) as never, { id });
    };
    const starting = runs.map((run) => ({ at: run.at, done: start(run) }));
    const delivering = forEachInOrder(setup.events, async ({ at: second, event }) => {
      await at(second);
      await Promise.all(starting.flatMap((run) => (run.at <= second ? [run.done] : [])));
      await engine.deliver({ source: "/", ...event } as never);
    });
    await Promise.all([...starting.map(({ done }) => done), delivering]);
    await untilQuiet(async () => await progressOfAll(engine, runs, workflow), {
      quietMs: 2 * host.minSpacingMs * slowness,
      maxMs: 10_000 * slowness,
      pollMs: host.minSpacingMs / 8,
    });
    if (host.maxSendDelayMs !== undefined) await untilSent(engine, host.maxSendDelayMs * slowness);
    const all = await allRuns(engine);
    const observed: Observed[] = [];
    for (const { id } of runs) {
      const run = runOf(id, all, workflow);
      observed.push(observationOf(run && (await engine.show(run.id)), records, runs.length));
    }
    return observed;
  } finally {
    await engine.close(0);
  }
}

interface RunRecords {
  readonly calls: (RecordedCall & { readonly run: string })[];
  readonly emitted: { readonly run: string; readonly event: JsonObject }[];
  readonly counts: Map<string, number>;
}

const allRuns = async (engine: Engine): Promise<readonly ListedRun[]> => (await engine.list({ limit: 1000 })).runs;

/** Finds a run of the scenario in `all` (newest first); an event may have started its first run under another id. */
const runOf = (id: string, all: readonly ListedRun[], workflow: AnyWorkflow): ListedRun | undefined =>
  all.find((run) => run.id === id) ?? (id === "run" ? all.findLast((run) => run.workflow === workflow.id) : undefined);

/** The workflow without its start events. */
const withoutStart = ({ start: _, ...workflow }: AnyWorkflow): AnyWorkflow => workflow;

/** `blocked`: not started, or only an event could resume it. */
type RunProgress = "active" | "blocked" | "ended";

async function progressOf(engine: Engine, run: ListedRun | undefined): Promise<RunProgress> {
  if (!run) return "blocked";
  if (run.status === "waiting")
    return (await engine.show(run.id))?.waitingFor.until === undefined ? "blocked" : "active";
  return run.status === "running" ? "active" : "ended";
}

async function progressOfAll(
  engine: Engine,
  runs: readonly { readonly id: string }[],
  workflow: AnyWorkflow,
): Promise<readonly RunProgress[]> {
  const all = await allRuns(engine);
  const those = [...runs.map(({ id }) => runOf(id, all, workflow)), ...all];
  return Promise.all(those.map((run) => progressOf(engine, run)));
}

/** Waits until all runs have ended or none has been active for `quietMs`, but at most `maxMs`. */
async function untilQuiet(
  states: () => Promise<readonly RunProgress[]>,
  { quietMs, maxMs, pollMs }: { readonly quietMs: number; readonly maxMs: number; readonly pollMs: number },
): Promise<void> {
  const end = performance.now() + maxMs;
  for (let since = performance.now(); performance.now() < end; await sleep(pollMs)) {
    const now = await states();
    if (now.every((state) => state === "ended")) return;
    if (now.includes("active")) since = performance.now();
    else if (performance.now() - since > quietMs) return;
  }
}

/** Waits until all emitted events have been sent. */
async function untilSent(engine: Engine, milliseconds: number): Promise<void> {
  await sleep(milliseconds);
  while ((await engine.unsent()).unsent > 0) await sleep(milliseconds);
}

const sleep = (milliseconds: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, milliseconds));

async function forEachInOrder<T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
  for (const item of items) await work(item);
}

/** The functions of a scenario, including built-in ones. */
function functionsOf(
  setup: Setup,
  { load }: HostProgram,
  records: RunRecords,
  { now, pace }: { readonly now: () => number; readonly pace: number },
): object {
  const { WorkflowError } = load("runtime.js") as { readonly WorkflowError: typeof WorkflowErrorOf };
  const environment = {
    now,
    random: () => 0.5,
    id: () => "00000000-0000-4000-8000-000000000000",
    secret: (id: string, key: string) => setup.secrets?.get(id)?.get(key) ?? undefined,
  } as SimulatedEnvironment;
  const failed = (name: string, message: string, data?: Json) =>
    new WorkflowError(name, message, { origin: "function", ...(data === undefined ? {} : { data }) });
  const call = async (name: string, argument: Json, { key }: Step): Promise<Json> => {
    const builtIn = setup.builtIns?.get(name);
    if (builtIn) return runBuiltIn(() => callBuiltIn(builtIn, argument as never, environment), failed);
    const count = records.counts.get(name) ?? 0;
    records.counts.set(name, count + 1);
    records.calls.push({ run: key, function: name, argument: argument as never });
    const { takes, answer } = await setup.reply(name, count, argument as never, "run");
    if (takes > 0) await sleep((takes * 1000) / pace);
    if (answer.kind === "returns") return answer.value as Json;
    if (answer.kind === "never") return new Promise<never>(() => undefined);
    throw failed(answer.name, answer.message, answer.data as Json);
  };
  return new Proxy(
    {},
    {
      get: (_, name) =>
        typeof name === "symbol" ? undefined : (argument: Json, step: Step) => call(name, argument, step),
    },
  );
}

function runBuiltIn(work: () => unknown, failed: (name: string, message: string) => Error): Json {
  try {
    return work() as Json;
  } catch (error) {
    throw failed((error as Error).name, (error as Error).message);
  }
}

function observationOf(run: RunSummary | undefined, records: RunRecords, runs: number): Observed {
  const isOf = (key: string) => runs === 1 || run === undefined || key.startsWith(`${run.id}/`);
  const calls = records.calls.filter((call) => isOf(call.run)).map(({ run: _, ...call }) => call);
  const emitted = records.emitted.filter((each) => isOf(each.run)).map(({ event }) => event);
  return { outcome: outcomeOf(run), calls, emitted, path: [], elapsed: undefined, recording: nothingRecorded };
}

function outcomeOf(run: RunSummary | undefined): Observed["outcome"] {
  if (!run) return { status: "not-started" };
  if (run.status === "succeeded") return { status: "succeeded", output: (run.output ?? null) as never };
  if (run.status !== "failed") return { status: "waiting" };
  const { name, message, data } = run.error!;
  return { status: "failed", error: { name, message, ...(data === undefined ? {} : { data: data as never }) } };
}
