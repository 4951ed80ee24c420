import { existsSync } from "node:fs";
import type { Engine, LogEntry, Sending, Telemetry } from "../engine.ts";
import { EventRefused } from "../errors.ts";
import type { CloudEvent } from "../events.ts";
import { timerWorkflows } from "../timers.ts";
import type { AnyWorkflow } from "../workflow.ts";
import { type Common, levelOf, storeOf } from "./arguments.ts";
import { codecOf } from "./codec.ts";
import { copyOf } from "./copy.ts";
import { failureLog } from "./failure-log.ts";
import { logOf, printable } from "./log.ts";
import { previousWorkflows } from "./previous.ts";
import type { Program } from "./program.ts";
import { type Sink, sendTo } from "./sinks.ts";
import { combineTelemetry, installedTelemetry } from "./telemetry.ts";
import { CommandFailure, type Terminal } from "./terminal.ts";

/** A store that a command has open. */
export interface Opened {
  readonly engine: Engine;
  readonly log: (entry: LogEntry) => void;
}

/** How a command uses a store. */
export interface Use {
  /** Runs can be read and changed, but do not continue: for commands that execute nothing. */
  readonly isPaused: boolean;
  /** Nothing is changed: if another process holds the store, the command reads a copy. */
  readonly isReading?: boolean;
  /** Creates a store that does not exist; otherwise, that is a failure. */
  readonly mayBeNew: boolean;
  /** Observes runs in addition to OpenTelemetry. */
  readonly telemetry?: Telemetry;
  /**
   * For a server: how many seconds unused events are kept; seven days when `undefined`. Other commands delete no
   * events.
   */
  readonly keeping?: { readonly seconds: number | undefined };
}

/** Opens the store for a command, with the workflows of the program and their earlier versions. */
export async function open(
  program: Program,
  options: Common & { readonly sink?: string },
  terminal: Terminal,
  { isPaused, isReading = false, mayBeNew, telemetry: own, keeping }: Use,
): Promise<Opened> {
  const log = logOf(terminal, levelOf(options, terminal));
  const earlier = program.location === undefined ? [] : await previousWorkflows(program.location, log);
  const isNew = (workflow: AnyWorkflow): boolean => !program.workflows.some((known) => isSame(known, workflow));
  const all = [...program.workflows, ...earlier.filter(isNew)];
  const store = storeOf(options, terminal);
  if (!mayBeNew && !isAddress(store) && !existsSync(store))
    throw new CommandFailure(`There is no store ${printable(store)}.`);
  const sink = options.sink ?? terminal.environment["K_SINK"];
  const sinkFor = (type: string) => {
    const sinks = program.sinks ?? {};
    if (Object.hasOwn(sinks, type)) return sinks[type];
    return sink === undefined ? undefined : { url: sink };
  };
  const opened = Promise.withResolvers<Engine>();
  opened.promise.catch(() => undefined);
  const installed = isPaused ? undefined : await installedTelemetry();
  const failures = levelOf(options, terminal) === "debug" ? failureLog(log) : undefined;
  const telemetry = combineTelemetry([installed, own, failures].filter((each) => each !== undefined));
  const opening = isReading ? openToRead : openStore;
  const engine = await opening(program, {
    store,
    telemetry,
    workflows: [...all, ...timerWorkflows(program.workflows).map(({ workflow }) => workflow)],
    codec: await codecOf(program, options, terminal),
    isPaused,
    ...(keeping?.seconds === undefined ? {} : { keepEvents: keeping.seconds }),
    forgetsEvents: keeping !== undefined,
    functions: program.functions,
    send: (event, sending) => emit(event, sinkFor(event.type), opened.promise, sending),
    sinkOf: (type) => JSON.stringify(sinkFor(type)?.url ?? null),
    log,
  });
  opened.resolve(engine);
  if (!isPaused) observeFailures(terminal, log);
  return { engine, log };
}

/** Whether a store is the address of a server, and not a file. */
export const isAddress = (store: string): boolean => /^(?:postgres(?:ql)?|https?):\/\//.test(store);

/**
 * Whether two workflows have the same id and version: an earlier version may import one that the program also
 * contains.
 */
const isSame = (a: AnyWorkflow, b: AnyWorkflow): boolean => a.id === b.id && a.version === b.version;

/**
 * Logs failures outside of calls. An unhandled rejection does not end the process, because other runs depend on it. An
 * uncaught exception does: the process may be in any state. The next process repeats the calls that were in progress;
 * a run that ends processes repeatedly is blocked.
 */
function observeFailures(terminal: Terminal, log: (entry: LogEntry) => void): void {
  const textOf = (reason: unknown) => (reason instanceof Error ? (reason.stack ?? reason.message) : String(reason));
  terminal.onRejection((reason) => {
    log({
      level: "error",
      message: "A promise was rejected in a function, and nothing handles it.",
      reason: textOf(reason),
    });
  });
  terminal.onException((reason) => {
    log({ level: "error", message: "An exception was not caught. The process ends.", reason: textOf(reason) });
    terminal.exit(exceptionStatus);
  });
}

/** The exit status of a process after an uncaught exception: EX_SOFTWARE of sysexits.h. */
const exceptionStatus = 70;

/** Opens a store, or a copy of it if another process holds it. */
async function openToRead(program: Program, options: Parameters<Program["open"]>[0]): Promise<Engine> {
  try {
    return await program.open(options);
  } catch (thrown) {
    if (!isLocked(thrown)) return openStore(program, options);
  }
  const copy = copyOf(options.store);
  const engine = await openStore(program, { ...options, store: copy.store }).catch((reason: unknown) => {
    copy.remove();
    throw reason;
  });
  return { ...engine, close: (grace) => engine.close(grace).finally(copy.remove) };
}

const isLocked = (thrown: unknown): boolean =>
  thrown instanceof Error && "fault" in thrown && thrown.fault === "locked";

async function openStore(program: Program, options: Parameters<Program["open"]>[0]): Promise<Engine> {
  try {
    return await program.open(options);
  } catch (thrown) {
    if (!(thrown instanceof Error)) throw thrown;
    throw new CommandFailure(
      isLocked(thrown) ? `${thrown.message} Use --url for the server that has it.` : thrown.message,
    );
  }
}

/** Sends an event to its sink, or without one to the workflows of the program. */
async function emit(
  event: CloudEvent,
  sink: Sink | undefined,
  engine: Promise<Engine>,
  sending: Sending,
): Promise<void> {
  if (sink) return sendTo(sink, event, sending);
  try {
    await (await engine).deliver(event, { trace: sending.trace });
  } catch (thrown) {
    throw thrown instanceof TypeError ? new EventRefused(thrown.message) : thrown;
  }
}

/** Logs how stranded runs, whose version of the workflow is missing, can continue. */
export async function reportStranded({ engine, log }: Opened): Promise<void> {
  if ((await engine.list({ status: "stranded", limit: 1 })).runs.length === 0) return;
  const remedy =
    "Stranded runs continue when the module of their version is in the folder previous; list --status stranded lists them.";
  log({ level: "warn", message: remedy });
}
