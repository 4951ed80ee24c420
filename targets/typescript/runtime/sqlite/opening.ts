import type { EngineOptions } from "../engine.ts";
import type { AnyWorkflow } from "../workflow.ts";
import { StoreBroker } from "./broker.ts";
import type { Core } from "./core.ts";
import { encodePayloads } from "./encoding.ts";
import type { Hooks } from "./engine.ts";
import { isOfStore, openFile, StoreError, storeErrorOf } from "./file.ts";
import { GroupCommit } from "./group-commit.ts";
import { loadRun } from "./loading.ts";
import { spaceOf } from "./space.ts";
import { codecStatements } from "./statements/runs.ts";
import { type Statements, statementsOf } from "./statements.ts";
import { perform, type Store, sqliteStore, type Task, together } from "./store.ts";
import { strand } from "./stranding.ts";
import { steady } from "./timers.ts";

/** Additional options; `processes` has a value. */
type OpeningHooks = Hooks & Required<Pick<Hooks, "processes">>;

/** Opens a store for the workflows of a program. */
export function* openCore(options: EngineOptions, hooks: OpeningHooks): Task<Core> {
  const file = hooks.shared ? undefined : openFile(options.store);
  const db = file ? sqliteStore(file) : hooks.shared!();
  try {
    if (options.codec) encodePayloads(db, options.codec);
    yield* requireCodec(db, options);
    const core = yield* coreOn(db, options, hooks);
    if (file) core.space = spaceOf(core, file);
    yield* report(core);
    if (file) hooks.opened?.(file);
    if (!options.isPaused) yield* core.processes.prepare();
    return core;
  } catch (reason) {
    void db.close();
    throw storeErrorOf(reason, options.store);
  }
}

/** Marks a store whose data are encoded. Throws if they cannot be decoded without a codec. */
function* requireCodec(db: Store, { codec, store }: EngineOptions): Task<void> {
  const { known, mark } = codecStatements(db);
  if (codec) yield* mark.change();
  else if (yield* known.get())
    throw new StoreError("unusable", `The data in the store ${store} are encoded, and there is no codec (--codec).`);
}

function* coreOn(db: Store, options: EngineOptions, hooks: OpeningHooks): Task<Core> {
  const sql = statementsOf(db);
  const failed = (reason: unknown) => faultOf(options, reason);
  const named = yield* namesIn(db, sql, options.workflows);
  const adopted = new Map<string, AnyWorkflow>();
  const find = (workflow: AnyWorkflow) => named.refs.get(textOf(workflow));
  const core: Core = {
    options,
    db,
    sql,
    read: async (reading) => db.read(reading),
    commits: new GroupCommit(db, {
      failed,
      probe: () => void sql.setClock.run(core.now()),
      undone: () => core.broker.waits.clear(),
      took: (seconds) => options.telemetry?.committed?.(seconds),
      ...hooks,
    }),
    now: steady(options.now ?? Date.now),
    workflows: new Map(options.workflows.map((workflow) => [find(workflow)!, workflow] as const)),
    newest: new Map(
      options.workflows.toReversed().map((workflow) => [workflow.id, { ref: find(workflow)!, workflow }]),
    ),
    names: named.names,
    strangers: yield* strangersIn(sql, named, options.workflows),
    live: new Map(),
    loading: new Set(),
    resting: new Map(),
    stranded: new Set(),
    broker: undefined as never,
    processes: undefined as never,
    watchers: new Map(),
    pollers: new Set(),
    log: options.log,
    most: hooks.most ?? 1000,
    longest: hooks.longest ?? 900_000_000,
    find,
    *refOf(workflow) {
      return find(workflow) ?? (yield* storeAdopted(core, workflow));
    },
    adopt(workflow) {
      if (find(workflow) !== undefined || adopted.has(textOf(workflow))) return;
      adopted.set(textOf(workflow), workflow);
      core.workflows.set(-adopted.size, workflow);
    },
    wake: (ref) => wake(core, ref),
    alarm: () => undefined,
    isClosing: false,
  };
  return Object.assign(core, { broker: new StoreBroker(core), processes: hooks.processes(core) });
}

