import * as bindings from "../../src/generated/openwhisk-bindings.js";
import * as settings from "../../src/generated/openwhisk-settings.js";
import { fileNames } from "../../src/ir/names.ts";
import type { Program } from "../../src/ir/program.ts";
import type { OutputFile, Settings, Target } from "../../src/target/contract.ts";
import type { Report } from "../../src/text/diagnostics.ts";
import { nativeComposition } from "./composition.ts";
import { deploymentOf, type Flow, projectFiles } from "./deploy/index.ts";
import { givenComposition } from "./passthrough.ts";
import { composed, compositionText } from "./print.ts";
import { lowered, passes } from "./select/workflow.ts";
import { figuresOf, measuresOf } from "./statistics.ts";

/** Apache OpenWhisk: a composition in the JSON Format for each workflow, the actions that run it, and what deploys them. */
export const openwhisk: Target<readonly OutputFile[]> = {
  name: "openwhisk",
  summary: "compositions for Apache OpenWhisk",
  bindings,
  bindsReceivedEvents: true,
  settings,
  generate: make,
  emit: (made) => made,
  passes: passes.map(({ name }) => name),
  metrics: figuresOf,
  runMetrics: measuresOf,
  loadSimulator: async () => (await import("./simulate.ts")).createExecutor(),
};

function make(program: Program, given: Settings, report: Report): readonly OutputFile[] | undefined {
  const names = fileNames(program.workflows.map(({ id }) => id));
  const deployment = deploymentOf(program, given, report);
  const flows = program.workflows.map((workflow, i): Flow | undefined => {
    const entities = deployment.entitiesOf(workflow);
    const native = nativeComposition(workflow);
    if (native) {
      const composition = givenComposition(workflow, native, entities, report);
      return composition && { workflow, name: names[i]!, composition };
    }
    const states = lowered(program, workflow, entities, report, given);
    if (!states.isWhole) return undefined;
    return { workflow, name: names[i]!, composition: composed(states, deployment.helperPlace), lowered: states };
  });
  const whole = flows.filter((flow) => flow !== undefined);
  if (whole.length < flows.length) return undefined;
  return [...whole.map(compositionFile), ...projectFiles(whole, deployment, report)];
}

const compositionFile = ({ workflow: { id }, name, composition }: Flow): OutputFile => ({
  path: `${name}.composition.json`,
  text: compositionText(composition),
  workflow: id,
});
