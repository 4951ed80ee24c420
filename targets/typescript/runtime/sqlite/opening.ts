import type { DatabaseSync } from "node:sqlite";
import type { EngineOptions } from "../engine.ts";
import type { AnyWorkflow } from "../workflow.ts";
import { StoreBroker } from "./broker.ts";
import type { Core } from "./core.ts";
import type { Hooks } from "./engine.ts";
import { isOfStore, openFile, StoreError, storeErrorOf } from "./file.ts";
import { GroupCommit } from "./group-commit.ts";
import { loadRun } from "./loading.ts";
import { spaceOf } from "./space.ts";
import { type Statements, statementsOf } from "./statements.ts";
import { strand } from "./stranding.ts";
import { steady } from "./timers.ts";

/** Additional options; `processes` has a value. */
type OpeningHooks = Hooks & Required<Pick<Hooks, "processes">>;

/** Opens a store for the workflows of a program. */
export function openCore(options: EngineOptions, hooks: OpeningHooks): Core {
  const db = hooks.shared?.() ?? openFile(options.store);
  try {
    const core = coreOn(db, options, hooks);
    if (!hooks.shared) core.space = spaceOf(core);
    report(core);
    if (!options.isPaused) core.processes.prepare();
    return core;
  } catch (reason) {
    db.close();
    throw storeErrorOf(reason, options.store);
  }
}

function coreOn(db: DatabaseSync, options: EngineOptions, hooks: OpeningHooks): Core {
  const sql = statementsOf(db);
  const failed = (reason: unknown) => faultOf(options, reason);
  const named = namesIn(db, sql, options.workflows);
  const find = (workflow: AnyWorkflow) => named.refs.get(textOf(workflow));
  const core: Core = {
    options,
    db,
    sql,
    commits: new GroupCommit(db, {
      failed,
      probe: () => sql.setClock.run(core.now()),
      undone: () => core.broker.waits.clear(),
      ...hooks,
    }),
    now: steady(options.now ?? Date.now),
    workflows: new Map(options.workflows.map((workflow) => [find(workflow)!, workflow] as const)),
    newest: new Map(
      options.workflows.toReversed().map((workflow) => [workflow.id, { ref: find(workflow)!, workflow }]),
    ),
    names: named.names,
    strangers: strangersIn(sql, named, options.workflows),
    live: new Map(),
    resting: new Map(),
    stranded: new Set(),
    broker: undefined as never,
    processes: undefined as never,
    watchers: new Map(),
    log: options.log,
    most: hooks.most ?? 1000,
    longest: hooks.longest ?? 900_000_000,
    find,
    refOf: (workflow) => find(workflow) ?? adopt(core, named.refs, workflow),
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
  if (!core.processes.admits(ref)) return;
  try {
    const row = core.sql.run.get(ref);
    if (row) loadRun(core, row);
  } catch (reason) {
    if (isOfStore(reason)) throw reason;
    strand(
      core,
      ref,
      `What is recorded of the run cannot be read: ${reason instanceof Error ? reason.message : reason}`,
    );
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
function namesIn(db: DatabaseSync, sql: Statements, workflows: readonly AnyWorkflow[]): WorkflowNames {
  const known = new Set(sql.workflows.all().map(textOf));
  inTransaction(db, () => {
    for (const workflow of workflows) {
      if (known.has(textOf(workflow))) continue;
      known.add(textOf(workflow));
      sql.addWorkflow.run(workflow.id, workflow.version);
    }
  });
  const rows = sql.workflows.all();
  return {
    refs: new Map(rows.map((row) => [textOf(row), row.ref])),
    names: new Map(rows.map((row) => [row.ref, row])),
  };
}

const textOf = ({ id, version }: { readonly id: string; readonly version: string }): string =>
  JSON.stringify([id, version]);

function adopt({ sql, names, workflows }: Core, refs: Map<string, number>, workflow: AnyWorkflow): number {
  const ref = sql.addWorkflow.run(workflow.id, workflow.version).lastInsertRowid;
  refs.set(textOf(workflow), ref);
  names.set(ref, workflow);
  workflows.set(ref, workflow);
  return ref;
}

/** The versions with active runs that the program lacks. */
function strangersIn(
  sql: Statements,
  { names }: WorkflowNames,
  workflows: readonly AnyWorkflow[],
): ReadonlySet<number> {
  const present = new Set(workflows.map(textOf));
  const missing = [...names].filter(([, name]) => !present.has(textOf(name)));
  return new Set(missing.flatMap(([ref]) => (sql.countActive.get(ref)!.n > 0 ? [ref] : [])));
}

function report({ strangers, names, sql, log }: Core): void {
  for (const ref of strangers) {
    const { id, version } = names.get(ref)!;
    const runs = sql.countActive.get(ref)!.n;
    log({
      level: "warn",
      message: `Runs are stranded: version ${version} of their workflow is not in the program.`,
      workflow: id,
      runs,
    });
  }
}

/** Executes a function in a transaction. */
export function inTransaction<T>(db: DatabaseSync, act: () => T): T {
  db.exec("BEGIN IMMEDIATE");
  try {
    const result = act();
    db.exec("COMMIT");
    return result;
  } catch (reason) {
    if (db.isTransaction) db.exec("ROLLBACK");
    throw reason;
  }
}
