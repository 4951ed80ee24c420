import { type Compilation, checkWith, compileWith } from "../compile.ts";
import type { OutputFile, WorkflowMetric } from "../target/contract.ts";
import type { Diagnostic } from "../text/diagnostics.ts";
import { checkOptions, checkRules, targetNamed } from "./arguments.ts";
import type { CheckOptions, CompileOptions } from "./options.ts";
import { openProgram } from "./program.ts";

/** What was found in definitions. */
export interface CheckResult {
  /** Whether no diagnostic is an error. */
  readonly ok: boolean;
  /** In the order of the sources, then by position. */
  readonly diagnostics: readonly Diagnostic[];
}

/** The output of a target. */
export interface CompileResult extends CheckResult {
  /** Empty if any diagnostic is an error. The files of workflows come first, by their ids. */
  readonly files: readonly OutputFile[];
  /** Measurements of the output, such as the number of states. */
  readonly metrics: readonly WorkflowMetric[];
}

/**
 * Checks definitions, and the limits of a target if one is given. Mistakes in them are diagnostics; rejects only for
 * invalid options.
 */
export async function check(options: CheckOptions): Promise<CheckResult> {
  checkOptions(options, checkRules);
  const { diagnostics } = await compileProgram(options);
  return { ok: !hasErrors(diagnostics), diagnostics };
}

/** Compiles definitions for a target. Mistakes in them are diagnostics; rejects only for invalid options. */
export async function compile(options: CompileOptions): Promise<CompileResult> {
  checkOptions(options, { ...checkRules, target: { ...checkRules.target, isRequired: true } });
  const { files, metrics, diagnostics } = await compileProgram(options);
  return { ok: !hasErrors(diagnostics), files, metrics, diagnostics };
}

/** Compiles for a target, or checks if none is given. */
export async function compileProgram(options: CheckOptions): Promise<Compilation> {
  const { registry, run } = await openProgram(options);
  const target = options.target === undefined ? undefined : targetNamed(options.target, registry);
  return run((input) => compileWith(input, registry.languages, target));
}

/** Checks the definitions of a call that needs their program. */
export async function checkProgram(options: CheckOptions): Promise<Compilation> {
  const { registry, run } = await openProgram(options);
  return run((input) => checkWith(input, registry.languages));
}

/** Whether a diagnostic is an error. */
export const hasErrors = (diagnostics: readonly Diagnostic[]): boolean =>
  diagnostics.some(({ severity }) => severity === "error");