function wake(core: Core, ref: number): void {
  if (core.isClosing || core.options.isPaused || core.live.has(ref) || core.stranded.has(ref)) return;
  if (core.held) {
    core.held.add(ref);
    return;
  }
  if (!core.processes.admits(ref) || core.loading.has(ref)) return;
  core.loading.add(ref);
  const loaded = core.db.execute(load(core, ref));
  if (loaded instanceof Promise)
    loaded.catch(() => {
      setTimeout(() => wake(core, ref), pause).unref();
    });
}

/** The pause before a run is loaded again after the store has failed, in milliseconds. */
const pause = 1000;

function* load(core: Core, ref: number): Task<void> {
  try {
    const row = yield* core.sql.run.get(ref);
    if (row && !core.isClosing) yield* loadRun(core, row);
  } catch (reason) {
    if (isOfStore(reason)) throw reason;
    strand(
      core,
      ref,
      `What is recorded of the run cannot be read: ${reason instanceof Error ? reason.message : reason}`,
    );
  } finally {
    core.loading.delete(ref);
  }
}

/** Logs a failed write, and returns the error for its callers. */
function faultOf(options: EngineOptions, reason: unknown): { readonly error: Error; readonly isForGood: boolean } {
  const given = storeErrorOf(reason, options.store);
  const error = given instanceof Error ? given : new Error(String(given));
  const isForGood = error instanceof StoreError && (error.fault === "corrupt" || error.fault === "foreign");
  options.log({
    level: "error",
    message: `${error.message} ${isForGood ? "The engine stops." : "The write is retried."}`,
  });
  return { error, isForGood };
}

interface WorkflowNames {
  readonly refs: Map<string, number>;
  readonly names: Map<number, { readonly id: string; readonly version: string }>;
}

/** The numbers of the workflows in the store. Adds those of the program. */
function* namesIn(db: Store, sql: Statements, workflows: readonly AnyWorkflow[]): Task<WorkflowNames> {
  const rows = yield* inTransaction(db, function* () {
    const known = new Set((yield* sql.workflows.all()).map(textOf));
    for (const workflow of workflows) {
      if (known.has(textOf(workflow))) continue;
      known.add(textOf(workflow));
      sql.addWorkflow.run(workflow.id, workflow.version);
    }
    return yield* sql.workflows.all();
  });
  return {
    refs: new Map(rows.map((row) => [textOf(row), row.ref])),
    names: new Map(rows.map((row) => [row.ref, row])),
  };
}

const textOf = ({ id, version }: { readonly id: string; readonly version: string }): string =>
  JSON.stringify([id, version]);

/** The number of an adopted workflow in the store, to which it is added if necessary. */
function* storeAdopted({ sql, names, workflows }: Core, workflow: AnyWorkflow): Task<number> {
  const known = (yield* sql.workflows.all()).find((each) => textOf(each) === textOf(workflow));
  const ref = known?.ref ?? (yield* sql.addWorkflow.change(workflow.id, workflow.version)).lastInsertRowid;
  names.set(ref, workflow);
  workflows.set(ref, workflow);
  return ref;
}

/** The versions with active runs that the program lacks. */
function* strangersIn(
  sql: Statements,
  { names }: WorkflowNames,
  workflows: readonly AnyWorkflow[],
): Task<ReadonlySet<number>> {
  const present = new Set(workflows.map(textOf));
  const missing = [...names].flatMap(([ref, name]) => (present.has(textOf(name)) ? [] : [ref]));
  const counts = yield* together(...missing.map((ref) => sql.countActive.get(ref)));
  return new Set(missing.filter((_, i) => counts[i]!.n > 0));
}

function* report({ strangers, names, sql, log }: Core): Task<void> {
  for (const ref of strangers) {
    const { id, version } = names.get(ref)!;
    const runs = (yield* sql.countActive.get(ref))!.n;
    log({
      level: "warn",
      message: `Runs are stranded: version ${version} of their workflow is not in the program.`,
      workflow: id,
      runs,
    });
  }
}

/** Executes a task in a transaction. It can be repeated if it fails. */
export function* inTransaction<T>(db: Store, act: () => Task<T> | T): Task<T> {
  yield* db.begin;
  try {
    const value = yield* perform(act);
    yield* db.commitRepeatable;
    return value;
  } catch (reason) {
    if (db.isTransaction) yield* db.rollBack;
    throw reason;
  }
}
