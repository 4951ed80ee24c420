import { Command, Option } from "commander";
import type { TargetCommand } from "../target/contract.ts";
import { type CheckFlags, check } from "./check.ts";
import { type CompileFlags, compile } from "./compile.ts";
import { addDiff } from "./diff-command.ts";
import type { EvalFlags } from "./eval.ts";
import type { GraphFlags } from "./graph.ts";
import { addImport } from "./import-command.ts";
import { addMigrate } from "./migrate-command.ts";
import type { PlaygroundFlags } from "./playground.ts";
import { addProjectCommands } from "./project-commands.ts";
import { expressionForms, expressionLanguages, namesOf, type Registry, version } from "./registry.ts";
import { repeatable } from "./repeatable.ts";
import type { RunFlags } from "./run.ts";
import { type ExitStatus, type Terminal, usageError } from "./terminal.ts";
import type { TestFlags } from "./test.ts";

/** Creates the command-line parser, which reports exit statuses to `done`. Rarely used commands load lazily. */
export function createCommandLine(terminal: Terminal, registry: Registry, done: (status: ExitStatus) => void): Command {
  const program = new Command("waybill")
    .description("Compiles workflow definitions to the platforms that run them.")
    .version(version, "-v, --version", "print the version")
    .exitOverride()
    .configureHelp({ optionDescription: describeOption })
    .configureOutput({
      outputError: () => {},
      writeOut: (text) => terminal.out(text),
      writeErr: (text) => terminal.err(text),
      getErrHasColors: () => false,
      getOutHasColors: () => false,
    })
    .addHelpText("after", examples)
    .addHelpText(
      "after",
      "\nExit status: 0 success, 1 problems in definitions or files, 2 incorrect usage, 3 internal error.",
    );
  const context: CliContext = { terminal, registry, done };
  addProjectCommands(program, terminal, registry, done);
  addCompile(program, context);
  addCheck(program, context);
  addRun(program, context);
  addTest(program, context);
  addGraph(program, context);
  addDiff(program, terminal, registry, done);
  addMigrate(program, terminal, registry, done);
  addImport(program, terminal, registry, done);
  addEval(program, context);
  addExplain(program, context);
  addList(program, context);
  addLsp(program, context);
  addCompletion(program, context);
  addPlayground(program, context);
  addTargetCommands(program, context);
  return program;
}

/** The description of an option with its default, which commander would quote. */
function describeOption({ description, defaultValue }: Option): string {
  return defaultValue === undefined ? description : `${description} (default: ${String(defaultValue)})`;
}

const examples = `
Examples:
  waybill check order.yaml                              check a definition
  waybill compile order.yaml --target asl               print the compiled workflow
  waybill compile flows --target asl --out machines     compile all definitions in a folder
  waybill run order.yaml --input '{"id": 7}'            run a workflow locally
  waybill graph order.yaml --out order.svg              draw a workflow
  waybill explain WB2001                                explain a diagnostic
  waybill explain unknown state                         find diagnostics about words`;

const definitionsHelp = "definitions: files, folders, patterns, or - for standard input";

/** The description of `--pick`. */
export const pickHelp = "read only this definition of files with several, such as templates";

interface CliContext {
  readonly terminal: Terminal;
  readonly registry: Registry;
  readonly done: (status: ExitStatus) => void;
}

const joinNames = (known: readonly { readonly name: string }[]): string => namesOf(known).join(", ");

function addCompile(program: Command, { terminal, registry, done }: CliContext): void {
  const command = program
    .command("compile")
    .description("compile definitions for a target")
    .argument("<file...>", definitionsHelp)
    .option("-t, --target <target>", `the target: ${joinNames(registry.targets)}`)
    .option("-o, --out <folder>", "the output folder (default: standard output)")
    .option("--check", "fail if files in --out are out of date, without writing them")
    .option("--prune", "remove files in --out that this target generated from other definitions")
    .option("--force", "overwrite and remove files in --out even if they were edited")
    .option(
      "--keep-versions <n>",
      "how many previous versions of each workflow to keep in --out for unfinished runs, if the target supports it (default: 3)",
    )
    .option("--stats", "print the size of each workflow's output and the cost of its scenarios to standard error")
    .addOption(
      repeatable(
        "--scenarios <path>",
        "with --stats: the scenario files to measure",
        "those next to the definitions and in their projects",
      ),
    )
    .option("--emit <stage>", "print an intermediate stage instead of the output: ir")
    .option("--after <pass>", "with --emit ir and --target: print the program after this pass of the target");
  addCommonOptions(command, registry).action(async (paths: string[], flags: CompileFlags) =>
    done(await compile(paths, flags, terminal, registry)),
  );
}

function addCheck(program: Command, { terminal, registry, done }: CliContext): void {
  const command = program
    .command("check")
    .description("check definitions, optionally against the limits of a target")
    .argument("[file...]", `${definitionsHelp} (default: the project, also against the limits of its targets)`)
    .option("-t, --target <target>", `also check against the limits of this target: ${joinNames(registry.targets)}`)
    .option("--fix", "apply fixes to the files, list them, and check the result")
    .option("--dry-run", "with --fix: print a diff and write nothing");
  addCommonOptions(command, registry).action(async (paths: string[], flags: CheckFlags) =>
    done(await check(paths, flags, terminal, registry)),
  );
}

