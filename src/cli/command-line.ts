import { Command, Option } from "commander";
import type { TargetCommand } from "../target/contract.ts";
import { check } from "./check.ts";
import { type CompileChoices, compile } from "./compile.ts";
import type { EvalChoices } from "./eval.ts";
import type { FixChoices } from "./fix.ts";
import { formsOfExpressions, languagesOfExpressions, namesOf, type Registry, version } from "./registry.ts";
import type { RunChoices } from "./run.ts";
import { type ExitStatus, type Terminal, usage } from "./terminal.ts";
import type { TestChoices } from "./test.ts";

/** The commands and their options. A command tells its exit status to `done`. Those that builds do not use are loaded when they are called. */
export function commandLine(terminal: Terminal, registry: Registry, done: (status: ExitStatus) => void): Command {
  const program = new Command("waybill")
    .description("Compiles workflow definitions to where workflows run.")
    .version(version)
    .exitOverride()
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
      "\nExit status: 0 fine, 1 problems in definitions or files, 2 wrong usage, 3 a fault of Waybill.",
    );
  addCompile(program, { terminal, registry, done });
  addCheck(program, { terminal, registry, done });
  addRun(program, { terminal, registry, done });
  addTest(program, { terminal, registry, done });
  addEval(program, { terminal, registry, done });
  addExplain(program, { terminal, registry, done });
  addList(program, { terminal, registry, done });
  addCommandsOfTargets(program, { terminal, registry, done });
  return program;
}

const examples = `
For example:
  waybill check order.yaml                              is the definition right?
  waybill compile order.yaml --target asl               print what it becomes
  waybill compile flows --target asl --out machines     all definitions in a folder, into another
  waybill run order.yaml --input '{"id": 7}'            run it at once
  waybill explain WB2001                                what a diagnostic means`;

const definitions = "definitions: files, folders, patterns, or - for standard input";

/** What all commands have to do with. */
interface Surroundings {
  readonly terminal: Terminal;
  readonly registry: Registry;
  readonly done: (status: ExitStatus) => void;
}

const listed = (known: readonly { readonly name: string }[]): string => namesOf(known).join(", ");

function addCompile(program: Command, { terminal, registry, done }: Surroundings): void {
  const command = program
    .command("compile")
    .description("compile definitions for a target")
    .argument("<file...>", definitions)
    .option("-t, --target <target>", `what to compile to: ${listed(registry.targets)}`)
    .option("-o, --out <folder>", "where to write the files (default: standard output)")
    .option("--check", "write nothing; fail when the files in --out are not up to date")
    .option("--prune", "remove what was made in --out for this target of other definitions than these")
    .option("--force", "overwrite and remove files in --out that were changed since they were written")
    .option(
      "--keep-versions <n>",
      "how many earlier versions of each workflow to keep in --out for the runs that began with them, where the target has such; 3 when absent",
    )
    .option(
      "--stats",
      "tell on standard error how large it is what each workflow becomes, and what the scenarios beside it cost there",
    )
    .addOption(
      new Option(
        "--scenarios <path>",
        "with --stats: the scenario files to measure; may be repeated (default: those beside the definitions)",
      )
        .argParser(collect)
        .default([], "none"),
    )
    .option("--emit <stage>", "print a stage in between instead, which needs no target: ir")
    .option("--after <pass>", "with --emit ir and --target: print the program after a pass of that target");
  addChoices(command, registry).action(async (paths: string[], choices: CompileChoices) =>
    done(await compile(paths, choices, terminal, registry)),
  );
}

function addCheck(program: Command, { terminal, registry, done }: Surroundings): void {
  const command = program
    .command("check")
    .description("check definitions, and with a target whether it can express them")
    .argument("<file...>", definitions)
    .option("-t, --target <target>", `the target whose limits to check too: ${listed(registry.targets)}`)
    .option("--fix", "mend what is certain in the files, say what, and check what is left")
    .option("--dry-run", "with --fix: print a diff instead, and write nothing");
  addChoices(command, registry).action(async (paths: string[], choices: FixChoices) =>
    done(await check(paths, choices, terminal, registry)),
  );
}

function addRun(program: Command, { terminal, registry, done }: Surroundings): void {
  const command = program
    .command("run")
    .description("compile a workflow and run it here at once, durably with --store")
    .argument("<file...>", "the workflow's definition, then those of its subflows")
    .option("--input <json>", "the run's input: JSON, @ and a file, or - for standard input", "{}")
    .option("--workflow <id>", "which workflow to run (default: the first)")
    .addOption(
      new Option("--event <json>", "an event for the run: JSON, or @ and a file; may be repeated (default: none)")
        .argParser(collect)
        .default([], "none"),
    )
    .option(
      "--store <file>",
      "keep the run in this file: called again, the command goes on where it was (default: in memory)",
    )
    .option(
      "--id <id>",
      "the run's id (default: one of its own; with --store the same for the same workflow and input)",
    )
    .option("--timeout <seconds>", "stop after so many seconds, as by Ctrl-C (default: none)");
  addChoices(command, registry).action(async (paths: string[], choices: RunChoices) =>
    done(await (await import("./run.ts")).run(paths, choices, terminal, registry)),
  );
}

const onTargets = `
On a target a scenario fails too where the target does not do what the reference does. Coverage is measured on the reference,
over all files together. With --format junit it is printed to standard error.`;

