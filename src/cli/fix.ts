import { writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { compileWith, type Input } from "../compile.ts";
import { describeErrno } from "../errno.ts";
import type { Language } from "../language.ts";
import type { Target } from "../target/contract.ts";
import type { Diagnostic } from "../text/diagnostics.ts";
import { applyFixes } from "../text/fix.ts";
import { lineText, positionOf, type Source } from "../text/source.ts";
import type { Choices } from "./choices.ts";
import { printDiagnostics } from "./diagnostics.ts";
import { type ExitStatus, failure, type Terminal, usage } from "./terminal.ts";

/** `dryRun`: the mends are printed as a diff, and no file is written. */
export interface FixChoices extends Choices {
  readonly fix?: boolean;
  readonly dryRun?: boolean;
}

/** A mend can uncover what it hid. More rounds than this find nothing new. */
const mostRounds = 10;

/**
 * `waybill check --fix`: takes away the faults whose mend is certain, changing nothing else in the files, says which, and then what is left. Fails as a
 * check of the files as they then are would.
 */
export async function fix(
  input: Input,
  choices: FixChoices,
  languages: readonly Language[],
  target: Target | undefined,
  terminal: Terminal,
): Promise<ExitStatus> {
  if (input.sources.some(({ path }) => path === "<stdin>")) throw usage("--fix changes files; standard input is none.");
  const { diagnostics, sources, applied } = await mendedSources(input, languages, target);
  for (const diagnostic of applied) terminal.err(`${lineOf(diagnostic)}\n`);
  for (const [i, before] of input.sources.entries()) {
    const after = sources[i]!;
    if (after.text === before.text) continue;
    if (choices.dryRun) terminal.out(diffOf(before, after));
    else write(after, terminal.cwd);
  }
  terminal.err(`${summary(applied.length, choices.dryRun === true)}\n`);
  return printDiagnostics(diagnostics, choices, terminal, choices.dryRun);
}

/** The sources after all mends, which diagnostics are taken away by that, and which are left. */
async function mendedSources(input: Input, languages: readonly Language[], target: Target | undefined) {
  let sources = input.sources;
  const applied: Diagnostic[] = [];
  for (let round = 1; ; round += 1) {
    const originals = new Map(sources.map((source, i) => [source, input.sources[i]!]));
    const configurationOf = (source: Source) => input.configurationOf?.(originals.get(source) ?? source);
    const { diagnostics } = await compileWith({ ...input, sources, configurationOf }, languages, target);
    const found = sources.map((source) =>
      applyFixes(
        source,
        diagnostics.filter(({ span }) => span.source === source),
      ),
    );
    const taken = found.flatMap((each) => each.applied);
    if (taken.length === 0 || round > mostRounds) return { sources, diagnostics, applied };
    applied.push(...taken);
    sources = sources.map(({ path }, i) => ({ path, text: found[i]!.text }));
  }
}

function write({ path, text }: Source, cwd: string): void {
  try {
    writeFileSync(resolve(cwd, path), text);
  } catch (error) {
    throw failure(`${path} cannot be written: ${describeErrno(error) ?? (error as Error).message}.`);
  }
}

/** `order.yaml:3:10: mended WB1004: …`, with what stands there now. */
function lineOf({ code, message, span, fix: mend = [] }: Diagnostic): string {
  const { line, column } = positionOf(span.source, span.start);
  const [edit] = mend;
  const written = edit && edit.text.trim() !== "" ? ` Now \`${edit.text}\`.` : "";
  return `${span.source.path}:${line}:${column}: mended ${code}: ${message}${written}`;
}

const summary = (count: number, isDry: boolean): string => {
  const faults = count === 1 ? "1 fault" : `${count} faults`;
  return isDry ? `${faults} would be mended; nothing was written.` : `${faults} mended.`;
};

/** A unified diff without context. Mends leave lines where they are, unless they put a value that goes over several on one. */
function diffOf(before: Source, after: Source): string {
  const [old, now] = [before.text.split("\n"), after.text.split("\n")];
  const head = `--- ${before.path}\n+++ ${before.path}\n`;
  if (old.length !== now.length)
    return `${head}@@ -1,${old.length} +1,${now.length} @@\n${marked("-", old)}${marked("+", now)}`;
  const hunks = old.flatMap((line, i) =>
    line === now[i] ? [] : [`@@ -${i + 1} +${i + 1} @@\n-${lineText(before, i + 1)}\n+${lineText(after, i + 1)}\n`],
  );
  return `${head}${hunks.join("")}`;
}

const marked = (sign: string, lines: readonly string[]): string => lines.map((line) => `${sign}${line}\n`).join("");
