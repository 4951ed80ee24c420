import { AsyncLocalStorage } from "node:async_hooks";
import type * as sdk from "@dbos-inc/dbos-sdk";
import type { ClientBase, Pool as PoolOf } from "pg";
import type { LogEntry, RunSummary } from "../../engine.ts";
import { stored } from "./dialect.ts";
import type { OfferedRun } from "./queue.ts";
import { destroyIfSilent, liveness } from "./silence.ts";

/** Executes runs as workflows of DBOS. */
export interface Shell {
  /** From now on, the engine executes the runs that DBOS assigns to this process. */
  serve(): void;
  /** Executes a new run in this process. */
  start(run: OfferedRun): void;
  /** Lets any of the existing `executors` take a run from the queue. */
  enqueue(run: OfferedRun, executors: ReadonlySet<string>): Promise<void>;
  close(): Promise<void>;
}

/** An engine that executes runs for DBOS. */
export interface RunExecutor {
  /** Begins to execute a run; false if another process executes it. */
  take(run: OfferedRun): Promise<boolean>;
  /** Resolves when a run ends; never if the engine is closed first. */
  ended(run: OfferedRun): Promise<RunSummary>;
}

/** The instance of DBOS in this process. */
interface DbosInstance {
  readonly dbos: typeof sdk.DBOS;
  readonly run: (store: string, ref: number, id: string) => Promise<unknown>;
  readonly database: string;
  users: number;
  /** Closes the connections that DBOS has used. */
  readonly closePool: () => Promise<void>;
}

let launching: Promise<DbosInstance> | undefined;

/** Settles when the previous instance has shut down. */
let ending: Promise<unknown> = Promise.resolve();

/** The engines of this process by their stores. */
const engines = new Map<string, readonly RunExecutor[]>();

/** The runs that this process began and whose ends DBOS has not recorded. */
const noting = new Map<string, Promise<unknown>>();

/** The runs among them that have ended. */
const over = new Set<string>();

const keyOf = (store: string, id: string): string => `${store}/${id}`;

/** Executions that wait for an engine: DBOS assigns runs as soon as it has started, before an engine is open. */
let waiting: readonly (() => void)[] = [];

/** Runs a function outside the context of a DBOS workflow, since all runs share the engine. */
const outside = AsyncLocalStorage.snapshot();

/** How to start DBOS. */
export interface Launch {
  readonly url: string;
  /** The name of the database. */
  readonly database: string;
  readonly executor: string;
  /** The version of the program: DBOS recovers only its runs. */
  readonly version: string;
  readonly log: (entry: LogEntry) => void;
}

/** Starts DBOS unless it is running. */
export async function openShell(launch: Launch, engine: RunExecutor): Promise<Shell> {
  launching ??= ending.then(() => launched(launch));
  const { dbos, run, database, closePool } = await launching.then(
    (all) => {
      all.users += 1;
      return all;
    },
    (reason: unknown) => {
      launching = undefined;
      throw reason;
    },
  );
  const others = () => (engines.get(launch.database) ?? []).filter((other) => other !== engine);
  let isClosed = false;
  const idOf = (id: string) => stored(launch.database === database ? id : `${launch.database}/${id}`);
  const start = async ({ ref, id }: OfferedRun) => {
    const handle = await dbos.startWorkflow(run, { workflowID: idOf(id) })(launch.database, ref, id);
    const noted = handle.getResult().catch(() => undefined);
    const key = keyOf(launch.database, id);
    noting.set(key, noted);
    await noted;
    noting.delete(key);
    over.delete(key);
  };
  const failed = (id: string) => (reason: unknown) =>
    launch.log({ level: "warn", message: `DBOS does not start the run: ${String(reason)}`, run: id });
  return {
    serve() {
      engines.set(launch.database, [engine, ...others()]);
      const all = waiting;
      waiting = [];
      for (const resume of all) resume();
    },
    start: (each) => void outside(() => start(each).catch(failed(each.id))),
    enqueue: (each, executors) =>
      outside(async () => {
        const id = idOf(each.id);
        const known = await dbos.getWorkflowStatus(id);
        if (!known) {
          start(each).catch(failed(each.id));
          return;
        }
        const isOurs = known.applicationVersion === dbos.applicationVersion;
        if (known.status === "ENQUEUED" && isOurs) return;
        const isElsewhere = known.executorId !== dbos.executorID && executors.has(known.executorId ?? "");
        if (known.status === "PENDING" && isElsewhere) return;
        if (known.status === "PENDING" || known.status === "ENQUEUED") await dbos.cancelWorkflow(id);
        await dbos.rewindWorkflow(id, { applicationVersion: dbos.applicationVersion });
      }),
    async close() {
      if (isClosed) return;
      isClosed = true;
      engines.set(launch.database, others());
      const all = await launching;
      if (!all) return;
      all.users -= 1;
      if (all.users > 0) return;
      launching = undefined;
      await untilNoted();
      ending = dbos
        .shutdown({ deregister: true })
        .then(closePool)
        .catch(() => undefined);
      await ending;
    },
  };
}

