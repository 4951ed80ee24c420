import type { JsonObject } from "../../src/json.ts";
import { callBuiltIn } from "../../src/reference/built-in.ts";
import { setupOf } from "../../src/scenario/answers.ts";
import type { Computer } from "../../src/scenario/computer.ts";
import type { RecordedCall, Scenario } from "../../src/scenario/model.ts";
import { nothingRecorded, type Observed, type Setup } from "../../src/scenario/simulation.ts";
import type { World } from "../../src/world.ts";
import type { Engine, RunSummary } from "../../targets/typescript/runtime/engine.ts";
import type { WorkflowError as WorkflowErrorOf } from "../../targets/typescript/runtime/errors.ts";
import type { AnyWorkflow, Json, Step } from "../../targets/typescript/runtime/index.ts";
import type { HostUnderTest } from "./host.ts";
import type { Emitted } from "./program.ts";

/** Runs a scenario on a host whose time cannot be skipped: `pace` seconds of it pass in one. What was seen of each run, its own first. */
export async function observe(
  host: HostUnderTest,
  scenario: Scenario,
  emitted: Emitted,
  computer: Computer,
  pace: number,
): Promise<readonly Observed[]> {
  const setup = setupOf(scenario, emitted.program, computer, emitted.language);
  const began = performance.now();
  const now = () => Math.floor(setup.clock + (performance.now() - began) * pace);
  const at = (seconds: number) => rest(Math.max(0, setup.clock + seconds * 1000 - now()) / pace);
  const seen: Seen = { calls: [], emitted: [], counts: new Map() };
  const engine = await host.open(emitted.load, {
    store: await host.newStore(),
    workflows: emitted.workflows,
    functions: functionsOf(setup, emitted, seen, { now, pace }),
    send: (event) => void seen.emitted.push({ run: event.id, event: event as JsonObject }),
    log: () => undefined,
    now,
    pace,
  });
  try {
    const workflow = emitted.workflows[0]!;
    const runs = [{ id: "run", at: 0, input: scenario.input }, ...scenario.runs];
    const starting = runs.map(async ({ id, at: second, input }) => {
      await at(second);
      if (input === undefined && workflow.start?.on?.length) return;
      await engine.start(workflow.id, (input ?? {}) as never, { id });
    });
    const delivering = inTurn(setup.events, async ({ at: second, event }) => {
      await at(second);
      await engine.deliver({ source: "/", ...event } as never);
    });
    await Promise.all([...starting, delivering]);
    const ids = () => runs.map(({ id }) => idOf(id, engine, workflow));
    await untilQuiet(() => ids().every((id) => isOver(engine, id)));
    return ids().map((id) => observed(id === undefined ? undefined : engine.show(id), seen, runs.length));
  } finally {
    await engine.close(0);
  }
}

interface Seen {
  readonly calls: (RecordedCall & { readonly run: string })[];
  readonly emitted: { readonly run: string; readonly event: JsonObject }[];
  readonly counts: Map<string, number>;
}

/** The id in the store of a run of a scenario: its own may have been started by events. */
const idOf = (id: string, engine: Engine, workflow: AnyWorkflow): string | undefined =>
  engine.show(id)?.id ?? (id === "run" ? engine.list({ workflow: workflow.id }).at(-1)?.id : undefined);

/** Whether a run has ended, or nothing but an event could make it go on; where it is not there, it was never started. */
function isOver(engine: Engine, id: string | undefined): boolean {
  const run = id === undefined ? undefined : engine.show(id);
  if (!run) return true;
  if (run.status === "waiting") return run.waitingFor.until === undefined;
  return run.status !== "running";
}

/** Waits until something holds and goes on to do so. */
async function untilQuiet(holds: () => boolean): Promise<void> {
  const end = performance.now() + 10_000;
  for (let quiet = 0; quiet < 3; quiet = holds() ? quiet + 1 : 0) {
    if (performance.now() > end) return;
    await rest(8);
  }
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
  const world = {
    now,
    random: () => 0.5,
    id: () => "00000000-0000-4000-8000-000000000000",
    secret: (id: string, key: string) => setup.secrets?.get(id)?.get(key) ?? undefined,
  } as World;
  const failed = (name: string, message: string, data?: Json) =>
    new WorkflowError(name, message, { origin: "function", ...(data === undefined ? {} : { data }) });
  const call = async (name: string, argument: Json, { key }: Step): Promise<Json> => {
    const builtIn = setup.builtIns?.get(name);
    if (builtIn) return builtInAnswer(() => callBuiltIn(builtIn, argument as never, world), failed);
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
