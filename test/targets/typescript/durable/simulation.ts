import { createRequire } from "node:module";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { vi } from "vitest";
import { evaluate } from "../../../../src/expressions/interpreter/evaluate.ts";
import { isObject, type Json, type JsonObject } from "../../../../src/json.ts";
import type { Answer, RecordedCall, Scenario } from "../../../../src/scenario/model.ts";
import { nothingRecorded } from "../../../../src/scenario/recording.ts";
import type { Observed } from "../../../../src/scenario/simulation.ts";
import type { Engine, RunDetail } from "../../../../targets/typescript/runtime/engine.ts";
import type * as runtime from "../../../../targets/typescript/runtime/face.ts";
import type { engineOn } from "../../../../targets/typescript/runtime/sqlite/engine.ts";

/** An emitted program, loaded from a folder. */
export interface DurableProgram {
  readonly workflows: readonly runtime.AnyWorkflow[];
  readonly engineOn: typeof engineOn;
  readonly WorkflowError: typeof runtime.WorkflowError;
}

const root = join(import.meta.dirname, "../../../..");
const sources = join(root, "targets/typescript");

/** A module `runtime.js` that re-exports the runtime's sources, so that the engine can be stopped after any commit. */
export const runtimeAsSources = [
  join(sources, "runtime/face.ts"),
  join(root, "src/generated/typescript-expressions.ts"),
]
  .map((path) => `export * from ${JSON.stringify(path)};\n`)
  .join("");

/** Loads an emitted program with the runtime's sources. */
export function loadProgram(folder: string, modules: readonly string[]): DurableProgram {
  const require = createRequire(join(folder, "package.json"));
  const isWorkflow = (value: unknown) => typeof value === "object" && value !== null && "run" in value;
  return {
    workflows: modules.map(
      (name) => Object.values(require(join(folder, `${name}.ts`)) as object).find(isWorkflow) as runtime.AnyWorkflow,
    ),
    engineOn: (require(join(sources, "runtime/sqlite/engine.ts")) as { engineOn: typeof engineOn }).engineOn,
    WorkflowError: (require(join(sources, "runtime/face.ts")) as typeof runtime).WorkflowError,
  };
}

/**
 * Simulates a scenario on a store in virtual time (vitest's timers) and returns one observation per run. Engine n (from
 * 0) is dropped after `lifeOf(n)` commits as if killed, and another one is opened.
 */
export async function simulateDurably(
  scenario: Scenario,
  emitted: DurableProgram,
  store: string,
  lifeOf: (engine: number) => number,
): Promise<readonly Observed[]> {
  const seen: ScenarioRecords = { calls: new Map(), emitted: new Map(), delivered: 0 };
  vi.setSystemTime(scenario.clock);
  for (const { at } of [...scenario.events, ...scenario.runs]) setTimeout(() => undefined, at * 1000);
  const runs = [{ id: "run", at: 0, input: scenario.input }, ...scenario.runs];
  const [workflow] = emitted.workflows as readonly [runtime.AnyWorkflow];
  let engines = 0;
  const next = () => open(scenario, emitted, { store, life: lifeOf(engines++) }, seen);
  let current = next();
  for (let turn = 0; turn < 20_000; turn++) {
    await startDue(scenario, current.engine, workflow, runs);
    await quiet();
    const isAllDelivered = await deliverDue(scenario, current.engine, seen);
    await quiet();
    if (current.isDead()) {
      await current.engine.close();
      acquitRuns(store);
      current = next();
      await quiet();
    } else if (await areOver(await idsOf(runs, current.engine, emitted), current.engine, seen, scenario)) {
      const { engine } = current;
      const all: Observed[] = [];
      for (const id of await idsOf(runs, engine, emitted))
        all.push(observedOf(id === undefined ? undefined : await engine.show(id), seen));
      await engine.close();
      return all;
    } else if (isAllDelivered) await vi.advanceTimersToNextTimerAsync();
  }
  throw new Error("The scenario takes too long.");
}