async function launched({ url, database, executor, version, log }: Launch): Promise<DbosInstance> {
  const { DBOS: dbos } = (await import("@dbos-inc/dbos-sdk")) as typeof sdk;
  const run = dbos.registerWorkflow(executed, {
    name: "run",
    className: "waybill",
    maxRecoveryAttempts: 1_000_000_000,
  });
  const logAs = (level: "warn" | "error") => (entry: unknown) =>
    log({ level, message: `DBOS: ${entry instanceof Error ? entry.message : String(entry)}` });
  const quiet = () => undefined;
  let isLaunching = true;
  const pool = await openPool(url, () => isLaunching, logAs("warn"));
  dbos.setConfig({
    name: "waybill",
    systemDatabaseUrl: url,
    systemDatabasePool: pool,
    executorID: executor,
    applicationVersion: version,
    logger: { debug: quiet, info: quiet, warn: logAs("warn"), error: logAs("warn") },
  });
  await dbos.launch();
  isLaunching = false;
  return { dbos, run, database, users: 0, closePool: () => pool.end() };
}

/** The connections of DBOS. Its migrations may take as long as they need. */
async function openPool(url: string, isMigrating: () => boolean, failed: (reason: unknown) => void): Promise<PoolOf> {
  const { default: pg } = (await import("pg")) as unknown as { default: { Pool: typeof PoolOf } };
  const onConnect = async (client: ClientBase) => {
    await client.query("SET idle_in_transaction_session_timeout = '10s'");
  };
  const pool = new pg.Pool({ connectionString: url, application_name: "waybill-dbos", ...liveness, onConnect });
  pool.on("error", failed);
  pool.on("connect", ({ connection }) => destroyIfSilent(connection.stream, isMigrating));
  return pool;
}

/**
 * Waits until DBOS has recorded the ends of runs, which it does shortly after the engine. Otherwise another process
 * repeats that.
 */
async function untilNoted(): Promise<void> {
  const left = [...noting].flatMap(([key, noted]) => (over.has(key) ? [noted] : []));
  const late = new Promise<void>((resolve) => setTimeout(resolve, pause).unref());
  await Promise.race([Promise.all(left), late]);
}

/**
 * The engine that executes a run; if another process does, one that observes its end. Retries while the store is
 * unavailable.
 */
async function takingOf(store: string, run: OfferedRun): Promise<RunExecutor> {
  for (;;) {
    const all = await enginesOf(store);
    try {
      for (const each of all) if (await outside(() => each.take(run))) return each;
      return all[0];
    } catch {
      await new Promise((resolve) => setTimeout(resolve, pause).unref());
    }
  }
}

/** The pause before retries, in milliseconds. */
const pause = 500;

/** The engines on a store, at least one. Waits for the first. */
async function enginesOf(store: string): Promise<readonly [RunExecutor, ...RunExecutor[]]> {
  for (;;) {
    const [first, ...others] = engines.get(store) ?? [];
    if (first) return [first, ...others];
    await new Promise<void>((resolve) => {
      waiting = [...waiting, resolve];
    });
  }
}

/** The DBOS workflow of a run. Its result is that of the run, unless a codec encodes it. */
async function executed(store: string, ref: number, id: string): Promise<unknown> {
  const engine = await takingOf(store, { ref, id });
  const { status, output, error, reason } = await outside(() => engine.ended({ ref, id }));
  const key = keyOf(store, id);
  if (noting.has(key)) over.add(key);
  if (status === "succeeded") return output ?? null;
  const { name, message } = error ?? { name: status, message: reason ?? `The run is ${status}.` };
  throw Object.assign(new Error(message), { name });
}
