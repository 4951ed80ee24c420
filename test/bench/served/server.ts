import { spawn } from "node:child_process";
import { once } from "node:events";
import { rmSync, writeFileSync } from "node:fs";
import { Agent, request } from "node:http";
import { join } from "node:path";
import { programFolder } from "../../hosts/runtime-folder.ts";

/** An emitted program: a workflow with one step, one that waits, one with a large output, and one that computes. */
const mainOf = (host: string): string => `const { defineWorkflow, main } = await import("./runtime.js");
const { openEngine } = await import(${JSON.stringify(host === "sqlite" ? "./runtime.js" : `../${host}.js`)});
const common = { version: "1", anyInput: true };
const step = defineWorkflow({
  ...common, id: "step", name: "Step",
  run: (flow, fn, input) => flow.step("Echo", () => fn.echo(input)),
});
const wait = defineWorkflow({
  ...common, id: "wait", name: "Wait",
  events: { paid: { type: "paid", correlation: (event) => event["order"] } },
  waits: { Paid: { alternatives: [{ all: [["paid"]] }] } },
  correlation: (input) => input.order,
  async run(flow, fn) {
    await flow.receive("Paid");
    return flow.step("Echo", () => fn.echo(1));
  },
});
const large = defineWorkflow({
  ...common, id: "large", name: "Large",
  run: (flow, fn, input) => flow.step("Large", () => fn.large(input)),
});
const compute = defineWorkflow({
  ...common, id: "compute", name: "Compute",
  run: (flow, fn, input) => flow.step("Compute", () => fn.compute(input)),
});
const functions = {
  echo: async (value) => value,
  large: async (size) => "x".repeat(size),
  compute: async (milliseconds) => { for (const end = Date.now() + milliseconds; Date.now() < end; ); return null; },
};
const workflows = [step, wait, large, compute];
process.exitCode = await main({ workflows, functions, open: openEngine, location: import.meta.url });
`;

/** A response. */
export interface ServedResponse {
  readonly status: number;
  readonly text: string;
}

/** A server process, and a client of it, which rejects errors. */
export interface ServedProgram {
  ask(method: string, path: string, body?: unknown, type?: string): Promise<ServedResponse>;
  close(): Promise<void>;
}

/** Where a program stores its runs. */
export interface ProgramStore {
  readonly host: "sqlite" | "dbos";
  readonly store: string;
}

let programs = 0;

/** Starts a server, by default with an empty file as its store. The folder is removed when it is closed. */
export async function serveProgram(
  options: readonly string[] = [],
  { host, store }: ProgramStore = { host: "sqlite", store: "runs.db" },
): Promise<ServedProgram> {
  const folder = programFolder(`served-${programs++}`);
  writeFileSync(join(folder, "main.ts"), mainOf(host));
  const common = ["--store", store, "--port", "0", "--no-token", "--log-level", "info"];
  const args = ["--no-warnings", "main.ts", "serve", ...common, ...options];
  const child = spawn(process.execPath, args, { cwd: folder, stdio: ["ignore", "ignore", "pipe"] });
  const url = await new Promise<string>((resolve, reject) => {
    let log = "";
    child.stderr.on("data", (chunk) => {
      log = (log + chunk).slice(-10_000);
      const found = /"url":"([^"]*)"/.exec(log)?.[1];
      if (found !== undefined) resolve(found);
    });
    child.once("close", (status) => {
      if (status !== 0) process.stderr.write(`The server has exited with ${status}: ${log}\n`);
      reject(new Error(log));
    });
  });
  const agent = new Agent({ keepAlive: true, maxSockets: 64 });
  const ask: ServedProgram["ask"] = (method, path, body, type = "application/json") =>
    new Promise((resolve, reject) => {
      const text = body === undefined ? undefined : JSON.stringify(body);
      const headers = text === undefined ? {} : { "content-type": type };
      const sent = request(url + path, { agent, method, headers }, (response) => {
        let read = "";
        response.on("data", (chunk) => {
          read += chunk;
        });
        response.on("end", () => {
          const status = response.statusCode!;
          if (status < 400) resolve({ status, text: read });
          else reject(new Error(`${method} ${path} responds with ${status}: ${read}`));
        });
      });
      // The server closes idle connections, which may be reused at that moment.
      sent.on("error", (reason) => (sent.reusedSocket ? resolve(ask(method, path, body, type)) : reject(reason)));
      sent.end(text);
    });
  return {
    ask,
    async close() {
      const closed = once(child, "close");
      child.kill("SIGTERM");
      await closed;
      agent.destroy();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