/** Forgets how often engines have died in runs: the quarantine of suspects, which takes time, has tests of its own. */
function acquitRuns(store: string): void {
  const db = new DatabaseSync(store);
  db.exec("UPDATE runs SET deaths = 0");
  db.close();
}

/** A run of a scenario and its start, in seconds. */
interface PlannedRun {
  readonly id: string;
  readonly at: number;
  readonly startedBy?: string | undefined;
  readonly input?: Json | undefined;
}

/** Starts the missing runs that are due, except those started by events. */
async function startDue(
  { clock }: Scenario,
  engine: Engine,
  workflow: runtime.AnyWorkflow,
  runs: readonly PlannedRun[],
): Promise<void> {
  for (const { id, at, startedBy, input } of runs) {
    if (startedBy !== undefined || clock + at * 1000 > Date.now() || (await engine.show(id))) continue;
    if (input === undefined && workflow.start?.on?.length) continue;
    engine.start(workflow.id, (input ?? {}) as never, { id }).catch(() => undefined);
  }
}

/** Maps the runs of a scenario to ids in the store: runs started by events have other ids, and are matched in order. */
async function idsOf(
  runs: readonly PlannedRun[],
  engine: Engine,
  { workflows }: DurableProgram,
): Promise<readonly (string | undefined)[]> {
  const declared = new Set(runs.map(({ id }) => id));
  const startedOf = async (workflow: string): Promise<string[]> =>
    (await engine.list({ workflow, limit: 1000 })).runs
      .map(({ id }) => id)
      .filter((id) => !declared.has(id))
      .reverse();
  const begun = new Map<string, string[]>();
  const ids: (string | undefined)[] = [];
  for (const { id, startedBy } of runs) {
    const { id: workflow } = workflows.find((each) => isStartedBy(each, startedBy)) ?? workflows[0]!;
    const others = begun.get(workflow) ?? (await startedOf(workflow));
    begun.set(workflow, others);
    ids.push((await engine.show(id))?.id ?? others.shift());
  }
  return ids;
}

/** Whether events of a type start a workflow. */
const isStartedBy = ({ start, events = {} }: runtime.AnyWorkflow, type: string | undefined): boolean =>
  type !== undefined &&
  (start?.on ?? []).some(({ all }) =>
    all.flat().some((name) => typeof name === "string" && events[name]?.type === type),
  );

/** Opens an engine that dies after `life` commits. */
function open(
  scenario: Scenario,
  emitted: DurableProgram,
  { store, life }: { readonly store: string; readonly life: number },
  seen: ScenarioRecords,
): { readonly engine: Engine; isDead(): boolean } {
  let [isDead, commits] = [false, 0];
  const committed = () => {
    commits += 1;
    isDead ||= commits === life;
    return isDead;
  };
  const functions = functionsOf(scenario, emitted, seen, () => isDead);
  const send = (event: JsonObject) => void seen.emitted.set(String(event["id"]), event);
  const options = { store, workflows: emitted.workflows, functions, send, log: () => undefined };
  return { engine: emitted.engineOn(options as never, { committed }), isDead: () => isDead };
}

/** Whether all runs have ended, or wait for events and no events or starts remain. */
async function areOver(
  ids: readonly (string | undefined)[],
  engine: Engine,
  seen: ScenarioRecords,
  scenario: Scenario,
): Promise<boolean> {
  for (const id of ids) if (!(await isOver(id, engine, seen, scenario))) return false;
  return true;
}

async function isOver(
  id: string | undefined,
  engine: Engine,
  seen: ScenarioRecords,
  { events, runs, clock }: Scenario,
): Promise<boolean> {
  const run = id === undefined ? undefined : await engine.show(id);
  if (run && run.status !== "running" && run.status !== "waiting") return true;
  const isAllBegun = runs.every(({ at }) => clock + at * 1000 <= Date.now());
  return seen.delivered === events.length && isAllBegun && (!run || (await isStuck(engine, run.id)));
}