function addRun(program: Command, { terminal, registry, done }: CliContext): void {
  const command = program
    .command("run")
    .description("compile a workflow and run it locally, durably with --store")
    .argument("<file...>", "the definition of the workflow, then those of its subflows")
    .option(
      "--input <json>",
      "the input: JSON, @FILE, or - for standard input (default: {}, or none if events start the workflow)",
    )
    .option("--workflow <id>", "the workflow to run (default: the first one of the files, in their order)")
    .addOption(repeatable("--event <json>", "an event to deliver to the run: JSON or @FILE"))
    .option("--store <file>", "store the run in this file; the same command resumes it (default: in memory)")
    .option("--id <id>", "the ID of the run (default: derived from the workflow and the input if --store is given)")
    .option("--timeout <seconds>", "stop after this many seconds, as Ctrl-C does (default: none)");
  addCommonOptions(command, registry).action(async (paths: string[], flags: RunFlags) =>
    done(await (await import("./run.ts")).run(paths, flags, terminal, registry)),
  );
}

const testHelp = `
On a target, a scenario also fails if the target differs from the reference. Coverage is measured on the reference,
over all files together. With --format junit, it is printed to standard error.`;

function addTest(program: Command, { terminal, registry, done }: CliContext): void {
  program
    .command("test")
    .description("run scenarios in virtual time")
    .argument(
      "[file...]",
      "scenario files: files, folders, patterns, or - for standard input (default: those of the project)",
    )
    .option("--on <runner>", `where to run them: reference, ${joinNames(registry.targets)}, or all`, "reference")
    .option("--config <file>", "the configuration of all definitions (default: the nearest one above each)")
    .option("--format <format>", "the output format: text, json, junit", "text")
    .option(
      "--coverage [percent]",
      "list states (or steps) and transitions that no scenario covers; fail if coverage is below the percentage",
    )
    .addOption(
      repeatable("--pick <name>", "test this definition of files with several, if the scenario file picks none"),
    )
    .addOption(repeatable("-f, --filter <text>", "run only scenarios whose name contains the text", "all"))
    .option("--bail", "stop after the first failure")
    .option("--watch", "run scenarios again when a change reaches them, until Ctrl-C")
    .option("--update", "write what the runs did into the expectations that differ, after confirmation on a terminal")
    .option("--jobs <n>", "the number of threads (default: that of the processors)")
    .option("--strict", "fail if a scenario calls a function for which it has no result")
    .option("--color", "always print in color")
    .option("--no-color", "never print in color")
    .addHelpText("after", testHelp)
    .action(async (paths: string[], flags: TestFlags) =>
      done(await (await import("./test.ts")).test(paths, flags, terminal, registry)),
    );
}

function addGraph(program: Command, { terminal, registry, done }: CliContext): void {
  program
    .command("graph")
    .description("draw a workflow")
    .argument("<file...>", "the definition of the workflow, then those of its subflows")
    .option("--format <format>", "svg, mermaid or dot (default: by the extension of --out, svg without it)")
    .option("-o, --out <file>", "the file to write (default: standard output)")
    .option("--workflow <id>", "the workflow to draw (default: the first one of the files, in their order)")
    .option("--scenario <name>", "mark the path of this scenario, and what no scenario of the workflow reaches")
    .addOption(
      repeatable(
        "--scenarios <path>",
        "with --scenario: the scenario files",
        "those next to the definition and in its project",
      ),
    )
    .option("--from <language>", `the source language: ${joinNames(registry.languages)} (default: detected)`)
    .addOption(repeatable("--option <key=value>", "an option of the source language, see `waybill list`"))
    .addOption(repeatable("--pick <name>", pickHelp, "all"))
    .option("--config <file>", "the configuration of all definitions (default: the nearest one above each)")
    .option("--strict", "treat warnings as errors")
    .option("--color", "always print in color")
    .option("--no-color", "never print in color")
    .action(async (paths: string[], flags: GraphFlags) =>
      done(await (await import("./graph.ts")).graph(paths, flags, terminal, registry)),
    );
}

function addEval(program: Command, { terminal, registry, done }: CliContext): void {
  program
    .command("eval")
    .description("evaluate an expression for a JSON document on standard input, or translate it")
    .argument("<expression>", "the expression, such as '.items | map(.price) | add'")
    .option("--in <language>", `the language of the expression: ${expressionLanguages.join(", ")}`, "jq")
    .option("--as <language>", `translate the expression instead: ${expressionForms(registry).join(", ")}`)
    .option("--compare", "also run the jq program in jq 1.8, and fail if the outputs differ")
    .addOption(new Option("--arg <name value>", "set a variable to a string; repeatable").argParser(collectPair))
    .option("-n, --null-input", "evaluate the expression for null instead of a document")
    .option("--strict", "with --in jsonpath: accept only RFC 9535")
    .option("--color", "always print in color")
    .option("--no-color", "never print in color")
    .action(async (text: string, flags: EvalFlags) =>
      done(await (await import("./eval.ts")).evaluateExpression(text, flags, terminal, registry)),
    );
}

