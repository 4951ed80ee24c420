import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { chownSync, existsSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";

/** A database server for a test. */
export interface DatabaseServer {
  /** The URL with administrator credentials. */
  readonly at: string;
  stop(): Promise<void>;
}

/** The folder of PostgreSQL's binaries, if it is installed. */
export const postgresFolder = [
  ...foldersIn("/usr/lib/postgresql").map((version) => `/usr/lib/postgresql/${version}/bin`),
  "/usr/local/bin",
  "/usr/bin",
].find((folder) => existsSync(`${folder}/initdb`));

/** The path of a server with MySQL's protocol, if one is installed. */
export const mariadbProgram = ["/usr/sbin/mariadbd", "/usr/bin/mariadbd", "/usr/local/bin/mariadbd"].find((path) =>
  existsSync(path),
);

/** Starts PostgreSQL with new data. It refuses to run as root. */
export async function startPostgres(): Promise<DatabaseServer> {
  const folder = mkdtempSync(join(tmpdir(), "postgres-"));
  const data = join(folder, "data");
  const identity = unprivileged();
  if (identity) chownSync(folder, identity.uid, identity.gid);
  const options = { ...identity, cwd: folder, stdio: "ignore" } as const;
  execFileSync(`${postgresFolder}/initdb`, ["-D", data, "-U", "test", "-A", "trust", "--no-sync"], options);
  const port = await freePort();
  const settings = ["-D", data, "-p", `${port}`, "-k", folder, "-c", "listen_addresses=127.0.0.1", "-F"];
  const server = spawn(`${postgresFolder}/postgres`, settings, options);
  return { at: `postgres://test@127.0.0.1:${port}/postgres`, stop: () => stopped(server, folder, "SIGINT") };
}

/** Starts MariaDB with new data. */
export async function startMariadb(): Promise<DatabaseServer> {
  const folder = mkdtempSync(join(tmpdir(), "mariadb-"));
  const identity = unprivileged();
  if (identity) chownSync(folder, identity.uid, identity.gid);
  const options = { ...identity, cwd: folder, stdio: "ignore" } as const;
  const own = ["--no-defaults", `--datadir=${folder}/data`];
  const install = mariadbProgram!.replace(/s?bin\/mariadbd$/, "bin/mariadb-install-db");
  execFileSync(install, [...own, "--auth-root-authentication-method=normal", "--skip-test-db"], options);
  const port = await freePort();
  const places = [`--port=${port}`, "--bind-address=127.0.0.1", `--socket=${folder}/s`, `--pid-file=${folder}/pid`];
  const server = spawn(mariadbProgram!, [...own, ...places, "--innodb-flush-log-at-trx-commit=0"], options);
  return { at: `mysql://root@127.0.0.1:${port}/mysql`, stop: () => stopped(server, folder, "SIGTERM") };
}

/** Waits until a server responds. */
export async function untilReady(ask: () => Promise<unknown>): Promise<void> {
  for (let tries = 100; ; tries--) {
    try {
      await ask();
      return;
    } catch (error) {
      if (tries === 0) throw error;
      await wait(100);
    }
  }
}

/** An unprivileged user, if the tests run as root. */
const unprivileged = (): { readonly uid: number; readonly gid: number } | undefined =>
  process.getuid?.() === 0 ? { uid: 65534, gid: 65534 } : undefined;

async function stopped(server: ChildProcess, folder: string, signal: NodeJS.Signals): Promise<void> {
  const ended = new Promise((resolve) => server.once("exit", resolve));
  if (server.exitCode === null && server.kill(signal)) await ended;
  rmSync(folder, { recursive: true, force: true });
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer().once("error", reject);
    server.listen(0, "127.0.0.1", () => {
      const address = server.address();
      server.close(() => resolve(typeof address === "object" && address ? address.port : 0));
    });
  });
}

function foldersIn(path: string): readonly string[] {
  return existsSync(path) ? readdirSync(path) : [];
}
