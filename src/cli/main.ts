import { CommanderError } from "commander";
import { visible } from "../diagnostics/renderers/text.ts";
import { MissingPackageError } from "../lazy/missing.ts";
import { createCommandLine } from "./command-line.ts";
import { filesWithPlugins } from "./plugin-files.ts";
import { type Registry, standardRegistry, version } from "./registry.ts";
import { CommandError, type ExitStatus, exit, type Terminal } from "./terminal.ts";
import { describeUsageError, joinPairs } from "./usage.ts";

/** Runs the command. Users' errors print one line; bugs print an internal error. */
export async function main(
  args: readonly string[],
  terminal: Terminal,
  registry: Registry = standardRegistry,
): Promise<ExitStatus> {
  let status: ExitStatus = exit.success;
  try {
    const files = filesWithPlugins(args, terminal.cwd);
    const known =
      files.length === 0 ? registry : await (await import("./plugins.ts")).withPluginsOf(files, registry, terminal);
    const program = createCommandLine(terminal, known, (result) => {
      status = result;
    });
    await program.parseAsync(joinPairs(args), { from: "user" });
    return status;
  } catch (error) {
    return error instanceof CommanderError ? reportUsageError(error, args, terminal) : reportError(error, terminal);
  }
}

/** Help and version are reported as errors, too. */
function reportUsageError(error: CommanderError, args: readonly string[], { err }: Terminal): ExitStatus {
  if (error.exitCode === 0) return exit.success;
  if (error.code !== "commander.help") err(`${visible(describeUsageError(error, args))}\n`);
  return exit.usage;
}

function reportError(error: unknown, { err, debug }: Terminal): ExitStatus {
  if (error instanceof CommandError) {
    err(`${visible(error.message)}\n`);
    return error.status;
  }
  if (error instanceof MissingPackageError) {
    err(`${error.message}\n`);
    return exit.problems;
  }
  const { message, stack } = error instanceof Error ? error : { message: String(error), stack: undefined };
  err(
    `Internal error in Waybill ${version}: ${visible(message)} (please report it; WAYBILL_DEBUG=1 shows where it happened)\n`,
  );
  if (debug && stack !== undefined) err(`${stack}\n`);
  return exit.internal;
}
