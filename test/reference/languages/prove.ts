import { analyzeProgram } from "../../../src/analysis/index.ts";
import { programOf } from "../../../src/ir/program.ts";
import { assertWellFormed } from "../../../src/ir/verify.ts";
import type { Workflow } from "../../../src/ir/workflow.ts";
import type { Diagnostic } from "../../../src/text/diagnostics.ts";

/** Returns the findings of the analysis. Throws if the workflow is not well formed. */
export function findings(workflow: Workflow): readonly string[] {
  const found: Diagnostic[] = [];
  const program = programOf([workflow]);
  for (const workflow of program.workflows) assertWellFormed(workflow, "lowering");
  analyzeProgram(program, (diagnostic) => found.push(diagnostic));
  return found.map(({ code, message }) => `${code} ${message}`);
}
