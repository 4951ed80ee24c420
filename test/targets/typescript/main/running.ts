import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { onTestFinished } from "vitest";
import { programFolder } from "../program.ts";

/** The source of two workflows: one calls a function, one waits for a payment and emits an event. */
export const workflows = (
  version: string,
) => `import { defineWorkflow, type Flow, type Json, type Step } from "./runtime.js";

interface Functions {
  greet(argument: Json, step: Step): Promise<Json>;
}

export const greet = defineWorkflow({
  id: "greet",
  version: "1",
  anyInput: true,
  name: "Greet",
  run: (flow: Flow, fn: Functions, input: Json) => flow.step<Json>("greet", (step) => fn.greet(input, step)),
});

export const order = defineWorkflow({
  id: "order",
  version: "${version}",
  name: "Order",
  start: { on: [{ all: [["placed"]] }] },
  events: { placed: { type: "order.placed" }, paid: { type: "order.paid" }, done: { type: "order.done", source: "/orders" } },
  waits: { paid: { alternatives: [{ all: [["paid"]] }] } },
  run: async (flow: Flow, _fn: Functions, input: Json) => {
    const { events } = await flow.receive("paid");
    await flow.emit("done", "done", { version: "${version}" });
    return { version: "${version}", paid: events[0]?.event.data ?? null };
  },
});
`;

const main = `import { main, openEngine } from "./runtime.js";
import { greet, order } from "./workflows.ts";

const functions = {
  async greet(argument: unknown, step: { readonly signal: AbortSignal }) {
    if (argument === "nobody") throw Object.assign(new Error("There is nobody."), { name: "Nobody" });
    if (argument === "floating") void Promise.reject(new Error("Nobody awaits this."));
    if (argument === "slow") await new Promise((resolve) => setTimeout(resolve, 7000));
    if (argument === "exit") process.exit(3);
    if (argument === "throw later") setTimeout(() => { throw new Error("Nobody catches this."); }, 10);
    if (argument === "never") await new Promise((resolve) => setTimeout(resolve, 600_000));
    return { greeting: \`Hello \${argument}\` };
  },
};

process.exitCode = await main({ workflows: [greet, order], functions, open: openEngine, location: import.meta.url });
`;

/** Creates a folder with a program of these workflows. */
export const program = (more: { readonly [path: string]: string } = {}): string =>
  programFolder({ "workflows.ts": workflows("1"), "main.ts": main, ...more });

/** The result of a finished process. */
export interface ExitedProcess {
  readonly status: number | null;
  readonly out: string;
  readonly err: string;
}

/** Runs the program with a command line until it exits. */
export async function run(
  folder: string,
  line: readonly string[],
  input = "",
  environment: { readonly [name: string]: string } = {},
): Promise<ExitedProcess> {
  const child = start(folder, line, environment);
  child.stdin!.end(input);
  const [out, err] = await Promise.all([
    text(child.stdout!),
    text(child.stderr!),
    child.exitCode === null ? once(child, "close") : undefined,
  ]);
  return { status: child.exitCode, out, err };
}

/** A running server process. */
export interface ServerProcess {
  readonly child: ChildProcess;
  readonly url: string;
  readonly token: string;
  /** The log so far. */
  log(): string;
  /** Sends a signal and waits for the exit; returns the exit status or the signal. */
  stop(signal: NodeJS.Signals): Promise<number | string | null>;
  /** Sends a request. */
  ask(
    method: string,
    path: string,
    body?: unknown,
    headers?: { readonly [name: string]: string },
  ): Promise<{ status: number; body: never }>;
}

/** Starts the server and waits until it listens. */
export async function serve(
  folder: string,
  more: readonly string[] = [],
  environment: { readonly [name: string]: string } = {},
): Promise<ServerProcess> {
  const child = start(folder, ["serve", "--port", "0", ...more], environment);
  let log = "";
  child.stderr!.on("data", (chunk) => {
    log += chunk;
  });
  const url = await new Promise<string>((resolve, reject) => {
    child.stderr!.on("data", () => {
      const found = /"message":"Serving\."[^\n]*"url":"([^"]*)"/.exec(log);
      if (found) resolve(found[1]!);
    });
    child.once("close", () => reject(new Error(log)));
  });
  const token = /bearer token of this server is (\S+)/.exec(log)?.[1] ?? "";
  return {
    child,
    url,
    token,
    log: () => log,
    async stop(signal) {
      const closed = once(child, "close");
      child.kill(signal);
      await closed;
      return child.exitCode ?? child.signalCode;
    },
    async ask(method, path, body, headers = {}) {
      const usual = { authorization: `Bearer ${token}`, "content-type": "application/json" };
      const response = await fetch(url + path, {
        method,
        headers: { ...usual, ...headers },
        body: body === undefined ? null : JSON.stringify(body),
      });
      return { status: response.status, body: (await response.json()) as never };
    },
  };
}

function start(
  folder: string,
  line: readonly string[],
  environment: { readonly [name: string]: string },
): ChildProcess {
  const { PATH = "" } = process.env;
  const child = spawn(process.execPath, [join(folder, "main.ts"), ...line], {
    cwd: folder,
    env: { PATH, NODE_NO_WARNINGS: "1", ...environment },
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  return child;
}
