import type { Command } from "commander";
import type { DiffFlags } from "./diff.ts";
import { namesOf, type Registry } from "./registry.ts";
import { repeatable } from "./repeatable.ts";
import type { ExitStatus, Terminal } from "./terminal.ts";

/** Adds `waybill diff`. */
export function addDiff(
  program: Command,
  terminal: Terminal,
  registry: Registry,
  done: (status: ExitStatus) => void,
): void {
  program
    .command("diff")
    .description("compare two versions of a workflow, or a definition with its migration to another language")
    .argument(
      "<old>",
      "the old definitions: a file, a folder, a pattern, or REVISION:PATH of a Git repository; REVISION alone for the path of <new>",
    )
    .argument("<new>", "the new definitions: a file, a folder, a pattern, or REVISION:PATH")
    .option(
      "--scenarios [path...]",
      "run scenarios with both, and report the changed outcomes; without paths, those next to the definitions and in their projects",
    )
    .option("--stats", "measure the output of both for --target")
    .option("-t, --target <target>", "with --stats: the target (default: asl)")
    .option("--format <format>", "the output format: text, json, markdown", "text")
    .option("--from <language>", `the source language: ${namesOf(registry.languages).join(", ")} (default: detected)`)
    .addOption(repeatable("--option <key=value>", "an option of the source language, see `waybill list`"))
    .addOption(repeatable("--pick <name>", "compare only this definition of files with several"))
    .option("--config <file>", "the configuration of all definitions (default: the nearest one above each)")
    .option("--color", "always print in color")
    .option("--no-color", "never print in color")
    .addHelpText(
      "after",
      "\nExit status: 0 no differences, 1 differences, 2 incorrect usage or definitions with errors.",
    )
    .action(async (old: string, created: string, flags: DiffFlags) =>
      done(await (await import("./diff.ts")).diff([old, created], flags, terminal, registry)),
    );
}
