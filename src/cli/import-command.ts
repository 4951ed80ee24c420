import type { Command } from "commander";
import type { ImportFlags } from "./import.ts";
import type { Registry } from "./registry.ts";
import { repeatable } from "./repeatable.ts";
import type { ExitStatus, Terminal } from "./terminal.ts";

/** Adds `waybill import`. */
export function addImport(
  program: Command,
  terminal: Terminal,
  registry: Registry,
  done: (status: ExitStatus) => void,
): void {
  program
    .command("import")
    .description("write scenario files from the mock configuration of Step Functions Local")
    .requiredOption("--mock-config <file>", "the mock configuration, such as MockConfigFile.json")
    .addOption(
      repeatable(
        "--machine <name=file>",
        "the definition of a machine, also NAME=FILE#MACHINE for a file with several",
        "NAME.asl.json next to the mock configuration",
      ),
    )
    .option("-o, --out <folder>", "the folder of the scenario files (default: that of the mock configuration)")
    .option("--input <json>", "the input of all scenarios: JSON, @FILE, or - for standard input (default: {})")
    .option("--record", "run the scenarios, and write what they do as `expect`")
    .option("--force", "overwrite scenario files that exist")
    .option("--color", "always print in color")
    .option("--no-color", "never print in color")
    .action(async (flags: ImportFlags) =>
      done(await (await import("./import.ts")).importScenarios(flags, terminal, registry)),
    );
}
