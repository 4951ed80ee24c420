import { inputError } from "../inputs.ts";
import type { Json } from "../json.ts";
import { newToken } from "../server/access.ts";
import { durationOf } from "../server/commands.ts";
import { localNames, type Serving, serve as serveEngine } from "../server/serve.ts";
import { commonOptions, levelOf, read, wholeNumber } from "./arguments.ts";
import { credentialsOf } from "./credentials.ts";
import { createGraphs } from "./graphs.ts";
import { logOf } from "./log.ts";
import { createMetrics } from "./metrics.ts";
import { type Opened, open, reportStranded } from "./opening.ts";
import type { Command } from "./program.ts";
import { CommandFailure, type Terminal, UsageError } from "./terminal.ts";
import { beginTimers } from "./timers.ts";
import { startWorkers } from "./workers/index.ts";

const options = {
  ...commonOptions,
  port: { type: "string" },
  host: { type: "string" },
  token: { type: "string" },
  "no-token": { type: "boolean" },
  insecure: { type: "boolean" },
  sink: { type: "string" },
  grace: { type: "string" },
  keep: { type: "string" },
  "keep-events": { type: "string" },
  "max-bytes": { type: "string" },
  workers: { type: "string" },
} as const;

/** Resumes all runs, and accepts events and requests by HTTP until the process is to stop. */
export const serve: Command = {
  name: "serve",
  operands: "",
  summary: "resume all runs, and accept events and requests by HTTP",
  help: `  --port N        the port, 8080 by default; 0 chooses a free one
  --host ADDRESS  the address to listen on; 127.0.0.1 by default, which only this machine can reach
  --token TEXT    a bearer token that permits everything; prefer WAYBILL_TOKEN. WAYBILL_TOKENS, or the file
                  WAYBILL_TOKENS_FILE, lists tokens with limited permissions, as JSON:
                  [{ "token": "…", "may": ["events", "start", "tasks", "read", "manage"] }].
                  Without any of these, a token is generated and printed
  --no-token      accept requests without a token; needs --insecure if other machines can reach the server
  --insecure      allow --no-token on any --host
  --sink URL      the receiver of emitted events, as CloudEvents; also K_SINK; by default, the workflows of the program
  --grace SECONDS the time that calls in progress have to end when the server stops; 30 by default
  --keep D        delete runs that ended longer ago than this, such as P30D, every hour; by default, runs are kept
  --keep-events D the minimum time that unused events are kept, for failed runs that are retried; P7D by default
  --max-bytes N   the maximum size of the body of a request; 10485760 by default
  --workers N     call the functions of modules in N worker threads, so that one that computes for long does not stop the
                  server; by default, they are called in its own thread`,
  options,
  async run({ program, args, terminal }) {
    const { values } = read(args, options, [0, 0]);
    const port = wholeNumber("port", values.port, 65535);
    const grace = wholeNumber("grace", values.grace, 3600) ?? 30;
    const keeping = ageOf("keep", values.keep);
    const keepEvents = ageOf("keep-events", values["keep-events"]);
    const maximumBytes = wholeNumber("max-bytes", values["max-bytes"], 1_000_000_000);
    const host = values.host ?? "127.0.0.1";
    const log = logOf(terminal, levelOf(values, terminal));
    const credentials = await credentialsOf(terminal, log);
    const token = tokenFor(values, host, credentials !== undefined, terminal);
    const seconds = keepEvents === undefined ? undefined : keepEvents / 1000;
    const metrics = createMetrics(program.workflows);
    const use = { isPaused: false, mayBeNew: true, telemetry: metrics.telemetry, keeping: { seconds } };
    const count = wholeNumber("workers", values.workers, maxWorkers) ?? 0;
    const worked = count === 0 ? undefined : await startWorkers(program, count, log);
    const opened = await open(worked?.program ?? program, values, terminal, use).catch(async (reason: unknown) => {
      await worked?.workers.close();
      throw reason;
    });
    const stopped = untilStopped(terminal);
    await beginTimers(opened.engine, program.workflows, opened.log);
    await reportStranded(opened);
    const workflows = program.workflows.map(({ id }) => id);
    const check = (id: string, input: Json): Error | undefined => {
      const workflow = program.workflows.find((each) => each.id === id);
      return workflow && inputError(workflow, input);
    };
    const serving = await listen(opened, {
      ...{ port, host, token, credentials: credentials?.current, workflows, maximumBytes, log: opened.log },
      inputError: check,
      metrics: metrics.read,
      definitions: program.workflows,
      graphOf: createGraphs(program.location),
    });
    opened.log({ level: "info", message: "Serving.", url: serving.url, workflows });
    const retention = keeping === undefined ? undefined : keepFor(opened, keeping);
    await stopped;
    clearInterval(retention);
    credentials?.close();
    worked?.workers.stopping();
    const status = await stop(serving, opened, grace, terminal);
    await worked?.workers.close();
    return status;
  },
};

