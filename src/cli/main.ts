import { CommanderError } from "commander";
import { visible } from "../diagnostics/renderers/text.ts";
import { commandLine } from "./command-line.ts";
import { type Registry, standard, version } from "./registry.ts";
import { type ExitStatus, exit, Stop, type Terminal } from "./terminal.ts";
import { joinPairs, usageLine } from "./usage.ts";

/**
 * The whole command: takes arguments and a terminal, gives the exit status. A mistake of the user ends in a line of text; a bug of ours
 * is told as one, never as a mistake of theirs.
 */
export async function main(
  args: readonly string[],
  terminal: Terminal,
  registry: Registry = standard,
): Promise<ExitStatus> {
  let status: ExitStatus = exit.fine;
  const program = commandLine(terminal, registry, (result) => {
    status = result;
  });
  try {
    await program.parseAsync(joinPairs(args), { from: "user" });
    return status;
  } catch (error) {
    return error instanceof CommanderError ? tellUsage(error, args, terminal) : tell(error, terminal);
  }
}

/** Help and the version end the command too; they have been printed. */
function tellUsage(error: CommanderError, args: readonly string[], { err }: Terminal): ExitStatus {
  if (error.exitCode === 0) return exit.fine;
  if (error.code !== "commander.help") err(`${visible(usageLine(error, args))}\n`);
  return exit.usage;
}

function tell(error: unknown, { err, debug }: Terminal): ExitStatus {
  if (error instanceof Stop) {
    err(`${visible(error.message)}\n`);
    return error.status;
  }
  const { message, stack } = error instanceof Error ? error : { message: String(error), stack: undefined };
  err(
    `Internal error in Waybill ${version}: ${visible(message)} (please report it; WAYBILL_DEBUG=1 shows where it happened)\n`,
  );
  if (debug && stack !== undefined) err(`${stack}\n`);
  return exit.internal;
}