function addTest(program: Command, { terminal, registry, done }: Surroundings): void {
  program
    .command("test")
    .description("run scenarios on virtual time")
    .argument("<file...>", "scenario files: files, folders, patterns, or - for standard input")
    .option("--on <runner>", `what to run them on: reference, ${listed(registry.targets)}, or all`, "reference")
    .option("--config <file>", "the configuration for all definitions (default: the nearest above each)")
    .option("--format <format>", "text, json or junit", "text")
    .option(
      "--coverage [percent]",
      "list the states (or steps) and transitions that no scenario reaches; with a share, fail below it",
    )
    .option("--color", "colours, also where there is no terminal")
    .option("--no-color", "no colours")
    .addHelpText("after", onTargets)
    .action(async (paths: string[], choices: TestChoices) =>
      done(await (await import("./test.ts")).test(paths, choices, terminal, registry)),
    );
}

function addEval(program: Command, { terminal, registry, done }: Surroundings): void {
  program
    .command("eval")
    .description("evaluate an expression for the JSON document on standard input, or print what it becomes")
    .argument("<expression>", "such as '.items | map(.price) | add'")
    .option("--in <language>", `the language of the expression: ${languagesOfExpressions.join(", ")}`, "jq")
    .option("--as <language>", `print what it becomes instead: ${formsOfExpressions(registry).join(", ")}`)
    .option("--compare", "run a program of jq in jq 1.8 itself too, and fail where the outputs differ")
    .addOption(
      new Option("--arg <name value>", "give a variable a text as its value; may be repeated")
        .argParser(collectPair)
        .default([], "none"),
    )
    .option("-n, --null-input", "read no document: the expression is evaluated for null")
    .option("--strict", "JSONPath exactly as RFC 9535 has it")
    .option("--color", "colours, also where there is no terminal")
    .option("--no-color", "no colours")
    .action(async (text: string, choices: EvalChoices) =>
      done(await (await import("./eval.ts")).evaluateExpression(text, choices, terminal, registry)),
    );
}

function addChoices(command: Command, registry: Registry): Command {
  return command
    .option("--from <language>", `the source language: ${listed(registry.languages)} (default: found by itself)`)
    .addOption(
      new Option(
        "--option <key=value>",
        "a choice that the language leaves to the user, see `waybill list`; may be repeated",
      )
        .argParser(collect)
        .default([], "none"),
    )
    .addOption(
      new Option("--set <target.name=value>", "a setting of a target; may be repeated")
        .argParser(collect)
        .default([], "none"),
    )
    .option("--config <file>", "the configuration for all definitions (default: the nearest above each)")
    .addOption(
      new Option("--include <pattern>", "of the files in folders take these only; may be repeated")
        .argParser(collect)
        .default([], "all"),
    )
    .addOption(
      new Option("--exclude <pattern>", "leave these files out, as in a .gitignore; may be repeated")
        .argParser(collect)
        .default([], "none"),
    )
    .option("--strict", "let warnings fail the command")
    .option("--quiet", "tell nothing but diagnostics: neither what was passed over nor what was written")
    .option("--format <format>", "how to print diagnostics: text, json, github, sarif", "text")
    .option("--color", "colours, also where there is no terminal")
    .option("--no-color", "no colours")
    .option("--max-bytes <count>", "refuse larger texts (default: 4194304)")
    .addOption(new Option("--verify-each", "verify the program after each pass, to find faults of Waybill").hideHelp());
}

function addExplain(program: Command, { terminal, done }: Surroundings): void {
  program
    .command("explain")
    .description("tell what a diagnostic means; without a code, list all")
    .argument("[code]", "such as WB2001")
    .action(async (code: string | undefined) => done((await import("./explain.ts")).explain(code, terminal)));
}

function addList(program: Command, { terminal, registry, done }: Surroundings): void {
  program
    .command("list")
    .description("list the source languages, their options, and the targets")
    .option("--format <format>", "text or json", "text")
    .action(async (choices: { format: string }) => done((await import("./list.ts")).list(choices, terminal, registry)));
}

/**
 * `waybill <target> <command> …` for the commands that targets have of their own, and `waybill <command> …` where only one target has it; they read their
 * arguments themselves.
 */
function addCommandsOfTargets(program: Command, surroundings: Surroundings): void {
  const { targets } = surroundings.registry;
  const all = targets.flatMap(({ commands = [] }) => commands.map(({ name }) => name));
  for (const { name, commands = [] } of targets) {
    if (commands.length === 0) continue;
    const group = program.command(name).description(`commands of target ${name}`);
    for (const command of commands) {
      addCommandOfTarget(group, command, surroundings);
      const isOnly = all.filter((other) => other === command.name).length === 1;
      if (isOnly && !program.commands.some((other) => other.name() === command.name))
        addCommandOfTarget(program, command, surroundings);
    }
  }
}

function addCommandOfTarget(
  group: Command,
  { name, summary, run }: TargetCommand,
  { terminal, done }: Surroundings,
): void {
  group
    .command(name)
    .description(summary)
    .argument("[arguments...]", "what the command takes")
    .allowUnknownOption()
    .helpOption(false)
    .action(async (args: string[]) => done(await run(args, terminal)));
}

type Pair = readonly [name: string, value: string];

/** The command line has been made to give both in one argument: see `joinPairs`. */
function collectPair(pair: string, before: readonly Pair[]): readonly Pair[] {
  const [name, value] = JSON.parse(pair) as readonly string[];
  if (name === undefined || value === undefined) throw usage("`--arg` takes a name and a value: `--arg name value`.");
  return [...before, [name, value]];
}

const collect = (value: string, before: readonly string[]): readonly string[] => [...before, value];
