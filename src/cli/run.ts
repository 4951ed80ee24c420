import { createHash } from "node:crypto";
import { dirname, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import type { Engine, RunSummary } from "../../targets/typescript/runtime/engine.ts";
import { compileWith, generate } from "../compile.ts";
import type { Json } from "../json.ts";
import { languages } from "../languages/index.ts";
import type { Program } from "../program.ts";
import type { Choices } from "./choices.ts";
import { failsWith, printDiagnostics } from "./diagnostics.ts";
import { readRequest, targetNamed } from "./input.ts";
import { readSource } from "./read.ts";
import { type ExitStatus, exit, failure, type Terminal, usage } from "./terminal.ts";

/** The options of `waybill run`. */
export interface RunChoices extends Choices {
  readonly input: string;
  readonly workflow?: string;
  readonly store?: string;
  readonly id?: string;
}

/** `waybill run`: compiles a workflow to TypeScript, runs it and prints its output. With a store a run that was broken off goes on when it is called again. */
export async function run(paths: readonly string[], choices: RunChoices, terminal: Terminal): Promise<ExitStatus> {
  const input = await inputOf(choices.input, terminal);
  const request = await readRequest(paths, choices, terminal);
  if (request.diagnostics.length > 0) return printDiagnostics(request.diagnostics, choices, terminal, true);
  const { program, diagnostics } = await compileWith(request.input, languages);
  const source = request.input.configuration?.source;
  const folder = pathToFileURL(`${resolve(terminal.cwd, source ? dirname(source.path) : ".")}/`).href;
  const placed: Program | undefined = program && { ...program, modulesFrom: folder };
  const generated = placed
    ? await generate(placed, targetNamed("--target", "typescript"))
    : { files: [], diagnostics: [] };
  const said = [...diagnostics, ...generated.diagnostics, ...request.remarks];
  const status = await printDiagnostics(said, choices, terminal, true);
  if (!placed || failsWith(said, choices)) return status;
  return runProgram(placed, generated.files, { ...choices, given: input }, terminal);
}

async function runProgram(
  program: Program,
  files: Parameters<typeof import("../../targets/typescript/load.ts")["openProgram"]>[0],
  choices: RunChoices & { readonly given: Json },
  terminal: Terminal,
): Promise<ExitStatus> {
  const workflow = workflowOf(program, choices.workflow);
  const [{ openProgram }, { moduleNames }] = await Promise.all([
    import("../../targets/typescript/load.ts"),
    import("../../targets/typescript/bindings.ts"),
  ]);
  const opened = openProgram(files, moduleNames(program));
  const store = choices.store === undefined ? ":memory:" : resolve(terminal.cwd, choices.store);
  try {
    const engine = openStore(() =>
      opened.openEngine({
        store,
        workflows: opened.workflows,
        functions: opened.functions,
        send: (event) => terminal.err(`event ${JSON.stringify(event)}\n`),
        log: ({ level, message }) => (level === "error" || level === "warn") && terminal.err(`${message}\n`),
      }),
    );
    return await finish(engine, workflow, choices, terminal);
  } finally {
    opened.close();
  }
}

/** Starts the run, or finds it again, and waits for its end, or until the command is told to stop. */
async function finish(
  engine: Engine,
  workflow: string,
  { given, id, store }: RunChoices & { readonly given: Json },
  terminal: Terminal,
): Promise<ExitStatus> {
  const stop = new AbortController();
  const interrupt = () => stop.abort();
  process.once("SIGINT", interrupt).once("SIGTERM", interrupt);
  const watch = setInterval(() => tellWaiting(engine, runId, terminal, () => clearInterval(watch)), 500);
  const runId = id ?? (store === undefined ? "run" : idOf(workflow, given));
  try {
    await engine.start(workflow, given, { id: runId });
    return tellEnd(await engine.ended(runId, stop.signal), terminal);
  } catch (error) {
    if (!stop.signal.aborted) throw error;
    terminal.err(
      store === undefined
        ? "Stopped; without --store the run is gone.\n"
        : `Stopped; the same command goes on with run ${runId}.\n`,
    );
    return exit.failure;
  } finally {
    clearInterval(watch);
    process.off("SIGINT", interrupt).off("SIGTERM", interrupt);
    await engine.close();
  }
}

function tellEnd({ status, output, error }: RunSummary, terminal: Terminal): ExitStatus {
  if (status === "succeeded") {
    terminal.out(`${JSON.stringify(output ?? null, undefined, 2)}\n`);
    return exit.fine;
  }
  terminal.err(
    error
      ? `The run has failed: ${error.name}${error.message === "" ? "" : `: ${error.message}`}\n`
      : `The run is ${status}.\n`,
  );
  return exit.problems;
}

/** Says once what a run waits for that does not go on by itself. */
function tellWaiting(engine: Engine, id: string, terminal: Terminal, told: () => void): void {
  const { waitingFor, status } = engine.show(id) ?? {};
  if (status !== "waiting" || !waitingFor || waitingFor.events.length === 0) return;
  told();
  const until = waitingFor.until === undefined ? "" : `, until ${waitingFor.until}`;
  terminal.err(
    `The run waits for the event ${waitingFor.events.join(" or ")}${until}. (A compiled program takes events in: \`node main.ts serve\`.)\n`,
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

function openStore(open: () => Engine): Engine {
  try {
    return open();
  } catch (error) {
    if (error instanceof Error && error.name === "StoreError") throw failure(error.message);
    throw error;
  }
}

async function inputOf(text: string, terminal: Terminal): Promise<Json> {
  const isRead = text === "-" || text.startsWith("@");
  const json = isRead ? (await readSource(text === "-" ? "-" : text.slice(1), terminal)).text : text;
  try {
    return JSON.parse(json) as Json;
  } catch (error) {
    throw usage(`--input is not JSON: ${error instanceof Error ? error.message : String(error)}.`);
  }
}
