import { describeErrno } from "../errno.ts";
import { main } from "./main.ts";
import { colorsIn, exit } from "./terminal.ts";

// What the command runs as: connects `main` to the process. `.build/waybill.cjs` starts it, on a Node that is new enough.

for (const stream of [process.stdout, process.stderr]) stream.on("error", (error) => stopWriting(stream, error));

const { GITHUB_WORKSPACE, WAYBILL_DEBUG } = process.env;

main(process.argv.slice(2), {
  get stdin() {
    return process.stdin;
  },
  out: (text) => void process.stdout.write(text),
  err: (text) => void process.stderr.write(text),
  color: colorsIn(process.env, process.stderr.isTTY === true),
  cwd: process.cwd(),
  workspace: GITHUB_WORKSPACE,
  debug: WAYBILL_DEBUG === "1",
}).then((status) => {
  process.exitCode = status;
  // What the user stopped may have left something going, such as a timer of a function.
  if (status === exit.stopped) process.exit();
});

/** A reader that has gone away, as after `| head`, ends the command quietly; a full disk is told. */
function stopWriting(stream: NodeJS.WriteStream, error: NodeJS.ErrnoException): void {
  if (error.code !== "EPIPE" && stream === process.stdout) {
    process.stderr.write(`Standard output cannot be written: ${describeErrno(error) ?? error.message}.\n`);
  }
  process.exit(error.code === "EPIPE" ? exit.fine : exit.problems);
}
