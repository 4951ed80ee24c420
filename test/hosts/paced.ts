import type { JsonObject } from "../../src/json.ts";
import { callBuiltIn } from "../../src/reference/built-in.ts";
import { setupOf } from "../../src/scenario/answers.ts";
import type { Computer } from "../../src/scenario/computer.ts";
import type { RecordedCall, Scenario } from "../../src/scenario/model.ts";
import { nothingRecorded, type Observed, type Setup } from "../../src/scenario/simulation.ts";
import type { SimulatedEnvironment } from "../../src/world.ts";
import type { Engine, RunSummary } from "../../targets/typescript/runtime/engine.ts";
import type { WorkflowError as WorkflowErrorOf } from "../../targets/typescript/runtime/errors.ts";
import type { AnyWorkflow, Json, Step } from "../../targets/typescript/runtime/index.ts";
import type { HostUnderTest } from "./host.ts";
import type { Emitted } from "./program.ts";

/**
 * Runs a scenario on a host whose time cannot be skipped: `pace` seconds of it pass in one. What was seen of each run, its own first. An event comes when the
 * runs from before it have begun, as these have none from before that, and starts runs of the scenario's workflow only, not of its subflows. The busier the
 * machine may be, the greater is `slowness`: the longer it takes until a run is believed to wait for what never comes.
 */
export async function observe(
  host: HostUnderTest,
  scenario: Scenario,
  emitted: Emitted,
  computer: Computer,
  { pace, slowness }: { readonly pace: number; readonly slowness: number },
): Promise<readonly Observed[]> {
  const setup = setupOf(scenario, emitted.program, computer, emitted.language);
  const began = performance.now();
  const now = () => Math.floor(setup.clock + (performance.now() - began) * pace);
  const at = (seconds: number) => rest(Math.max(0, setup.clock + seconds * 1000 - now()) / pace);
  const seen: Seen = { calls: [], emitted: [], counts: new Map() };
  const engine = await host.open(emitted.load, {
    store: await host.newStore(),
    workflows: emitted.workflows.map((workflow, i) => (i === 0 ? workflow : called(workflow))),
    functions: functionsOf(setup, emitted, seen, { now, pace }),
    send: (event) => void seen.emitted.push({ run: event.id, event: event as JsonObject }),
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
    const delivering = inTurn(setup.events, async ({ at: second, event }) => {
      await at(second);
      await Promise.all(starting.flatMap((run) => (run.at <= second ? [run.done] : [])));
      await engine.deliver({ source: "/", ...event } as never);
    });
    await Promise.all([...starting.map(({ done }) => done), delivering]);
    await untilQuiet(() => statesIn(engine, runs, workflow), {
      quiet: 2 * host.apart * slowness,
      most: 10_000 * slowness,
      look: host.apart / 8,
    });
    if (host.onTheirWay !== undefined) await untilSent(engine, host.onTheirWay * slowness);
    const all = engine.list({});
    return runs.map(({ id }) => observed(runOf(id, all, workflow), seen, runs.length));
  } finally {
    await engine.close(0);
  }
}

interface Seen {
  readonly calls: (RecordedCall & { readonly run: string })[];
  readonly emitted: { readonly run: string; readonly event: JsonObject }[];
  readonly counts: Map<string, number>;
}

/** A run of a scenario among those of the store, the newest first: its own may have been started by events. */
const runOf = (id: string, all: readonly RunSummary[], workflow: AnyWorkflow): RunSummary | undefined =>
  all.find((run) => run.id === id) ?? (id === "run" ? all.findLast((run) => run.workflow === workflow.id) : undefined);

/** A workflow that starts where it is called, and not by events. */
const called = ({ start: _, ...workflow }: AnyWorkflow): AnyWorkflow => workflow;

/** A run that goes on by itself, one that only an event could make go on, or that was never started, and one that has ended. */
type State = "going" | "still" | "ended";

function stateOf(engine: Engine, run: RunSummary | undefined): State {
  if (!run) return "still";
  if (run.status === "waiting") return engine.show(run.id)?.waitingFor.until === undefined ? "still" : "going";
  return run.status === "running" ? "going" : "ended";
}

/** How the runs of a scenario are, and all others of the store. */
function statesIn(engine: Engine, runs: readonly { readonly id: string }[], workflow: AnyWorkflow): readonly State[] {
  const all = engine.list({});
  return [...runs.map(({ id }) => runOf(id, all, workflow)), ...all].map((run) => stateOf(engine, run));
}

/** Waits until all runs have ended, or for so many milliseconds none has gone on; at most so long, and looks each time after so many. */
async function untilQuiet(
  states: () => readonly State[],
  { quiet, most, look }: { readonly quiet: number; readonly most: number; readonly look: number },
): Promise<void> {
  const end = performance.now() + most;
  for (let since = performance.now(); performance.now() < end; await rest(look)) {
    const now = states();
    if (now.every((state) => state === "ended")) return;
    if (now.includes("going")) since = performance.now();
    else if (performance.now() - since > quiet) return;
  }
}

/** Waits until what runs have emitted has left. */
async function untilSent(engine: Engine, milliseconds: number): Promise<void> {
  await rest(milliseconds);
  while (engine.unsent().unsent > 0) await rest(milliseconds);
}

const rest = (milliseconds: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, milliseconds));

async function inTurn<T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
  for (const item of items) await work(item);
}

/** The functions of a scenario; those that are built in among them. */
function functionsOf(
  setup: Setup,
  { load }: Emitted,
  seen: Seen,
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
    if (builtIn) return builtInAnswer(() => callBuiltIn(builtIn, argument as never, environment), failed);
    const count = seen.counts.get(name) ?? 0;
    seen.counts.set(name, count + 1);
    seen.calls.push({ run: key, function: name, argument: argument as never });
    const { takes, answer } = await setup.reply(name, count, argument as never, "run");
    if (takes > 0) await rest((takes * 1000) / pace);
    if (answer.kind === "returns") return answer.value as Json;
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

function builtInAnswer(work: () => unknown, failed: (name: string, message: string) => Error): Json {
  try {
    return work() as Json;
  } catch (error) {
    throw failed((error as Error).name, (error as Error).message);
  }
}

function observed(run: RunSummary | undefined, seen: Seen, runs: number): Observed {
  const isOf = (key: string) => runs === 1 || run === undefined || key.startsWith(`${run.id}/`);
  const calls = seen.calls.filter((call) => isOf(call.run)).map(({ run: _, ...call }) => call);
  const emitted = seen.emitted.filter((each) => isOf(each.run)).map(({ event }) => event);
  return { outcome: outcomeOf(run), calls, emitted, path: [], elapsed: undefined, recording: nothingRecorded };
}

function outcomeOf(run: RunSummary | undefined): Observed["outcome"] {
  if (!run) return { status: "not-started" };
  if (run.status === "succeeded") return { status: "succeeded", output: (run.output ?? null) as never };
  if (run.status !== "failed") return { status: "waiting" };
  const { name, message, data } = run.error!;
  return { status: "failed", error: { name, message, ...(data === undefined ? {} : { data: data as never }) } };
}
