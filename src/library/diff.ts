import { diffPrograms } from "../diff/compare.ts";
import { renderDiffMarkdown } from "../diff/markdown.ts";
import type { ProgramDiff } from "../diff/model.ts";
import { renderDiff } from "../diff/text.ts";
import { checkOptions, checkRules, signalRule } from "./arguments.ts";
import { type CheckResult, checkProgram, hasErrors } from "./compile.ts";
import type { CheckOptions } from "./options.ts";

/** Two versions of workflows, also in different languages. */
export interface DiffOptions {
  readonly old: CheckOptions;
  readonly new: CheckOptions;
  /** The form of `text`. Default: `text`. */
  readonly format?: "text" | "markdown";
  readonly signal?: AbortSignal;
}

/** The differences between two versions. */
export interface DiffResult extends CheckResult {
  /** Undefined if one version has errors, which are in `diagnostics`. */
  readonly diff?: ProgramDiff | undefined;
  /** The differences in words. */
  readonly text?: string | undefined;
}

const sideRule = {
  wanted: "an object with `sources`",
  isRequired: true,
  fits: (value: unknown) => value instanceof Object,
};

const rules = {
  old: sideRule,
  new: sideRule,
  format: { wanted: "`text` or `markdown`", fits: (value: unknown) => value === "text" || value === "markdown" },
  signal: signalRule,
};

/**
 * Compares the meaning of two versions: spelling, order and comments make no difference. Rejects only for invalid
 * options.
 */
export async function diff(options: DiffOptions): Promise<DiffResult> {
  checkOptions(options, rules);
  const { signal, format = "text" } = options;
  const sides = [options.old, options.new].map((side) => (signal ? { signal, ...side } : side));
  for (const side of sides) checkOptions(side, checkRules);
  const [old, created] = await Promise.all(sides.map(checkProgram));
  const diagnostics = [...old!.diagnostics, ...created!.diagnostics];
  if (!old?.program || !created?.program || hasErrors(diagnostics)) return { ok: false, diagnostics };
  const found = diffPrograms(old.program, created.program);
  const text =
    format === "text"
      ? renderDiff(found)
      : renderDiffMarkdown({ ...found, scenarios: [], stats: [] }, old.program, created.program);
  return { ok: true, diagnostics, diff: found, text };
}
