import { backup } from "./backup.ts";
import { printable } from "./log.ts";
import type { Command, Program } from "./program.ts";
import { compact, prune } from "./pruning.ts";
import { cancel, list, retry, versions } from "./runs.ts";
import { serve } from "./serve.ts";
import { show } from "./show.ts";
import { start } from "./start.ts";
import { task } from "./tasks.ts";
import { CommandFailure, processTerminal, type Terminal, UsageError } from "./terminal.ts";
import { serveFunctions } from "./workers/worker.ts";

const commands: readonly Command[] = [start, serve, list, show, task, cancel, retry, prune, compact, backup, versions];

/**
 * The command line of a generated program. Returns the exit status: 0 for success, 1 if the command has failed or the
 * run has, 2 for a command line with errors, 130 if the command was stopped before the run had ended. A process in which
 * an exception is not caught exits with 70. In a worker thread for functions, serves their calls.
 */
export async function main(
  program: Program,
  args: readonly string[] = process.argv.slice(2),
  terminal: Terminal = processTerminal,
): Promise<number> {
  const serving = serveFunctions(program.functions);
  if (serving) return serving;
  const [name, ...rest] = args;
  const command = commands.find((known) => known.name === name);
  try {
    if (command && !isAskingForHelp(rest)) return await command.run({ program, args: rest, terminal });
    const isHelp = command !== undefined || name === undefined || ["help", "--help", "-h"].includes(name);
    if (!isHelp) throw new UsageError(`There is no command ${printable(name)}.`);
    (name === undefined ? terminal.err : terminal.out)(command ? helpOf(command) : overview(program));
    return name === undefined ? 2 : 0;
  } catch (thrown) {
    if (!(thrown instanceof UsageError) && !(thrown instanceof CommandFailure) && !isOfStore(thrown)) throw thrown;
    terminal.err(`${thrown.message}\n`);
    if (thrown instanceof UsageError)
      terminal.err(`${command ? `${command.name} --help` : "--help"} prints the usage.\n`);
    return thrown instanceof UsageError ? 2 : 1;
  }
}

/** Whether a store cannot be used, including failures during the command. */
const isOfStore = (thrown: unknown): thrown is Error => thrown instanceof Error && thrown.name === "StoreError";

const isAskingForHelp = (args: readonly string[]): boolean => args.includes("--help") || args.includes("-h");

function overview({ workflows }: Program): string {
  const width = Math.max(...commands.map(({ name, operands }) => name.length + operands.length + 1));
  const lines = commands.map(({ name, operands, summary }) => `  ${`${name} ${operands}`.padEnd(width)}  ${summary}`);
  return `Runs workflows: ${workflows.map(({ id }) => id).join(", ")}

Usage: node main.ts COMMAND [options]

${lines.join("\n")}

COMMAND --help prints the options of a command. The store is the file, or the address of the database, in --store or
WAYBILL_STORE; runs.db by default.
`;
}

function helpOf({ name, operands, summary, help, options }: Command): string {
  const remote =
    "url" in options
      ? `  --url URL       use the server at this address, which has the store open; with --token TEXT or WAYBILL_TOKEN\n`
      : "";
  return `Usage: node main.ts ${`${name} ${operands}`.trim()} [options]

${summary[0]!.toUpperCase()}${summary.slice(1)}.

${help === "" ? "" : `${help}\n`}${remote}  --store STORE   the file, or the address of the database; also WAYBILL_STORE; runs.db by default
  --codec FILE    a module with encode and decode for the stored data of runs; also WAYBILL_CODEC
  --log-level L   error, warn, info or debug; also WAYBILL_LOG; info by default
`;
}
