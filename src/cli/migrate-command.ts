import type { Command } from "commander";
import { migrationTargets } from "../migration/languages.ts";
import type { MigrateFlags } from "./migrate.ts";
import { namesOf, type Registry } from "./registry.ts";
import { repeatable } from "./repeatable.ts";
import type { ExitStatus, Terminal } from "./terminal.ts";

/** Adds `waybill migrate`. */
export function addMigrate(
  program: Command,
  terminal: Terminal,
  registry: Registry,
  done: (status: ExitStatus) => void,
): void {
  program
    .command("migrate")
    .description("rewrite a definition in a newer language")
    .argument("<file>", "the definition")
    .option("--to <language>", `the language to write: ${migrationTargets.join(", ")}`, migrationTargets[0])
    .option("-o, --out <file>", "the file to write (default: standard output)")
    .option("--namespace <name>", "the namespace of the new definition (default: default)")
    .option("--from <language>", `the source language: ${namesOf(registry.languages).join(", ")} (default: detected)`)
    .addOption(repeatable("--option <key=value>", "an option of the source language, see `waybill list`"))
    .option("--config <file>", "the configuration of the definition (default: the nearest one above it)")
    .option("--strict", "treat warnings as errors")
    .option("--color", "always print in color")
    .option("--no-color", "never print in color")
    .addHelpText(
      "after",
      "\nExit status: 0 success, 1 constructs without a form in the new language or errors in the definition, 2 incorrect usage.",
    )
    .action(async (path: string, flags: MigrateFlags) =>
      done(await (await import("./migrate.ts")).migrate(path, flags, terminal, registry)),
    );
}
