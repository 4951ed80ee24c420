import { type ChildProcess, spawn } from "node:child_process";
import { join } from "node:path";
import { runtimeFolder } from "../runtime-folder.ts";

/** What a process does. */
export interface ProcessRequest {
  readonly host: "dbos" | "restate";
  readonly store: string;
  /** The address of the functions. */
  readonly calls: string;
  /** The first order that it starts, and how many. */
  readonly first: number;
  readonly count: number;
  /** How long a process of DBOS must be unreachable to be taken for dead, in milliseconds. */
  readonly patience: number;
}

/** A process that executes runs, starts orders, and serves `/health`. */
export interface ProcessUnderTest {
  readonly url: string;
  /** Resolves when all its orders are started and paid; rejects if the process ends first. */
  readonly begun: Promise<unknown>;
  /** The orders whose event the store has acknowledged. */
  readonly paid: ReadonlySet<number>;
  readonly isEnded: boolean;
  /** Whether the process itself is stopped, and how often it was. */
  readonly isDisturbed: boolean;
  readonly disturbances: number;
  /** Stops it for some milliseconds. */
  stop(duration: number): Promise<void>;
  kill(): Promise<void>;
}

/** Starts a process, which is ready when the promise resolves. */
export async function startProcess(request: ProcessRequest): Promise<ProcessUnderTest> {
  const args = [runtimeFolder(), JSON.stringify(request)];
  const child = spawn(process.execPath, ["--no-warnings", join(import.meta.dirname, "child.ts"), ...args], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  const paid = new Set<number>();
  const lines = linesOf(child, (line) => {
    const [word, order] = line.split(" ");
    if (word === "paid") paid.add(Number(order));
  });
  const begun = lines.first("begun");
  begun.catch(() => undefined);
  const url = (await lines.first("open")).slice("open ".length);
  let [isDisturbed, disturbances] = [false, 0];
  return {
    url,
    begun,
    paid,
    get isEnded() {
      return isOver(child);
    },
    get isDisturbed() {
      return isDisturbed;
    },
    get disturbances() {
      return disturbances;
    },
    async stop(duration) {
      [isDisturbed, disturbances] = [true, disturbances + 1];
      child.kill("SIGSTOP");
      await new Promise((resolve) => setTimeout(resolve, duration));
      child.kill("SIGCONT");
      isDisturbed = false;
    },
    async kill() {
      [isDisturbed, disturbances] = [true, disturbances + 1];
      if (isOver(child)) return;
      const end = new Promise((resolve) => child.once("exit", resolve));
      child.kill("SIGKILL");
      await end;
    },
  };
}

const isOver = ({ exitCode, signalCode }: ChildProcess): boolean => exitCode !== null || signalCode !== null;

/** The output of a process by lines. */
function linesOf(child: ChildProcess, onLine: (line: string) => void) {
  const waiting = new Map<string, (line: string) => void>();
  let rest = "";
  child.stdout!.on("data", (data: Buffer) => {
    const lines = (rest + data.toString()).split("\n");
    rest = lines.pop()!;
    for (const line of lines) {
      onLine(line);
      waiting.get(line.split(" ")[0]!)?.(line);
    }
  });
  return {
    /** The first line that begins with a word. */
    first: (word: string): Promise<string> =>
      new Promise((resolve, reject) => {
        waiting.set(word, resolve);
        child.once("exit", (code) => reject(new Error(`The process ended with ${code}.`)));
      }),
  };
}
