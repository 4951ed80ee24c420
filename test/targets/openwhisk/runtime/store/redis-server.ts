import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** A server for a test. */
export interface RedisServer {
  readonly url: string;
  readonly process: ChildProcess;
  stop(): void;
}

/** Whether this machine has a Redis server. It must have one in CI. */
export function hasRedis(): boolean {
  try {
    execFileSync("redis-server", ["--version"], { stdio: "ignore" });
    return true;
  } catch {
    const isInstalled = process.env["CI"] === "true" && process.getuid?.() === 0 && hasApt();
    if (isInstalled) throw new Error("CI installs redis-server, and it is not here.");
    process.stderr.write("There is no redis-server here: what needs one is skipped.\n");
    return false;
  }
}

function hasApt(): boolean {
  try {
    execFileSync("apt-get", ["--version"], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}

/** Starts a server on a free port, with a password and without persistence. */
export async function startRedis(): Promise<RedisServer> {
  const folder = mkdtempSync(join(tmpdir(), "redis-"));
  const port = 20_000 + Math.floor(Math.random() * 20_000);
  const options = ["--port", String(port), "--bind", "127.0.0.1", "--requirepass", "it's: secret", "--save", ""];
  const child = spawn("redis-server", [...options, "--dir", folder, "--appendonly", "no"], {
    stdio: ["ignore", "pipe", "ignore"],
  });
  await new Promise<void>((resolve, reject) => {
    let said = "";
    child.stdout!.on("data", (text: Buffer) => {
      said += text.toString();
      if (/ready to accept connections/i.test(said)) resolve();
    });
    child.once("exit", () => reject(new Error(`redis-server did not start: ${said}`)));
  });
  return {
    url: `redis://:${encodeURIComponent("it's: secret")}@127.0.0.1:${port}/1`,
    process: child,
    stop() {
      child.kill("SIGKILL");
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