interface ScenarioRecords {
  readonly calls: Map<string, RecordedCall>;
  readonly emitted: Map<string, JsonObject>;
  delivered: number;
}

/** Delivers the next due event, again if the engine died before it was accepted. Returns whether no event is due. */
async function deliverDue({ events, clock }: Scenario, engine: Engine, seen: ScenarioRecords): Promise<boolean> {
  const isDue = () => clock + (events[seen.delivered]?.at ?? Number.POSITIVE_INFINITY) * 1000 <= Date.now();
  const due = events[seen.delivered];
  if (!due || !isDue()) return true;
  const event = { specversion: "1.0", id: `event-${seen.delivered + 1}`, source: "/", ...due.event };
  const accepted = engine.deliver(event as never).then(
    () => true,
    () => false,
  );
  await quiet();
  if (await Promise.race([accepted, Promise.resolve(false)])) seen.delivered += 1;
  return !isDue();
}

/** The functions of a scenario. A repeated call with the same key gets the same response. */
function functionsOf(
  scenario: Scenario,
  { WorkflowError }: DurableProgram,
  seen: ScenarioRecords,
  isDead: () => boolean,
): object {
  const call = async (name: string, argument: Json, { key: step, attempt }: runtime.Step): Promise<Json> => {
    const key = `${step} ${attempt}`;
    if (isDead()) return new Promise(() => undefined);
    if (!seen.calls.has(key)) seen.calls.set(key, { function: name, argument });
    const before = [...seen.calls].filter(([, made]) => made.function === name).findIndex(([made]) => made === key);
    const list = scenario.functions.get(name)?.list ?? [];
    const answer = list[Math.min(before, list.length - 1)];
    if (answer && answer.takes > 0) await new Promise((resolve) => setTimeout(resolve, answer.takes * 1000));
    const result = answer ? resultOf(answer, argument) : { value: null };
    if ("value" in result) return result.value;
    const { name: error, message, ...data } = result.error;
    const more = Object.keys(data).length > 0 ? { data: data as never } : {};
    throw new WorkflowError(String(error ?? "Error"), String(message ?? ""), { origin: "function", ...more });
  };
  return new Proxy(
    {},
    { get: (_, name) => (argument: Json, step: runtime.Step) => call(String(name), argument, step) },
  );
}

function resultOf({ does }: Answer, argument: Json): { readonly value: Json } | { readonly error: JsonObject } {
  if (does.kind === "returns") return { value: does.value };
  if (does.kind === "throws") return { error: does.error };
  if (does.kind === "never") throw new Error("A call without a result is not simulated here.");
  const [value = null] = evaluate(does.expression, { input: argument, variables: new Map() });
  return { value };
}

/** Whether only an event can resume the run. */
async function isStuck(engine: Engine, id: string): Promise<boolean> {
  const run = await engine.show(id);
  return run?.status === "waiting" && run.waitingFor.until === undefined;
}

function observedOf(run: RunDetail | undefined, seen: ScenarioRecords): Observed {
  const isOf = (key: string) => run === undefined || key.startsWith(run.id);
  const common = {
    calls: [...seen.calls].filter(([key]) => isOf(key)).map(([, made]) => made),
    emitted: [...seen.emitted].filter(([key]) => isOf(key)).map(([, event]) => event),
    path: [],
    elapsed: undefined,
    recording: nothingRecorded,
  };
  if (!run) return { ...common, outcome: { status: "not-started" } };
  if (run.status === "succeeded")
    return {
      ...common,
      outcome: { status: "succeeded", output: (run.output ?? null) as Json },
    };
  if (run.status !== "failed") return { ...common, outcome: { status: "waiting" } };
  const { name, message, data } = run.error!;
  return {
    ...common,
    outcome: {
      status: "failed",
      error: { name, message, ...(isObject(data as Json) ? { data: data as JsonObject } : {}) },
    },
  };
}

/** Waits for pending promises and commits. */
async function quiet(): Promise<void> {
  for (let i = 0; i < 6; i++) await new Promise((resolve) => setImmediate(resolve));
}
