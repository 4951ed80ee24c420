import { fileNames } from "../../src/ir/names.ts";
import type { Program } from "../../src/ir/workflow.ts";
import type { OutputFile, Settings } from "../../src/target/contract.ts";
import type { Report } from "../../src/text/diagnostics.ts";
import { nativeComposition } from "./composition.ts";
import { type CompiledWorkflow, deploymentOf, projectFiles } from "./deploy/index.ts";
import { bindActions } from "./passthrough.ts";
import { buildComposition, printComposition } from "./print.ts";
import { selectWorkflow } from "./select/workflow.ts";

/** Generates the compositions of a program and its project files. Returns undefined after reporting an error. */
export function generate(program: Program, options: Settings, report: Report): readonly OutputFile[] | undefined {
  const names = fileNames(program.workflows.map(({ id }) => id));
  const deployment = deploymentOf(program, options, report);
  const compiled = program.workflows.map((workflow, i): CompiledWorkflow | undefined => {
    const platform = deployment.platformNamesOf(workflow);
    const native = nativeComposition(workflow);
    if (native) {
      const composition = bindActions(workflow, native, platform, report);
      return composition && { workflow, name: names[i]!, composition };
    }
    const selected = selectWorkflow(program, workflow, platform, report, options);
    if (!selected.isComplete) return undefined;
    const composition = buildComposition(selected, deployment.helperPlacement);
    return { workflow, name: names[i]!, composition, selected };
  });
  if (!compiled.every((each) => each !== undefined)) return undefined;
  return [...compiled.map(compositionFile), ...projectFiles(compiled, deployment, report)];
}

const compositionFile = ({ workflow: { id }, name, composition }: CompiledWorkflow): OutputFile => ({
  path: `${name}.composition.json`,
  text: printComposition(composition),
  workflow: id,
});