function addCommonOptions(command: Command, registry: Registry): Command {
  return command
    .option("--from <language>", `the source language: ${joinNames(registry.languages)} (default: detected)`)
    .addOption(repeatable("--option <key=value>", "an option of the source language, see `waybill list`"))
    .addOption(repeatable("--pick <name>", pickHelp, "all"))
    .addOption(repeatable("--set <target.name=value>", "a setting of a target"))
    .option("--config <file>", "the configuration of all definitions (default: the nearest one above each)")
    .addOption(repeatable("--include <pattern>", "read only matching files in folders", "all"))
    .addOption(repeatable("--exclude <pattern>", "skip matching files in folders, as in a .gitignore"))
    .option("--strict", "treat warnings as errors")
    .option("--quiet", "print only diagnostics, not the skipped, written and fixed files")
    .option("--format <format>", "the format of diagnostics: text, json, github, sarif", "text")
    .option("--max-diagnostics <n>", "print only so many diagnostics, errors first (default: all)")
    .option("--color", "always print in color")
    .option("--no-color", "never print in color")
    .option("--max-bytes <count>", "the maximum size of a file (default: 4194304)")
    .addOption(new Option("--verify-each", "verify the program after each pass, to find bugs in Waybill"));
}

function addExplain(program: Command, { terminal, done }: CliContext): void {
  program
    .command("explain")
    .description("explain a diagnostic, or list those about some words, or all")
    .argument("[code-or-word...]", "the code, such as WB2001, or words")
    .option("--format <format>", "the output format: text, json", "text")
    .action(async (words: string[], flags: { format: string }) =>
      done(await (await import("./info.ts")).explain(words, flags, terminal)),
    );
}

function addList(program: Command, { terminal, registry, done }: CliContext): void {
  program
    .command("list")
    .description("list the source languages with their options, and the targets")
    .option("--format <format>", "the output format: text, json", "text")
    .action(async (flags: { format: string }) => done((await import("./info.ts")).list(flags, terminal, registry)));
}

function addLsp(program: Command, { terminal, registry, done }: CliContext): void {
  program
    .command("lsp")
    .description("serve the language server protocol to an editor, on standard input and output")
    .option("--stdio", "ignored: other transports are not supported")
    .action(async () => done(await (await import("./lsp.ts")).lsp(terminal, registry)));
}

function addPlayground(program: Command, { terminal, done }: CliContext): void {
  program
    .command("playground")
    .description("serve the playground, a page to try definitions and step through their runs")
    .option("--port <number>", "the port on 127.0.0.1; 0 selects a free one (default: 7030)")
    .action(async (flags: PlaygroundFlags) =>
      done(await (await import("./playground.ts")).playground(flags, terminal)),
    );
}

function addCompletion(program: Command, { terminal, registry, done }: CliContext): void {
  program
    .command("completion")
    .description("print a script that completes commands in a shell")
    .argument("<shell>", "bash, zsh or fish")
    .action(async (shell: string) =>
      done(await (await import("./completion/index.ts")).completion(shell, program, terminal, registry)),
    );
}

/**
 * Adds `waybill <target> <command>`, and `waybill <command>` if the name is unique. The help lists a target only if one
 * of its commands is not listed itself.
 */
function addTargetCommands(program: Command, context: CliContext): void {
  const { targets } = context.registry;
  const all = targets.flatMap(({ commands = [] }) => commands.map(({ name }) => name));
  for (const { name, commands = [] } of targets) {
    if (commands.length === 0) continue;
    const isTopLevel = (command: string): boolean =>
      all.filter((other) => other === command).length === 1 &&
      !program.commands.some((other) => other.name() === command);
    const listed = commands.filter((command) => isTopLevel(command.name));
    const group = program.command(name, { hidden: listed.length === commands.length });
    group.description(`commands of target ${name}`);
    for (const command of commands) addTargetCommand(group, command, context);
    for (const command of listed) addTargetCommand(program, command, context);
  }
}

function addTargetCommand(group: Command, { name, summary, run }: TargetCommand, { terminal, done }: CliContext): void {
  group
    .command(name)
    .description(summary)
    .argument("[arguments...]", "the arguments of the command")
    .allowUnknownOption()
    .helpOption(false)
    .action(async (args: string[]) => done(await run(args, terminal)));
}

type NameValuePair = readonly [name: string, value: string];

/** Parses a pair that `joinPairs` joined into one argument. */
function collectPair(pair: string, before: readonly NameValuePair[] = []): readonly NameValuePair[] {
  const [name, value] = JSON.parse(pair) as readonly string[];
  if (name === undefined || value === undefined)
    throw usageError("--arg requires a name and a value: `--arg name value`.");
  return [...before, [name, value]];
}
