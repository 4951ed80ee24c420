import { analyse } from "../../../src/analysis/index.ts";
import { assertVariables } from "../../../src/analysis/variables.ts";
import type { Workflow } from "../../../src/ir/workflow.ts";
import { programOf } from "../../../src/program.ts";
import type { Diagnostic } from "../../../src/text/diagnostics.ts";

/** What the analysis finds in a workflow by itself; throws where it uses variables that it has not. */
export function findings(workflow: Workflow): readonly string[] {
  const found: Diagnostic[] = [];
  const program = programOf([workflow]);
  for (const workflow of program.workflows) assertVariables(workflow);
  analyse(program, (diagnostic) => found.push(diagnostic));
  return found.map(({ code, message }) => `${code} ${message}`);
}
