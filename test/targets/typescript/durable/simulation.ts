import { createRequire } from "node:module";
import { join } from "node:path";
import { vi } from "vitest";
import { evaluate } from "../../../../src/expressions/evaluate/evaluate.ts";
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

/** Loads an emitted program from the folder that it was written to. */
export function emittedIn(folder: string, modules: readonly string[]): Emitted {
  const require = createRequire(join(folder, "package.json"));
  const isWorkflow = (value: unknown) => typeof value === "object" && value !== null && "run" in value;
  return {
    workflows: modules.map(
      (name) => Object.values(require(join(folder, `${name}.ts`)) as object).find(isWorkflow) as runtime.AnyWorkflow,
    ),
    engineOn: (require(join(folder, "runtime/sqlite/engine.ts")) as { engineOn: typeof engineOn }).engineOn,
    WorkflowError: (require(join(folder, "runtime/index.ts")) as typeof runtime).WorkflowError,
  };
}

/** Simulates a scenario on a store, on virtual time (vitest's timers). After every `life` commits the engine is dropped as if killed, and opened again. */
export async function simulateDurably(
  scenario: Scenario,
  emitted: Emitted,
  store: string,
  life: number,
): Promise<Observed> {
  const seen: Seen = { calls: new Map(), emitted: new Map(), delivered: 0 };
  vi.setSystemTime(scenario.clock);
  const [workflow] = emitted.workflows as readonly [runtime.AnyWorkflow];
  const isCalled = scenario.input !== undefined || (workflow.start?.on ?? []).length === 0;
  let current = open(scenario, emitted, { store, life }, seen);
  for (let turn = 0; turn < 20_000; turn++) {
    if (isCalled && !current.engine.show("run"))
      current.engine.start(workflow.id, (scenario.input ?? {}) as never, { id: "run" }).catch(() => undefined);
    await deliverDue(scenario, current.engine, seen);
    await quiet();
    if (current.isDead()) {
      await current.engine.close();
      current = open(scenario, emitted, { store, life }, seen);
      await quiet();
    } else if (isOver(current.engine, workflow.id, seen.delivered === scenario.events.length)) {
      const [run] = current.engine.list({ workflow: workflow.id });
      await current.engine.close();
      return observedOf(run, seen);
    } else await vi.advanceTimersToNextTimerAsync();
  }
  throw new Error("It takes too long.");
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

/** Whether the run has ended, or nothing but a further event could make it go on and there is none. */
function isOver(engine: Engine, workflow: string, isAllDelivered: boolean): boolean {
  const [run] = engine.list({ workflow });
  if (run && run.status !== "running" && run.status !== "waiting") return true;
  return isAllDelivered && (!run || isStuck(engine, run.id));
}

interface Seen {
  readonly calls: Map<string, RecordedCall>;
  readonly emitted: Map<string, JsonObject>;
  delivered: number;
}

/** An event is delivered again when the engine died before it had taken it: until `deliver` says that it is there. */
async function deliverDue({ events, clock }: Scenario, engine: Engine, seen: Seen): Promise<void> {
  const due = events[seen.delivered];
  if (!due || clock + due.at * 1000 > Date.now()) return;
  const event = { specversion: "1.0", id: `event-${seen.delivered + 1}`, source: "/", ...due.event };
  const taken = engine.deliver(event as never).then(
    () => true,
    () => false,
  );
  await quiet();
  if (await Promise.race([taken, Promise.resolve(false)])) seen.delivered += 1;
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
  const common = {
    calls: [...seen.calls.values()],
    emitted: [...seen.emitted.values()],
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
