import { AsyncLocalStorage } from "node:async_hooks";
import type * as sdk from "@dbos-inc/dbos-sdk";
import type { LogEntry, RunSummary } from "../../engine.ts";
import { stored } from "./dialect.ts";
import type { Offered } from "./offers.ts";

/** How runs are workflows of DBOS. */
export interface Shell {
  /** From now on the engine is there for the runs that DBOS has this process execute. */
  serve(): void;
  /** A new run is executed here. */
  start(run: Offered): void;
  /** A run is executed by whichever process takes it from the queue; `executors` are those that there are. */
  enqueue(run: Offered, executors: ReadonlySet<string>): Promise<void>;
  close(): Promise<void>;
}

/** An engine, as DBOS has its runs executed. */
export interface Executing {
  /** Begins to execute a run; false where another one does. */
  take(run: Offered): boolean;
  /** How a run ends. Never does where the engine is closed before. */
  ended(run: Offered): Promise<RunSummary>;
}

/** DBOS as it runs in this process: there is one. */
interface Launched {
  readonly dbos: typeof sdk.DBOS;
  readonly run: (store: string, ref: number, id: string) => Promise<unknown>;
  readonly database: string;
  users: number;
}

let launching: Promise<Launched> | undefined;

/** When it has ended that ran before. */
let ending: Promise<unknown> = Promise.resolve();

/** The engines of this process by their stores. */
const engines = new Map<string, readonly Executing[]>();

/** The runs that this process began and of which DBOS has not noted the end. */
const noting = new Map<string, Promise<unknown>>();

/** Those of them that have ended. */
const over = new Set<string>();

const keyOf = (store: string, id: string): string => `${store}/${id}`;

/** Executions for which there is no engine: DBOS gives a process runs as soon as it has started, before an engine is open. */
let waiting: readonly (() => void)[] = [];

/** What is done here belongs to no workflow of DBOS: the engine of all runs is one. */
const outside = AsyncLocalStorage.snapshot();

/** What DBOS is told as it starts. */
export interface Launch {
  readonly url: string;
  /** The name of the database. */
  readonly database: string;
  readonly executor: string;
  /** Of the program: DBOS lets others alone. */
  readonly version: string;
  readonly log: (entry: LogEntry) => void;
}

/** Starts DBOS where it has not been. */
export async function openShell(launch: Launch, engine: Executing): Promise<Shell> {
  launching ??= ending.then(() => launched(launch));
  const { dbos, run, database } = await launching.then(
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
  const start = async ({ ref, id }: Offered) => {
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
      for (const goOn of all) goOn();
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
      ending = dbos.shutdown({ deregister: true }).catch(() => undefined);
      await ending;
    },
  };
}

async function launched({ url, database, executor, version, log }: Launch): Promise<Launched> {
  const { DBOS: dbos } = (await import("@dbos-inc/dbos-sdk")) as typeof sdk;
  const run = dbos.registerWorkflow(executed, {
    name: "run",
    className: "waybill",
    maxRecoveryAttempts: 1_000_000_000,
  });
  const say = (level: "warn" | "error") => (entry: unknown) =>
    log({ level, message: `DBOS: ${entry instanceof Error ? entry.message : String(entry)}` });
  const quiet = () => undefined;
  dbos.setConfig({
    name: "waybill",
    systemDatabaseUrl: url,
    executorID: executor,
    applicationVersion: version,
    logger: { debug: quiet, info: quiet, warn: say("warn"), error: say("warn") },
  });
  await dbos.launch();
  return { dbos, run, database, users: 0 };
}

/** DBOS writes how a run ended a moment after the engine has: a process that goes before that leaves it to another one. */
async function untilNoted(): Promise<void> {
  const left = [...noting].flatMap(([key, noted]) => (over.has(key) ? [noted] : []));
  const late = new Promise<void>((resolve) => setTimeout(resolve, pause).unref());
  await Promise.race([Promise.all(left), late]);
}

/** The engine that goes on with a run; where another process does, one that hears how it ends. As long as the store is away, it is asked again. */
async function takingOf(store: string, run: Offered): Promise<Executing> {
  for (;;) {
    const all = await enginesOf(store);
    try {
      return all.find((each) => outside(() => each.take(run))) ?? all[0];
    } catch {
      await new Promise((resolve) => setTimeout(resolve, pause).unref());
    }
  }
}

/** How long a store is let alone that was away, in milliseconds. */
const pause = 500;

/** The engines on a store, of which there is one at least. */
async function enginesOf(store: string): Promise<readonly [Executing, ...Executing[]]> {
  for (;;) {
    const [first, ...others] = engines.get(store) ?? [];
    if (first) return [first, ...others];
    await new Promise<void>((resolve) => {
      waiting = [...waiting, resolve];
    });
  }
}

/** The workflow of DBOS that a run is. What comes of it is what came of the run. */
async function executed(store: string, ref: number, id: string): Promise<unknown> {
  const engine = await takingOf(store, { ref, id });
  const { status, output, error, reason } = await outside(() => engine.ended({ ref, id }));
  const key = keyOf(store, id);
  if (noting.has(key)) over.add(key);
  if (status === "succeeded") return output ?? null;
  const { name, message } = error ?? { name: status, message: reason ?? `The run was ${status}.` };
  throw Object.assign(new Error(message), { name });
}
