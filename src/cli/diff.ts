import { checkWith, type Input } from "../compile.ts";
import { visible } from "../diagnostics/renderers/text.ts";
import { diffPrograms } from "../diff/compare.ts";
import { renderDiffMarkdown } from "../diff/markdown.ts";
import { hasDifferences, renderDiffJson, renderScenarios } from "../diff/report.ts";
import { renderStats } from "../diff/stats.ts";
import { renderDiff } from "../diff/text.ts";
import type { Program } from "../ir/workflow.ts";
import { mergeOptions } from "../languages/options.ts";
import type { Options } from "../options.ts";
import { printDiagnostics } from "./diagnostics.ts";
import { commonOptions, compareScenarios, findComparedScenarios } from "./diff-scenarios.ts";
import { measureSides } from "./diff-stats.ts";
import { type CommonFlags, requireOneOf } from "./flags.ts";
import { findTarget, readInput } from "./input.ts";
import type { Registry } from "./registry.ts";
import { pathAtRevision, readRevision } from "./revisions.ts";
import { CommandError, type ExitStatus, exit, outputColor, type Terminal, usageError } from "./terminal.ts";

/** The flags of `waybill diff`. */
export interface DiffFlags extends Pick<CommonFlags, "from" | "option" | "pick" | "config" | "color"> {
  readonly format: string;
  /** The paths of scenario files, or true for those of the definitions. */
  readonly scenarios?: readonly string[] | boolean;
  readonly stats?: boolean;
  /** With `stats`. */
  readonly target?: string;
}

/** The definitions of one side. */
export interface DiffInput {
  /** The argument. */
  readonly name: string;
  /** The Git revision that the argument names. */
  readonly revision?: string | undefined;
  readonly input: Input;
}

/** One of the compared programs. */
export interface DiffSide extends DiffInput {
  readonly program: Program;
}

/** Runs `waybill diff`: status 0 without differences, 1 with differences, 2 if a definition has errors. */
export async function diff(
  [oldPath, newPath]: readonly [old: string, created: string],
  flags: DiffFlags,
  given: Terminal,
  registry: Registry,
): Promise<ExitStatus> {
  const terminal = { ...given, color: flags.color ?? given.color };
  const format = requireOneOf("--format", flags.format, ["text", "json", "markdown"]);
  if (flags.target !== undefined && !flags.stats) throw usageError("--target requires --stats.");
  const target = findTarget("--target", flags.target ?? "asl", registry);
  const inputs = [
    await readSide(pathAtRevision(oldPath, newPath, terminal.cwd), flags, terminal, registry),
    await readSide(newPath, flags, terminal, registry),
  ] as const;
  const files = await findComparedScenarios(inputs, flags, terminal, registry);
  if (!files) return exit.usage;
  const options = commonOptions(files);
  const old = await checkSide(inputs[0], options, terminal, registry);
  const created = await checkSide(inputs[1], options, terminal, registry);
  if (!old || !created) return exit.usage;
  const found = diffPrograms(old.program, created.program, { old: old.revision, new: created.revision });
  const scenarios = await compareScenarios([old, created], files, registry);
  const stats = flags.stats ? await measureSides([old, created], target, files, registry) : [];
  const report = { ...found, scenarios, stats };
  switch (format) {
    case "json":
      terminal.out(renderDiffJson(report));
      break;
    case "markdown":
      terminal.out(renderDiffMarkdown(report, old.program, created.program));
      break;
    case "text": {
      const color = outputColor(flags.color, given);
      const parts = [renderDiff(found, { color }), renderScenarios(scenarios), renderStats(stats)];
      terminal.out(parts.filter((part) => part !== "").join("\n"));
    }
  }
  return hasDifferences(found, scenarios) ? exit.problems : exit.success;
}

/** Reads the definitions of one side. */
async function readSide(path: string, flags: DiffFlags, terminal: Terminal, registry: Registry): Promise<DiffInput> {
  const { target: _, scenarios: __, stats: ___, ...own } = flags;
  const revision = readRevision(path, terminal.cwd);
  const inputFlags = { ...own, ...printed };
  const input = await readInput(revision ? [] : [path], inputFlags, undefined, terminal, registry, revision).catch(
    (error: unknown) => {
      throw error instanceof CommandError ? usageError(error.message) : error;
    },
  );
  return { name: path, revision: revision?.name, input };
}

const printed = { format: "text", quiet: true };

/**
 * Checks one side with the options of the scenarios, which flags override; prints the diagnostics and returns undefined
 * if its definitions have errors.
 */
async function checkSide(
  { input: given, ...side }: DiffInput,
  options: Options,
  terminal: Terminal,
  registry: Registry,
): Promise<DiffSide | undefined> {
  const input = { ...given, options: mergeOptions(options, given.options) };
  const { program, diagnostics } = await checkWith(input, registry.languages);
  const errors = diagnostics.filter(({ severity }) => severity === "error");
  if (program && errors.length === 0) return { ...side, input, program };
  if (side.revision !== undefined) terminal.err(`At revision ${visible(side.revision)}:\n`);
  await printDiagnostics(errors, printed, terminal);
  return undefined;
}