/** The maximum number of worker threads. */
const maxWorkers = 64;

/** The duration in an option, in milliseconds. */
function ageOf(option: string, given: string | undefined): number | undefined {
  const age = given === undefined ? undefined : durationOf(given);
  if (given !== undefined && age === undefined)
    throw new UsageError(`--${option} needs an ISO 8601 duration in weeks, days and less, such as P30D.`);
  return age;
}

/** Deletes old runs, now and every hour. */
function keepFor({ engine, log }: Opened, age: number): NodeJS.Timeout {
  const forget = () =>
    engine.prune(Date.now() - age).then(
      (runs) => runs > 0 && log({ level: "info", message: "Old runs are forgotten.", runs }),
      (reason: unknown) => log({ level: "warn", message: "Old runs cannot be forgotten.", reason: String(reason) }),
    );
  void forget();
  return setInterval(forget, hour);
}

const hour = 3_600_000;

/**
 * The token that permits everything; undefined without one. It is generated and printed if no credentials are given.
 */
function tokenFor(
  values: { readonly token?: string; readonly "no-token"?: boolean; readonly insecure?: boolean },
  host: string,
  hasCredentials: boolean,
  terminal: Terminal,
): string | undefined {
  if (values["no-token"]) {
    if (hasCredentials) throw new UsageError("--no-token excludes WAYBILL_TOKENS and WAYBILL_TOKENS_FILE.");
    if (values.token !== undefined) throw new UsageError("--token and --no-token exclude each other.");
    if (localNames.includes(host) || values.insecure) return undefined;
    throw new UsageError(`--no-token on ${host} would admit anyone who can reach the server; --insecure allows that.`);
  }
  const given = values.token ?? terminal.environment["WAYBILL_TOKEN"];
  if (given === "") throw new UsageError("The token is empty.");
  if (given !== undefined || hasCredentials) return given;
  const made = newToken();
  terminal.err(`The bearer token of this server is ${made}\n`);
  return made;
}

async function listen({ engine }: Opened, settings: Parameters<typeof serveEngine>[1]): Promise<Serving> {
  try {
    return await serveEngine(engine, settings);
  } catch (thrown) {
    await engine.close();
    throw new CommandFailure(`The server cannot listen: ${thrown instanceof Error ? thrown.message : String(thrown)}`);
  }
}

/** Resolves at the first signal to stop; the second one ends the process immediately. */
function untilStopped(terminal: Terminal): Promise<void> {
  return new Promise((resolve) => {
    let isStopping = false;
    terminal.onStop(() => {
      if (isStopping) terminal.exit(130);
      isStopping = true;
      resolve();
    });
  });
}

/**
 * Stops accepting requests, records the results of calls in progress, and closes the store. Calls that exceed the
 * grace period are repeated at the next start.
 */
async function stop(serving: Serving, { engine, log }: Opened, grace: number, terminal: Terminal): Promise<number> {
  log({ level: "info", message: "Stopping." });
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<"late">((resolve) => {
    timer = setTimeout(resolve, grace * 1000, "late" as const);
  });
  const closing = serving.close().then(() => engine.close(grace));
  if ((await Promise.race([closing, late])) === "late") {
    log({
      level: "warn",
      message: "Calls have exceeded the grace period: they are repeated at the next start.",
      seconds: grace,
    });
    terminal.exit(1);
    return 1;
  }
  clearTimeout(timer);
  log({ level: "info", message: "Stopped." });
  return 0;
}
