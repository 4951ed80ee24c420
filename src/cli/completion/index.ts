import type { Command } from "commander";
import { requireOneOf } from "../flags.ts";
import type { Registry } from "../registry.ts";
import { type ExitStatus, exit, type Terminal } from "../terminal.ts";
import { completedCommands, shells } from "./commands.ts";
import { completionScript } from "./scripts.ts";

/** Runs `waybill completion`: prints the script of a shell. */
export async function completion(
  given: string,
  program: Command,
  terminal: Terminal,
  registry: Registry,
): Promise<ExitStatus> {
  const shell = requireOneOf("The shell", given, shells);
  terminal.out(completionScript(shell, program.name(), await completedCommands(program, registry)));
  return exit.success;
}
