import type { Command } from "commander";
import type { BuildFlags } from "./build.ts";
import type { InitFlags } from "./init.ts";
import { namesOf, type Registry } from "./registry.ts";
import type { ExitStatus, Terminal } from "./terminal.ts";

/** Adds the commands for projects. */
export function addProjectCommands(
  program: Command,
  terminal: Terminal,
  registry: Registry,
  done: (status: ExitStatus) => void,
): void {
  const starting = registry.languages.filter(({ starter }) => starter !== undefined);
  const languages = namesOf(starting);
  const language = starting.find(({ starter }) => starter?.isDefault)?.name ?? languages[0];
  program
    .command("build")
    .description("write the outputs of a project, as its configuration describes them")
    .argument(
      "[project...]",
      "folders or configurations of projects; of a folder, all projects in it (default: the current folder)",
    )
    .option("-t, --target <target>", `only the outputs for this target: ${namesOf(registry.targets).join(", ")}`)
    .option("--check", "fail if an output is missing, out of date or obsolete, without writing it")
    .option("--diff", "with --check: print how the outputs differ")
    .option("--watch", "build again after each change of a file, until Ctrl-C")
    .option("--test", "with --watch: then run the scenarios that the change reaches")
    .option("--jobs <n>", "the number of threads (default: that of the processors)")
    .option("--force", "overwrite and remove outputs even if they were edited")
    .option("--strict", "treat warnings as errors")
    .option("--quiet", "print only diagnostics, not the written files and the summary")
    .option("--format <format>", "the format of diagnostics: text, json, github, sarif", "text")
    .option("--max-diagnostics <n>", "print only so many diagnostics, errors first (default: all)")
    .option("--color", "always print in color")
    .option("--no-color", "never print in color")
    .option("--max-bytes <count>", "the maximum size of a file (default: 4194304)")
    .option("--verify-each", "verify the program after each pass, to find bugs in Waybill")
    .action(async (paths: string[], flags: BuildFlags) =>
      done(await (await import("./build.ts")).build(paths, flags, terminal, registry)),
    );
  program
    .command("init")
    .description("create a project with a workflow, a scenario and a function; prompts on a terminal")
    .argument("[folder]", "the folder of the project (default: the current folder)")
    .option("--language <language>", `the language of the workflow: ${languages.join(", ")} (default: ${language})`)
    .option("-t, --target <target>", `the target: ${namesOf(registry.targets).join(", ")} (default: typescript)`)
    .action(async (folder: string | undefined, flags: InitFlags) =>
      done(await (await import("./init.ts")).init(folder, flags, terminal, registry)),
    );
}
