import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

/** A Restate server on free ports. */
export interface RestateServer {
  /** Returns a store address for a new program, served on a free port. */
  address(): Promise<string>;
  /** Returns the store address of the same program, served on another port. */
  addressAtOtherPort(address: string): Promise<string>;
  /** Kills the server, as if its machine had failed. */
  stop(): Promise<void>;
  /** Restarts the server with its stored data. */
  start(): Promise<void>;
  /** Stops the server for some milliseconds, so that connections stay open without responses. */
  pause(milliseconds: number): Promise<void>;
}

/** Why tests that need the server are skipped; undefined on platforms that must have it. */
export function skipReason(): string | undefined {
  const here = `${process.platform}-${process.arch}`;
  return here === "linux-x64" ? undefined : `its server is untested on ${here}`;
}

/** Starts a server on free ports, with its data in a temporary folder, and with a private key (PEM) as its identity. */
export async function startRestate({ identity }: { readonly identity?: string } = {}): Promise<RestateServer> {
  const folder = mkdtempSync(join(tmpdir(), "waybill-restate-"));
  process.once("exit", () => rmSync(folder, { recursive: true, force: true }));
  const [ingress, admin, node] = await Promise.all([freePort(), freePort(), freePort()]);
  const identityFile = identity === undefined ? undefined : join(folder, "identity.pem");
  if (identity !== undefined) writeFileSync(join(folder, "identity.pem"), identity);
  const launch = () => launchServer(folder, { ingress, admin, node }, identityFile);
  let server = await launch();
  let programs = 0;
  return {
    async address() {
      const port = await freePort();
      const query = new URLSearchParams({
        ingress: `http://127.0.0.1:${ingress}`,
        service: `http://127.0.0.1:${port}`,
        name: `w${++programs}`,
      });
      return `http://127.0.0.1:${admin}?${query}`;
    },
    async addressAtOtherPort(address) {
      const url = new URL(address);
      url.searchParams.set("service", `http://127.0.0.1:${await freePort()}`);
      return `${url}`;
    },
    stop: () => endProcess(server, "SIGKILL"),
    async start() {
      server = await launch();
    },
    async pause(milliseconds) {
      server.kill("SIGSTOP");
      await new Promise((resolve) => setTimeout(resolve, milliseconds));
      server.kill("SIGCONT");
    },
  };
}

interface Ports {
  readonly ingress: number;
  readonly admin: number;
  readonly node: number;
}

async function launchServer(
  folder: string,
  { ingress, admin, node }: Ports,
  identityFile?: string,
): Promise<ChildProcess> {
  const require = createRequire(import.meta.url);
  const binary = join(
    dirname(require.resolve("@restatedev/restate-server-linux-x64/package.json")),
    "bin/restate-server",
  );
  const server = spawn(
    binary,
    ["--no-logo", "--listen-mode", "tcp", "--bind-ip", "127.0.0.1", "--bind-port", `${node}`, "--base-dir", folder],
    {
      stdio: "ignore",
      env: {
        ...process.env,
        ...(identityFile !== undefined && { RESTATE_REQUEST_IDENTITY_PRIVATE_KEY_PEM_FILE: identityFile }),
        RESTATE_INGRESS__BIND_PORT: `${ingress}`,
        RESTATE_ADMIN__BIND_PORT: `${admin}`,
        RESTATE_DEFAULT_NUM_PARTITIONS: "4",
        RESTATE_ROCKSDB_TOTAL_MEMORY_SIZE: "256MB",
        RESTATE_LOG_FILTER: "error",
        RESTATE_DISABLE_TELEMETRY: "true",
        RESTATE_ADMIN__DISABLE_WEB_UI: "true",
        RESTATE_DEFAULT_RETRY_POLICY__INITIAL_INTERVAL: "30ms",
        RESTATE_DEFAULT_RETRY_POLICY__MAX_INTERVAL: "300ms",
        RESTATE_DEFAULT_RETRY_POLICY__MAX_ATTEMPTS: "100000",
      },
    },
  );
  const end = performance.now() + 60_000;
  for (;;) {
    if (server.exitCode !== null) throw new Error("The Restate server has not started.");
    const healths = await Promise.all([
      isHealthy(`http://127.0.0.1:${admin}/health`),
      isHealthy(`http://127.0.0.1:${ingress}/restate/health`),
    ]);
    if (healths.every(Boolean)) return server;
    if (performance.now() > end) throw new Error("The Restate server does not respond.");
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

const isHealthy = (url: string): Promise<boolean> =>
  fetch(url).then(
    ({ ok }) => ok,
    () => false,
  );

async function endProcess(server: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (server.exitCode !== null || server.signalCode !== null) return;
  const exit = once(server, "exit");
  server.kill(signal);
  await exit;
}

/** A free TCP port. */
export async function freePort(): Promise<number> {
  const server = createServer();
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as { readonly port: number };
  server.close();
  await once(server, "close");
  return port;
}
