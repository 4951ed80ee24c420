import { writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { compileWith, type Input } from "../compile.ts";
import { applySafeFixes } from "../documents/fixes.ts";
import { describeErrno } from "../errno.ts";
import type { Language } from "../language.ts";
import type { Target } from "../target/contract.ts";
import type { Diagnostic } from "../text/diagnostics.ts";
import { lineText, positionOf, type Source } from "../text/source.ts";
import { countDefinitions, printChecked } from "./check-summary.ts";
import { printDiagnostics, uniqueDiagnostics } from "./diagnostics.ts";
import type { CommonFlags } from "./flags.ts";
import { findTarget, readInput, readInputFiles } from "./input.ts";
import { compileWithProgress, plural } from "./progress.ts";
import { findCurrentProjects } from "./projects.ts";
import type { Registry } from "./registry.ts";
import { commandFailure, type ExitStatus, type Terminal, usageError } from "./terminal.ts";

/** The flags of `waybill check`. */
export interface CheckFlags extends CommonFlags {
  readonly fix?: boolean;
  /** With `fix`: print a diff instead of writing files. */
  readonly dryRun?: boolean;
}

/** Runs `waybill check`. Writes files only with `--fix`. */
export async function check(
  paths: readonly string[],
  flags: CheckFlags,
  terminal: Terminal,
  registry: Registry,
): Promise<ExitStatus> {
  const target = flags.target === undefined ? undefined : findTarget("--target", flags.target, registry);
  if (flags.dryRun && !flags.fix) throw usageError("--dry-run requires --fix.");
  if (flags.dryRun && flags.format !== "text") throw usageError("--dry-run requires --format text: it prints a diff.");
  if (paths.length === 0 && flags.fix) return fixProjects(flags, terminal, registry);
  if (paths.length === 0) return (await import("./build.ts")).checkProjects(flags, terminal, registry);
  const start = performance.now();
  const input = await readInput(paths, flags, target, terminal, registry);
  if (flags.fix) return fix(input, flags, registry.languages, target, terminal);
  const { program, diagnostics } = await compileWithProgress(input, registry.languages, target, terminal);
  const status = await printDiagnostics(diagnostics, flags, terminal);
  printChecked(countDefinitions(input, program), start, diagnostics, flags, terminal);
  return status;
}

/** Fixes can uncover further problems. */
const maxRounds = 10;

async function fix(
  input: Input,
  flags: CheckFlags,
  languages: readonly Language[],
  target: Target | undefined,
  terminal: Terminal,
): Promise<ExitStatus> {
  if (input.sources.some(({ path }) => path === "<stdin>")) throw usageError("--fix cannot change standard input.");
  const fixed = await fixSources(input, languages, target);
  changeFiles(input.sources, fixed.sources, flags, terminal);
  return reportFixes(fixed.applied, fixed.diagnostics, flags, terminal);
}

/** Fixes the definitions of the projects, also for their targets. */
async function fixProjects(flags: CheckFlags, terminal: Terminal, registry: Registry): Promise<ExitStatus> {
  const applied: Diagnostic[] = [];
  const remaining: Diagnostic[] = [];
  for (const project of await findCurrentProjects(flags.config, terminal, registry)) {
    const { languages, targets } = project.registry;
    const given = flags.target === undefined ? undefined : findTarget("--target", flags.target, project.registry);
    const input = await readInputFiles(project, { ...flags, quiet: true }, given, terminal, project.registry);
    const wanted = project.project.outputs.map((output) => output.target);
    const chosen = targets.filter(({ name }) => wanted.includes(name) && [name, undefined].includes(flags.target));
    let fixed: FixedSources = { sources: input.sources, diagnostics: [], applied: [] };
    for (const target of chosen.length === 0 ? [undefined] : chosen) {
      const found = await fixSources(replaceSources(input, fixed.sources), languages, target);
      fixed = { ...found, diagnostics: [...fixed.diagnostics, ...found.diagnostics] };
      applied.push(...found.applied);
    }
    changeFiles(input.sources, fixed.sources, flags, terminal);
    remaining.push(...fixed.diagnostics);
  }
  if (flags.dryRun) return reportFixes(applied, uniqueDiagnostics(remaining), flags, terminal);
  listFixes(applied, flags, terminal);
  return (await import("./build.ts")).checkProjects(flags, terminal, registry);
}

/** Prints the changes of files, or writes them. */
function changeFiles(
  before: readonly Source[],
  after: readonly Source[],
  { dryRun }: CheckFlags,
  terminal: Terminal,
): void {
  for (const [i, source] of before.entries()) {
    const changed = after[i]!;
    if (changed.text === source.text) continue;
    if (dryRun) terminal.out(renderDiff(source, changed));
    else write(changed, terminal.cwd);
  }
}

function reportFixes(
  applied: readonly Diagnostic[],
  remaining: readonly Diagnostic[],
  flags: CheckFlags,
  terminal: Terminal,
): Promise<ExitStatus> {
  listFixes(applied, flags, terminal);
  return printDiagnostics(remaining, flags, terminal, flags.dryRun);
}

function listFixes(applied: readonly Diagnostic[], { dryRun, quiet }: CheckFlags, { err }: Terminal): void {
  if (quiet) return;
  for (const diagnostic of applied) err(`${renderFix(diagnostic)}\n`);
  const problems = applied.length === 0 ? "No problems" : plural(applied.length, "problem");
  err(dryRun ? `${problems} can be fixed; no files were changed.\n` : `${problems} fixed.\n`);
}

/** The fixed sources, what remains wrong with them, and the diagnostics whose fixes were applied. */
export interface FixedSources {
  readonly sources: readonly Source[];
  readonly diagnostics: readonly Diagnostic[];
  readonly applied: readonly Diagnostic[];
}

/** Applies the fixes of all diagnostics, and of those that they uncover. */
export async function fixSources(
  input: Input,
  languages: readonly Language[],
  target: Target | undefined,
): Promise<FixedSources> {
  let sources = input.sources;
  const applied: Diagnostic[] = [];
  const seen = new Set<string>();
  for (let round = 1; ; round += 1) {
    const { diagnostics } = await compileWith(replaceSources(input, sources), languages, target);
    const results = sources.map((source) =>
      applySafeFixes(
        source,
        diagnostics.filter((each) => each.span.source === source && !seen.has(fixKey(each))),
      ),
    );
    const fixed = results.flatMap((result) => result.applied);
    for (const each of fixed) seen.add(fixKey(each));
    if (fixed.length === 0 || round > maxRounds) return { sources, diagnostics, applied };
    applied.push(...fixed);
    sources = sources.map(({ path }, i) => ({ path, text: results[i]!.text }));
  }
}

/** An input with changed sources, which have the configurations of the original ones. */
function replaceSources(input: Input, sources: readonly Source[]): Input {
  const originals = new Map(sources.map((source, i) => [source, input.sources[i]!]));
  return { ...input, sources, configurationOf: (source) => input.configurationOf?.(originals.get(source) ?? source) };
}

/** A fix whose diagnostic comes back at the same place did not fix it. */
function fixKey({ span, code }: Diagnostic): string {
  const { line, column } = positionOf(span.source, span.start);
  return JSON.stringify([span.source.path, line, column, code]);
}

function write({ path, text }: Source, cwd: string): void {
  try {
    writeFileSync(resolve(cwd, path), text);
  } catch (error) {
    throw commandFailure(`Cannot write ${path}: ${describeErrno(error) ?? (error as Error).message}.`);
  }
}

function renderFix({ code, message, span, fix: edits = [] }: Diagnostic): string {
  const { line, column } = positionOf(span.source, span.start);
  const [edit] = edits;
  const replacement = edit && edit.text.trim() !== "" ? ` Now \`${edit.text}\`.` : "";
  return `${span.source.path}:${line}:${column}: fixed ${code}: ${message}${replacement}`;
}

/** Fixes keep the number of lines, except if they join a value into one line. */
function renderDiff(before: Source, after: Source): string {
  const [old, now] = [before.text.split("\n"), after.text.split("\n")];
  const head = `--- ${before.path}\n+++ ${before.path}\n`;
  if (old.length !== now.length)
    return `${head}@@ -1,${old.length} +1,${now.length} @@\n${prefixLines("-", old)}${prefixLines("+", now)}`;
  const hunks = old.flatMap((line, i) =>
    line === now[i] ? [] : [`@@ -${i + 1} +${i + 1} @@\n-${lineText(before, i + 1)}\n+${lineText(after, i + 1)}\n`],
  );
  return `${head}${hunks.join("")}`;
}

const prefixLines = (sign: string, lines: readonly string[]): string =>
  lines.map((line) => `${sign}${line}\n`).join("");
