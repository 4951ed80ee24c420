import { createRequire } from "node:module";
import { join } from "node:path";
import { vi } from "vitest";
import { evaluate } from "../../../../src/expressions/interpreter/evaluate.ts";
import { isObject, type Json, type JsonObject } from "../../../../src/json.ts";
import type { Answer, RecordedCall, Scenario } from "../../../../src/scenario/model.ts";
import { nothingRecorded, type Observed } from "../../../../src/scenario/simulation.ts";
import type { Engine } from "../../../../targets/typescript/runtime/engine.ts";
import type * as runtime from "../../../../targets/typescript/runtime/index.ts";
import type { engineOn } from "../../../../targets/typescript/runtime/sqlite/engine.ts";

/** A program in a folder, as Node loads it. */
export interface Emitted {
  readonly workflows: readonly runtime.AnyWorkflow[];
  readonly engineOn: typeof engineOn;
  readonly WorkflowError: typeof runtime.WorkflowError;
}

const root = join(import.meta.dirname, "../../../..");
const sources = join(root, "targets/typescript");

/** The module `runtime.js` of emitted programs, as the modules that it is made of: their engine can be stopped after any commit. */
export const runtimeAsSources = [
  join(sources, "runtime/face.ts"),
  join(root, "src/generated/typescript-expressions.ts"),
]
  .map((path) => `export * from ${JSON.stringify(path)};\n`)
  .join("");

/** Loads an emitted program from the folder that it was written to, with its runtime as sources. */
export function emittedIn(folder: string, modules: readonly string[]): Emitted {
  const require = createRequire(join(folder, "package.json"));
  const isWorkflow = (value: unknown) => typeof value === "object" && value !== null && "run" in value;
  return {
    workflows: modules.map(
      (name) => Object.values(require(join(folder, `${name}.ts`)) as object).find(isWorkflow) as runtime.AnyWorkflow,
    ),
    engineOn: (require(join(sources, "runtime/sqlite/engine.ts")) as { engineOn: typeof engineOn }).engineOn,
    WorkflowError: (require(join(sources, "runtime/index.ts")) as typeof runtime).WorkflowError,
  };
}

/**
 * Simulates a scenario on a store, on virtual time (vitest's timers); what was seen of each run, its own first. Each engine (from 0) is dropped as if killed
 * after as many commits as `lifeOf` says, and another one is opened.
 */
export async function simulateDurably(
  scenario: Scenario,
  emitted: Emitted,
  store: string,
  lifeOf: (engine: number) => number,
): Promise<readonly Observed[]> {
  const seen: Seen = { calls: new Map(), emitted: new Map(), delivered: 0 };
  vi.setSystemTime(scenario.clock);
  for (const { at } of [...scenario.events, ...scenario.runs]) setTimeout(() => undefined, at * 1000);
  const runs = [{ id: "run", at: 0, input: scenario.input }, ...scenario.runs];
  const [workflow] = emitted.workflows as readonly [runtime.AnyWorkflow];
  let engines = 0;
  const next = () => open(scenario, emitted, { store, life: lifeOf(engines++) }, seen);
  let current = next();
  for (let turn = 0; turn < 20_000; turn++) {
    startDue(scenario, current.engine, workflow, runs);
    await quiet();
    const isAllDelivered = await deliverDue(scenario, current.engine, seen);
    await quiet();
    if (current.isDead()) {
      await current.engine.close();
      current = next();
      await quiet();
    } else if (idsOf(runs, current.engine, workflow).every((id) => isOver(id, current.engine, seen, scenario))) {
      const all = idsOf(runs, current.engine, workflow).map((id) =>
        observedOf(id === undefined ? undefined : current.engine.show(id), seen),
      );
      await current.engine.close();
      return all;
    } else if (isAllDelivered) await vi.advanceTimersToNextTimerAsync();
  }
  throw new Error("It takes too long.");
}

/** A run of a scenario: when it is started, and with what. */
interface Started {
  readonly id: string;
  readonly at: number;
  readonly input?: Json | undefined;
}

/** Starts the runs that are due and not there, but those that events start. */
function startDue({ clock }: Scenario, engine: Engine, workflow: runtime.AnyWorkflow, runs: readonly Started[]): void {
  for (const { id, at, input } of runs) {
    if (clock + at * 1000 > Date.now() || engine.show(id)) continue;
    if (input === undefined && workflow.start?.on?.length) continue;
    engine.start(workflow.id, (input ?? {}) as never, { id }).catch(() => undefined);
  }
}

/** The ids in the store of the runs of a scenario: those that events have started have others than there, and are its own first, then its further ones. */
function idsOf(
  runs: readonly Started[],
  engine: Engine,
  workflow: runtime.AnyWorkflow,
): readonly (string | undefined)[] {
  const declared = new Set(runs.map(({ id }) => id));
  const begun = engine
    .list({ workflow: workflow.id })
    .map(({ id }) => id)
    .filter((id) => !declared.has(id))
    .reverse();
  return runs.map(({ id }) => engine.show(id)?.id ?? begun.shift());
}

/** An engine that dies when it has committed so many times. */
function open(
  scenario: Scenario,
  emitted: Emitted,
  { store, life }: { readonly store: string; readonly life: number },
  seen: Seen,
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

/** Whether a run has ended, or nothing but a further event could make it go on and there is none. */
function isOver(id: string | undefined, engine: Engine, seen: Seen, { events, runs, clock }: Scenario): boolean {
  const run = id === undefined ? undefined : engine.show(id);
  if (run && run.status !== "running" && run.status !== "waiting") return true;
  const isAllBegun = runs.every(({ at }) => clock + at * 1000 <= Date.now());
  return seen.delivered === events.length && isAllBegun && (!run || isStuck(engine, run.id));
}

interface Seen {
  readonly calls: Map<string, RecordedCall>;
  readonly emitted: Map<string, JsonObject>;
  delivered: number;
}

/** An event is delivered again when the engine died before it had taken it: until `deliver` says that it is there. Whether no further one is due. */
async function deliverDue({ events, clock }: Scenario, engine: Engine, seen: Seen): Promise<boolean> {
  const isDue = () => clock + (events[seen.delivered]?.at ?? Number.POSITIVE_INFINITY) * 1000 <= Date.now();
  const due = events[seen.delivered];
  if (!due || !isDue()) return true;
  const event = { specversion: "1.0", id: `event-${seen.delivered + 1}`, source: "/", ...due.event };
  const taken = engine.deliver(event as never).then(
    () => true,
    () => false,
  );
  await quiet();
  if (await Promise.race([taken, Promise.resolve(false)])) seen.delivered += 1;
  return !isDue();
}

/** The functions of a scenario: a call that is made again, with the same key, is answered as before. */
function functionsOf(scenario: Scenario, { WorkflowError }: Emitted, seen: Seen, isDead: () => boolean): object {
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
  const [value = null] = evaluate(does.expression, { input: argument, variables: new Map() });
  return { value };
}

/** Whether nothing can happen any more but an event. */
function isStuck(engine: Engine, id: string): boolean {
  const run = engine.show(id);
  return run?.status === "waiting" && run.waitingFor.until === undefined;
}

function observedOf(run: ReturnType<Engine["list"]>[number] | undefined, seen: Seen): Observed {
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

/** Lets promises and commits that are under way come to rest. */
async function quiet(): Promise<void> {
  for (let i = 0; i < 6; i++) await new Promise((resolve) => setImmediate(resolve));
}
