import type { Input } from "../compile.ts";
import type { Program } from "../ir/workflow.ts";
import type { Diagnostic } from "../text/diagnostics.ts";
import { failsWith } from "./diagnostics.ts";
import type { CommonFlags } from "./flags.ts";
import { plural } from "./progress.ts";
import type { Terminal } from "./terminal.ts";

/** The number of definitions. Files such as templates have several. */
export const countDefinitions = ({ sources }: Input, program: Program | undefined): number =>
  program?.workflows.length ?? sources.length;

/** Prints what was checked without errors, on a terminal only: in scripts, a successful check is silent. */
export function printChecked(
  definitions: number,
  start: number,
  diagnostics: readonly Diagnostic[],
  flags: Pick<CommonFlags, "quiet" | "format" | "strict">,
  { err, progressColumns }: Terminal,
): void {
  if (progressColumns === undefined || flags.quiet || flags.format !== "text" || failsWith(diagnostics, flags)) return;
  err(`Checked ${plural(definitions, "definition")} in ${((performance.now() - start) / 1000).toFixed(2)} s.\n`);
}
