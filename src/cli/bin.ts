import { describeErrno } from "../errno.ts";
import { main } from "./main.ts";
import { exit, supportsColor } from "./terminal.ts";

// The entry point that `.build/waybill.cjs` loads.

for (const stream of [process.stdout, process.stderr]) stream.on("error", (error) => stopWriting(stream, error));

const { CI, GITHUB_WORKSPACE, TERM, WAYBILL_DEBUG } = process.env;
const isAutomated = (CI !== undefined && CI !== "" && CI !== "false") || TERM === "dumb";

main(process.argv.slice(2), {
  get stdin() {
    return process.stdin;
  },
  out: (text) => void process.stdout.write(text),
  err: (text) => void process.stderr.write(text),
  color: supportsColor(process.env, process.stderr.isTTY === true),
  outputColor: supportsColor(process.env, process.stdout.isTTY === true),
  cwd: process.cwd(),
  workspace: GITHUB_WORKSPACE,
  debug: WAYBILL_DEBUG === "1",
  // Node.js opens a standard stream when it is first used.
  ask: !isAutomated && process.stderr.isTTY && process.stdin.isTTY ? ask : undefined,
  progressColumns: !isAutomated && process.stderr.isTTY ? process.stderr.columns || 80 : undefined,
}).then(async (status) => {
  process.exitCode = status;
  // Node would first collect garbage, which takes as long as a small compilation, and wait for timers of a stopped run.
  await Promise.all([process.stdout, process.stderr].map(flush));
  process.exit();
});

/** Reads a line from the terminal. Ctrl-C ends the command. */
async function ask(question: string): Promise<string | undefined> {
  // An import would warn that the loader of compiled code is experimental.
  const { createInterface } = process.getBuiltinModule("node:readline/promises");
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  lines.on("SIGINT", () => process.exit(exit.stopped));
  const end = new Promise<undefined>((resolve) => lines.once("close", () => resolve(undefined)));
  try {
    return await Promise.race([lines.question(question), end]);
  } finally {
    lines.close();
  }
}

/** Waits until all of a stream is written: pipes may write later. */
function flush(stream: NodeJS.WriteStream): Promise<void> {
  return new Promise((resolve) => stream.write("", () => resolve()));
}

/** A reader such as `head` may close the pipe; other errors are reported. */
function stopWriting(stream: NodeJS.WriteStream, error: NodeJS.ErrnoException): void {
  if (error.code !== "EPIPE" && stream === process.stdout) {
    process.stderr.write(`Cannot write to standard output: ${describeErrno(error) ?? error.message}.\n`);
  }
  process.exit(error.code === "EPIPE" ? exit.success : exit.problems);
}
