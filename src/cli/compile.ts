import { type Compilation, compileWith } from "../compile.ts";
import { printProgram } from "../ir/print.ts";
import { programOf } from "../ir/program.ts";
import type { PassRun } from "../passes/index.ts";
import type { Target } from "../target/contract.ts";
import { type Choices, oneOf } from "./choices.ts";
import { failsWith, formats, printDiagnostics } from "./diagnostics.ts";
import { placedIn, readInput, targetNamed } from "./input.ts";
import { namesOf, type Registry } from "./registry.ts";
import { type ExitStatus, type Terminal, usage } from "./terminal.ts";

/** The options of `waybill compile`. */
export interface CompileChoices extends Choices {
  readonly out?: string;
  readonly check?: boolean;
  readonly emit?: string;
  /** With `emit`: the pass of the target after which the IR is printed. */
  readonly after?: string;
  readonly stats?: boolean;
  /** The scenario files that are measured; empty: those beside the definitions. */
  readonly scenarios?: readonly string[];
  /** Whether what was made of other definitions goes from the folder. */
  readonly prune?: boolean;
  /** Whether files are overwritten that were changed since they were written. */
  readonly force?: boolean;
  /** How many earlier versions of each workflow are kept, as it is written; 3 when absent. */
  readonly keepVersions?: string;
}

/**
 * `waybill compile`: compiles definitions for a target and writes the files to the folder `--out`; without it the one machine or program
 * that came of it to standard output. When the diagnostics fail the command, nothing is written.
 */
export async function compile(
  paths: readonly string[],
  choices: CompileChoices,
  terminal: Terminal,
  registry: Registry,
): Promise<ExitStatus> {
  const target = targetOf(choices, registry);
  const given = await readInput(paths, choices, target, terminal, registry);
  const passes: PassRun[] = [];
  const observes = choices.stats === true || choices.after !== undefined;
  const observed = observes ? { ...given, afterPass: (run: PassRun) => void passes.push(run) } : given;
  const input = choices.out === undefined ? observed : { ...observed, ...placedIn(choices.out, terminal) };
  const compilation = await compileWith(input, registry.languages, target);
  const fails = failsWith(compilation.diagnostics, choices) || !compilation.program;
  const dumped = passes.filter(({ pass }) => pass === choices.after).flatMap(({ workflows }) => workflows);
  // If a later step reports errors, the program after an earlier pass is still of use.
  if (dumped.length > 0) terminal.out(printProgram(programOf(dumped)));
  if (choices.out !== undefined && target && !fails) {
    const { deliverTo } = await import("./delivery.ts");
    return deliverTo(choices.out, compilation, target, passes, choices, terminal, registry);
  }
  const status = await printDiagnostics(compilation.diagnostics, choices, terminal, choices.out === undefined);
  if (fails || !compilation.program) return status;
  if (choices.stats && target)
    await (await import("./statistics.ts")).tellFigures(compilation, target, passes, choices, terminal, registry);
  if (choices.after !== undefined) return status;
  terminal.out(choices.emit === undefined ? primaryText(compilation) : printProgram(compilation.program));
  return status;
}

/** The target, and whether the options make sense together; before anything is read. */
function targetOf(
  { target, out, check, prune, force, keepVersions, stats, scenarios = [], emit, after, format }: CompileChoices,
  registry: Registry,
): Target | undefined {
  oneOf("--format", format, formats);
  if (emit !== undefined) oneOf("--emit", emit, ["ir"]);
  if (out === "") throw usage("--out cannot be empty; it is a folder.");
  if (stats && target === undefined) throw usage("--stats needs --target: it tells how much is made.");
  if (scenarios.length > 0 && !stats) throw usage("--scenarios needs --stats: it says what is measured.");
  for (const [option, isGiven] of Object.entries({ check, prune, force, "keep-versions": keepVersions !== undefined }))
    if (isGiven && out === undefined)
      throw usage(`--${option} needs --out: the folder ${ofOut[option as keyof typeof ofOut]}.`);
  if (keepVersions !== undefined && !/^\d{1,4}$/.test(keepVersions))
    throw usage(`--keep-versions cannot be \`${keepVersions}\`; it is a whole number.`);
  if (emit !== undefined && out !== undefined)
    throw usage("--emit prints to standard output and cannot be combined with --out.");
  if (after !== undefined && emit === undefined) throw usage("--after needs --emit ir.");
  if (after !== undefined && target === undefined)
    throw usage("--after needs --target, because each target has its own passes.");
  if (target !== undefined) {
    const found = targetNamed("--target", target, registry);
    if (after !== undefined) oneOf("--after", after, found.passes ?? []);
    return found;
  }
  if (emit !== undefined) return undefined;
  throw usage(`Say with --target what to compile to: ${namesOf(registry.targets).join(", ")}.`);
}

const ofOut = {
  check: "whose files are compared",
  prune: "from which files of other definitions go",
  force: "in which files that were changed are overwritten",
  "keep-versions": "in which earlier versions of workflows are kept",
} as const;

/** What one workflow was compiled to: the first of its files; the others only help to read that one. */
function primaryText({ files, program }: Compilation): string {
  const count = program?.workflows.length ?? 0;
  if (count === 1) return files[0]!.text;
  throw usage(`${count} workflows do not fit on standard output: say with --out where to write the files.`);
}
