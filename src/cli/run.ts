import { createHash } from "node:crypto";
import { dirname, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { compileWith } from "../compile.ts";
import type { Program } from "../ir/program.ts";
import { equalJson, isObject, type Json, type JsonObject } from "../json.ts";
import { type Engine, EngineError, type RunStatus } from "../target/engine.ts";
import type { Source } from "../text/source.ts";
import type { Choices } from "./choices.ts";
import { failsWith, printDiagnostics } from "./diagnostics.ts";
import { readInput } from "./input.ts";
import { loadModules } from "./modules.ts";
import { readSource } from "./read.ts";
import type { Registry } from "./registry.ts";
import { type ExitStatus, exit, failure, type Terminal, usage } from "./terminal.ts";

/** The options of `waybill run`. */
export interface RunChoices extends Choices {
  readonly input: string;
  readonly workflow?: string;
  readonly store?: string;
  readonly id?: string;
  /** The events that come once the run has begun, as JSON texts, in this order. */
  readonly event?: readonly string[];
  /** After so many seconds the command stops. */
  readonly timeout?: string;
}

/**
 * `waybill run`: compiles a workflow for the first target whose programs can be opened here, runs it and prints its output. With a store a run that was
 * broken off goes on when it is called again.
 */
export async function run(
  paths: readonly string[],
  choices: RunChoices,
  terminal: Terminal,
  registry: Registry,
): Promise<ExitStatus> {
  const stop = stopping(secondsOf(choices));
  try {
    return await begin(paths, choices, terminal, registry, stop.signal);
  } finally {
    stop.ignore();
  }
}

function secondsOf({ timeout }: RunChoices): number | undefined {
  if (timeout === undefined) return undefined;
  const seconds = Number(timeout);
  if (/^\d+(?:\.\d+)?$/.test(timeout) && seconds > 0 && seconds <= longestTimeout) return seconds;
  throw usage(`--timeout cannot be \`${timeout}\`; it is a number of seconds above 0, at most ${longestTimeout}.`);
}

/** What a timer of Node can wait for, in whole days. */
const longestTimeout = 24 * 86_400;

/** Hears from now on that the command is to stop: by a signal, or by the clock. */
function stopping(seconds: number | undefined): { readonly signal: AbortSignal; readonly ignore: () => void } {
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

async function begin(
  paths: readonly string[],
  choices: RunChoices,
  terminal: Terminal,
  registry: Registry,
  stop: AbortSignal,
): Promise<ExitStatus> {
  const value = await jsonOf("--input", choices.input, terminal);
  const events = await Promise.all((choices.event ?? []).map((text, i) => eventOf(text, i, terminal)));
  const target = registry.targets.find(({ openEngine }) => openEngine !== undefined);
  if (!target?.openEngine) throw failure("No target runs workflows here.");
  const given = await readInput(paths, choices, target, terminal, registry);
  const moduleBase = ({ path }: Source) => folderUrl(path, terminal);
  const input = { ...given, moduleBase, inspectModule: loadModules(terminal.cwd), findDependencies: undefined };
  const { program, files, diagnostics } = await compileWith(input, registry.languages, target);
  const status = await printDiagnostics(diagnostics, choices, terminal, true);
  if (!program || failsWith(diagnostics, choices)) return status;
  const workflow = workflowOf(program, choices.workflow);
  const language = registry.languages.find(({ name }) => name === program.byId.get(workflow)!.language);
  if (language?.inputs === "objects" && !isObject(value)) throw usage("--input has to be a JSON object.");
  const engine = await opened(
    target.openEngine(files, {
      store: choices.store === undefined ? undefined : resolve(terminal.cwd, choices.store),
      packagesFrom: [...new Set([...paths, "definition"].map((path) => folderUrl(path, terminal)))],
      emitted: (event) => terminal.err(`event ${JSON.stringify(event)}\n`),
      warn: (message) => terminal.err(`${message}\n`),
    }),
  );
  return finish(engine, workflow, { ...choices, given: value, events }, stop, terminal);
}

/** The folder of a file, as a URL. */
const folderUrl = (path: string, { cwd }: Terminal): string => pathToFileURL(`${dirname(resolve(cwd, path))}/`).href;

async function opened(engine: Promise<Engine>): Promise<Engine> {
  try {
    return await engine;
  } catch (error) {
    throw error instanceof EngineError ? failure(error.message) : error;
  }
}

/** Starts the run, or finds it again, and waits for its end, or until the command is told to stop. */
async function finish(
  engine: Engine,
  workflow: string,
  { given, input, id, store, events }: RunChoices & { readonly given: Json; readonly events: readonly JsonObject[] },
  stop: AbortSignal,
  terminal: Terminal,
): Promise<ExitStatus> {
  const watch = setInterval(() => tellWaiting(engine, runId, terminal, () => clearInterval(watch)), 500);
  const runId = id ?? (store === undefined ? "run" : idOf(workflow, given));
  try {
    const begun = await engine.start(workflow, given, runId);
    // Without --input the command goes on with whatever the run has begun with.
    if (begun.workflow !== workflow || (input !== "{}" && !equalJson(begun.input, given)))
      throw failure(`There is a run ${runId} that began with another workflow or another input.`);
    for (const event of events) await engine.deliver(event);
    return tellEnd(await engine.ended(runId, stop), terminal);
  } catch (error) {
    if (!stop.aborted) throw error;
    terminal.err(
      store === undefined
        ? "Stopped; without --store the run is gone.\n"
        : `Stopped; the same command goes on with run ${runId}.\n`,
    );
    return exit.stopped;
  } finally {
    clearInterval(watch);
    // Without a store nothing of the run is kept, so a function that is still at work need not end.
    if (store !== undefined || !stop.aborted) await engine.close();
  }
}

function tellEnd(ending: RunStatus, terminal: Terminal): ExitStatus {
  if (ending.status === "succeeded") {
    terminal.out(`${JSON.stringify(ending.output, undefined, 2)}\n`);
    return exit.fine;
  }
  if (ending.status === "failed") {
    const { name, message } = ending.error;
    terminal.err(`The run has failed: ${name}${message === "" ? "" : `: ${message}`}\n`);
  } else terminal.err(`The run is ${ending.status}.\n`);
  return exit.problems;
}

/** Says once what a run waits for that does not go on by itself. */
function tellWaiting(engine: Engine, id: string, terminal: Terminal, told: () => void): void {
  const waitingFor = engine.waitingFor(id);
  if (!waitingFor) return;
  told();
  const until = waitingFor.until === undefined ? "" : `, until ${waitingFor.until}`;
  terminal.err(
    `The run waits for the event ${waitingFor.events.join(" or ")}${until}. (--event gives it one; a compiled program takes events in: \`node main.ts serve\`.)\n`,
  );
}

/** The same run for the same workflow and input, so that the command goes on with it. */
const idOf = (workflow: string, input: Json): string =>
  `run-${createHash("sha256")
    .update(JSON.stringify([workflow, input]))
    .digest("hex")
    .slice(0, 12)}`;

function workflowOf({ workflows, byId }: Program, id: string | undefined): string {
  if (id === undefined) return workflows[0]!.id;
  if (!byId.has(id))
    throw usage(
      `There is no workflow \`${id}\`; there is ${workflows.map((workflow) => `\`${workflow.id}\``).join(", ")}.`,
    );
  return id;
}

/** An event of the command line, with what CloudEvents need besides: the same text gives the same event, which a run gets once. */
async function eventOf(text: string, place: number, terminal: Terminal): Promise<JsonObject> {
  const event = await jsonOf("--event", text, terminal);
  if (!isObject(event) || typeof event["type"] !== "string" || event["type"] === "")
    throw usage("--event has to be a JSON object with a text as its `type`.");
  const id = createHash("sha256").update(`${place} ${text}`).digest("hex").slice(0, 12);
  return { specversion: "1.0", id, source: "/waybill/run", ...event };
}

async function jsonOf(option: string, text: string, terminal: Terminal): Promise<Json> {
  const isRead = text === "-" || text.startsWith("@");
  const json = isRead ? (await readSource(text === "-" ? "-" : text.slice(1), terminal)).text : text;
  try {
    return JSON.parse(json) as Json;
  } catch (error) {
    throw usage(`${option} is not JSON: ${error instanceof Error ? error.message : String(error)}.`);
  }
}
