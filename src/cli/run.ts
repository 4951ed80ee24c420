import { createHash } from "node:crypto";
import { dirname, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { compileWith } from "../compile.ts";
import { inputOfRun } from "../ir/starts.ts";
import type { Program, Workflow } from "../ir/workflow.ts";
import { equalJson, isObject, type Json, type JsonObject } from "../json.ts";
import { type AwaitedFromOutside, type Engine, EngineError, type RunStatus } from "../target/engine.ts";
import type { Source } from "../text/source.ts";
import { failsWith, printDiagnostics } from "./diagnostics.ts";
import type { CommonFlags } from "./flags.ts";
import { readInput } from "./input.ts";
import { readJsonOption } from "./json.ts";
import { createLoadingInspector } from "./modules.ts";
import type { Registry } from "./registry.ts";
import { commandFailure, type ExitStatus, exit, type Terminal, usageError } from "./terminal.ts";

/** The flags of `waybill run`. */
export interface RunFlags extends CommonFlags {
  /** Omitted for a run that events start. */
  readonly input?: string;
  readonly workflow?: string;
  readonly store?: string;
  readonly id?: string;
  readonly event?: readonly string[];
  /** In seconds. */
  readonly timeout?: string;
}

/** Runs `waybill run`. With a store, the same command resumes an interrupted run. */
export async function run(
  paths: readonly string[],
  flags: RunFlags,
  terminal: Terminal,
  registry: Registry,
): Promise<ExitStatus> {
  const stop = createStopSignal(parseTimeout(flags));
  try {
    return await runWorkflow(paths, flags, terminal, registry, stop.signal);
  } finally {
    stop.ignore();
  }
}

function parseTimeout({ timeout }: RunFlags): number | undefined {
  if (timeout === undefined) return undefined;
  const seconds = Number(timeout);
  if (/^\d+(?:\.\d+)?$/.test(timeout) && seconds > 0 && seconds <= maxTimeoutSeconds) return seconds;
  throw usageError(`--timeout must be a positive number of seconds up to ${maxTimeoutSeconds}, not \`${timeout}\`.`);
}

/** The limit of Node's timers, in whole days. */
const maxTimeoutSeconds = 24 * 86_400;

/** Aborts on SIGINT, SIGTERM or the timeout. */
function createStopSignal(seconds: number | undefined): { readonly signal: AbortSignal; readonly ignore: () => void } {
  const controller = new AbortController();
  const stop = () => controller.abort();
  process.once("SIGINT", stop).once("SIGTERM", stop);
  const timer = seconds === undefined ? undefined : setTimeout(stop, seconds * 1000);
  const ignore = () => {
    clearTimeout(timer);
    process.off("SIGINT", stop).off("SIGTERM", stop);
  };
  return { signal: controller.signal, ignore };
}

async function runWorkflow(
  paths: readonly string[],
  flags: RunFlags,
  terminal: Terminal,
  registry: Registry,
  stop: AbortSignal,
): Promise<ExitStatus> {
  const given = flags.input === undefined ? undefined : await readJsonOption("--input", flags.input, terminal);
  const events = await Promise.all((flags.event ?? []).map((text, i) => parseEvent(text, i, terminal)));
  const target = registry.targets.find(({ openEngine }) => openEngine !== undefined);
  if (!target?.openEngine) throw commandFailure("No target can run workflows locally.");
  const inputs = await readInput(paths, flags, target, terminal, registry);
  const moduleBase = ({ path }: Source) => folderUrl(path, terminal);
  const input = {
    ...inputs,
    moduleBase,
    inspectModule: createLoadingInspector(terminal.cwd),
    findDependencies: undefined,
  };
  const { program, files, diagnostics } = await compileWith(input, registry.languages, target);
  const status = await printDiagnostics(diagnostics, flags, terminal, true);
  if (!program || failsWith(diagnostics, flags)) return status;
  const workflow = findWorkflow(program, flags.workflow);
  const value = inputOfRun(workflow, given);
  const language = registry.languages.find(({ name }) => name === workflow.language);
  if (language?.inputs === "objects" && value !== undefined && !isObject(value))
    throw usageError("--input must be a JSON object.");
  const engine = await openOrFail(
    target.openEngine(files, {
      store: flags.store === undefined ? undefined : resolve(terminal.cwd, flags.store),
      packagesFrom: [...new Set([...paths, "definition"].map((path) => folderUrl(path, terminal)))],
      emitted: (event) => terminal.err(`event ${JSON.stringify(event)}\n`),
      warn: (message) => terminal.err(`${message}\n`),
    }),
  );
  return awaitRun(
    engine,
    { workflow: workflow.id, id: runIdOf(workflow.id, value, events, flags), value, events },
    flags,
    stop,
    terminal,
  );
}

const folderUrl = (path: string, { cwd }: Terminal): string => pathToFileURL(`${dirname(resolve(cwd, path))}/`).href;

async function openOrFail(engine: Promise<Engine>): Promise<Engine> {
  try {
    return await engine;
  } catch (error) {
    throw error instanceof EngineError ? commandFailure(error.message) : error;
  }
}

/** The run of the command: it is called, or the first of the events that can starts it. */
interface CommandRun {
  readonly workflow: string;
  readonly id: string;
  /** The input of a run that is called. */
  readonly value: Json | undefined;
  readonly events: readonly JsonObject[];
}

async function awaitRun(
  engine: Engine,
  run: CommandRun,
  flags: RunFlags,
  stop: AbortSignal,
  terminal: Terminal,
): Promise<ExitStatus> {
  const { workflow, id } = run;
  const watch = watchWaiting(engine, id, terminal);
  try {
    await beginRun(engine, run, flags);
    for (const event of run.events) await engine.deliver(event, { workflow, id });
    if (await engine.find(id)) return printStatus(await engine.ended(id, stop), terminal);
    terminal.err(
      `No event has started a run of ${workflow}. Pass one with --event, or --input to call the workflow without.\n`,
    );
    return exit.problems;
  } catch (error) {
    if (!stop.aborted) throw error;
    terminal.err(
      flags.store === undefined
        ? "Stopped. The run is lost, because it has no --store.\n"
        : `Stopped. Run the same command to resume run ${id}.\n`,
    );
    return exit.stopped;
  } finally {
    watch.stop();
    // Without a store, running functions need not finish.
    if (flags.store !== undefined || !stop.aborted) await engine.close();
  }
}

/** Calls the workflow, or resumes a run with the same id. Without --input, any input is accepted. */
async function beginRun(engine: Engine, { workflow, id, value }: CommandRun, { input }: RunFlags): Promise<void> {
  const known = value === undefined ? await engine.find(id) : await engine.start(workflow, value, id);
  if (known && (known.workflow !== workflow || (input !== undefined && !equalJson(known.input, value!))))
    throw commandFailure(`Run ${id} already exists with another workflow or input.`);
}

function printStatus(status: RunStatus, terminal: Terminal): ExitStatus {
  if (status.status === "succeeded") {
    terminal.out(`${JSON.stringify(status.output, undefined, 2)}\n`);
    return exit.success;
  }
  if (status.status === "failed") {
    const { name, message } = status.error;
    terminal.err(`The run failed: ${name}${message === "" ? "" : `: ${message}`}\n`);
  } else terminal.err(`The run is ${status.status}.\n`);
  return exit.problems;
}

/** Prints once for which events and tasks the run waits, as soon as it does. */
function watchWaiting(engine: Engine, id: string, terminal: Terminal): { stop(): void } {
  let isDone = false;
  const look = async () => {
    const waitingFor = await engine.waitingFor(id).catch(() => undefined);
    if (isDone || !waitingFor) return;
    stop();
    printWaiting(waitingFor, terminal);
  };
  const timer = setInterval(look, 500);
  const stop = () => {
    isDone = true;
    clearInterval(timer);
  };
  return { stop };
}

function printWaiting(waitingFor: AwaitedFromOutside, terminal: Terminal): void {
  const { events, tasks } = waitingFor;
  const until = waitingFor.until === undefined ? "" : `, until ${waitingFor.until}`;
  const awaited = [
    ...(events.length > 0 ? [`event ${events.join(" or ")}`] : []),
    ...(tasks.length > 0 ? [`the answer of task ${tasks.join(" or ")}`] : []),
  ].join(" or ");
  const deliver = events.length > 0 ? "Deliver one with --event, or compile" : "To answer it, compile";
  terminal.err(`The run is waiting for ${awaited}${until}. ${deliver} the workflow and run \`node main.ts serve\`.\n`);
}

/** The same command resumes the same run. Further events may be added to one that an event has started. */
function runIdOf(
  workflow: string,
  value: Json | undefined,
  events: readonly JsonObject[],
  { id, store }: RunFlags,
): string {
  if (id !== undefined) return id;
  if (store === undefined) return "run";
  const origin = JSON.stringify(value === undefined ? [workflow, events[0] ?? null, "event"] : [workflow, value]);
  return `run-${createHash("sha256").update(origin).digest("hex").slice(0, 12)}`;
}

function findWorkflow({ workflows, byId }: Program, id: string | undefined): Workflow {
  const found = id === undefined ? workflows[0] : byId.get(id);
  if (found) return found;
  throw usageError(
    `Unknown workflow \`${id}\`. The workflows are ${workflows.map((workflow) => `\`${workflow.id}\``).join(", ")}.`,
  );
}

/** The ID is derived from its JSON, so that a resumed run receives each event once. */
async function parseEvent(text: string, place: number, terminal: Terminal): Promise<JsonObject> {
  const event = await readJsonOption("--event", text, terminal);
  if (!isObject(event) || typeof event["type"] !== "string" || event["type"] === "")
    throw usageError("--event must be a JSON object with a string `type`.");
  const id = createHash("sha256").update(`${place} ${text}`).digest("hex").slice(0, 12);
  return { specversion: "1.0", id, source: "/waybill/run", ...event };
}
