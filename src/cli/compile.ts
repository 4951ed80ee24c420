import type { Compilation } from "../compile.ts";
import { printProgram } from "../ir/print.ts";
import { programOf } from "../ir/workflow.ts";
import type { PassRun } from "../passes/index.ts";
import type { Target } from "../target/contract.ts";
import { failsWith, formats, printDiagnostics } from "./diagnostics.ts";
import { type CommonFlags, requireOneOf } from "./flags.ts";
import { findTarget, readInput, resolveFromOutput } from "./input.ts";
import { compileWithProgress } from "./progress.ts";
import { namesOf, type Registry } from "./registry.ts";
import { type ExitStatus, type Terminal, usageError } from "./terminal.ts";

/** The flags of `waybill compile`. */
export interface CompileFlags extends CommonFlags {
  readonly out?: string;
  readonly check?: boolean;
  readonly emit?: string;
  /** With `emit`: the pass after which to print the IR. */
  readonly after?: string;
  readonly stats?: boolean;
  /** Default: those next to the definitions. */
  readonly scenarios?: readonly string[];
  readonly prune?: boolean;
  readonly force?: boolean;
  /** Default: 3. */
  readonly keepVersions?: string;
}

/** Runs `waybill compile`: writes to `--out`, or prints the main file of a single workflow. */
export async function compile(
  paths: readonly string[],
  flags: CompileFlags,
  terminal: Terminal,
  registry: Registry,
): Promise<ExitStatus> {
  const target = await resolveTarget(flags, registry);
  const inputs = await readInput(paths, flags, target, terminal, registry);
  const passes: PassRun[] = [];
  const observes = flags.stats === true || flags.after !== undefined;
  const observed = observes ? { ...inputs, afterPass: (run: PassRun) => void passes.push(run) } : inputs;
  const input = flags.out === undefined ? observed : { ...observed, ...resolveFromOutput(flags.out, terminal) };
  const compilation = await compileWithProgress(input, registry.languages, target, terminal);
  const fails = failsWith(compilation.diagnostics, flags) || !compilation.program;
  const dumped = passes.filter(({ pass }) => pass === flags.after).flatMap(({ workflows }) => workflows);
  // Useful even if a later step reports errors.
  if (dumped.length > 0) terminal.out(printProgram(programOf(dumped)));
  if (flags.out !== undefined && target && !fails) {
    const { writeToFolder } = await import("./output.ts");
    return writeToFolder(flags.out, compilation, target, passes, flags, terminal, registry);
  }
  const status = await printDiagnostics(compilation.diagnostics, flags, terminal, flags.out === undefined);
  if (fails || !compilation.program) return status;
  if (flags.stats && target)
    await (await import("./stats.ts")).printMetrics(compilation, target, passes, flags, terminal, registry);
  if (flags.after !== undefined) return status;
  terminal.out(flags.emit === undefined ? primaryFile(compilation) : printProgram(compilation.program));
  return status;
}

async function resolveTarget(
  { target, out, check, prune, force, keepVersions, stats, scenarios = [], emit, after, format }: CompileFlags,
  registry: Registry,
): Promise<Target | undefined> {
  requireOneOf("--format", format, formats);
  if (emit !== undefined) requireOneOf("--emit", emit, ["ir"]);
  if (out === "") throw usageError("--out must not be empty.");
  if (stats && target === undefined) throw usageError("--stats requires --target.");
  if (scenarios.length > 0 && !stats) throw usageError("--scenarios requires --stats.");
  for (const [option, isGiven] of Object.entries({ check, prune, force, "keep-versions": keepVersions !== undefined }))
    if (isGiven && out === undefined) throw usageError(`--${option} requires --out.`);
  if (force && check) throw usageError("--force cannot be combined with --check, which writes nothing.");
  if (keepVersions !== undefined && !/^\d{1,4}$/.test(keepVersions))
    throw usageError(`--keep-versions must be an integer, not \`${keepVersions}\`.`);
  if (emit !== undefined && out !== undefined)
    throw usageError("--emit cannot be combined with --out, because it prints to standard output.");
  if (after !== undefined && emit === undefined) throw usageError("--after requires --emit ir.");
  if (after !== undefined && target === undefined)
    throw usageError("--after requires --target, because each target has its own passes.");
  if (target !== undefined) {
    const found = findTarget("--target", target, registry);
    if (after !== undefined) requireOneOf("--after", after, (await found.loadPasses?.()) ?? []);
    return found;
  }
  if (emit !== undefined) return undefined;
  throw usageError(`--target is required: ${namesOf(registry.targets).join(", ")}.`);
}

/** The other files only document it. */
function primaryFile({ files, program }: Compilation): string {
  const count = program?.workflows.length ?? 0;
  if (count === 1) return files[0]!.text;
  throw usageError(`Standard output holds one workflow, but there are ${count}. Use --out to write them to a folder.`);
}
