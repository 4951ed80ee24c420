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

/** Lets all runs go on, and takes events and requests by HTTP until it is asked to stop. */
export const serve: Command = {
  name: "serve",
  operands: "",
  summary: "let all runs go on, and take events and requests by HTTP",
  help: `  --port N        8080 when absent; 0: any that is free
  --host ADDRESS  127.0.0.1 when absent: only programs of this machine can ask
  --token TEXT    a bearer token that permits everything; better set WAYBILL_TOKEN. WAYBILL_TOKENS, or the file WAYBILL_TOKENS_FILE, lists
                  tokens with limited permissions, as JSON: [{ "token": "…", "may": ["events", "start", "read", "manage"] }]. Without any
                  of these, a token is generated and printed
  --no-token      accept requests without a token; needs --insecure if other machines can reach the server
  --insecure      allow --no-token on any --host
  --sink URL      where emitted events go, as CloudEvents; also K_SINK; when absent, to the workflows of the program
  --grace SECONDS how long a stop may take for what is being done; 30 when absent
  --keep D        forget runs that ended longer ago than this, such as P30D, once an hour; when absent, none is forgotten
  --keep-events D how long unused events are kept at least, for failed runs that are retried; P7D when absent
  --max-bytes N   how long the body of a request may be; 10485760 when absent
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

/** A duration of an option, in milliseconds. */
function ageOf(option: string, given: string | undefined): number | undefined {
  const age = given === undefined ? undefined : durationOf(given);
  if (given !== undefined && age === undefined)
    throw new UsageError(`--${option} needs an ISO 8601 duration in weeks, days and less, such as P30D.`);
  return age;
}

/** Forgets old runs, now and from time to time. */
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

/** The token that permits everything; undefined without one. It is generated and printed if there are no credentials. */
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
    throw new UsageError(`--no-token on ${host} would let anybody in who reaches it; --insecure allows that.`);
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

/** Resolves when the program is asked to stop; asked twice it ends at once. */
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

/** Stops taking requests, lets what is being done be recorded, and closes the store. What takes longer than it may is done again at the next start. */
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
      message: "What is being done takes too long: it is done again at the next start.",
      seconds: grace,
    });
    terminal.exit(1);
    return 1;
  }
  clearTimeout(timer);
  log({ level: "info", message: "Stopped." });
  return 0;
}
