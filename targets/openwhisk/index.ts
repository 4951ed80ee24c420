import { fileNames } from "../../src/ir/names.ts";
import type { Workflow } from "../../src/ir/workflow.ts";
import type { Program } from "../../src/program.ts";
import type { OutputFile, Settings, Target } from "../../src/target.ts";
import type { Report } from "../../src/text/diagnostics.ts";
import type { Composition } from "./composition.ts";
import { entitiesOf } from "./entities.ts";
import { lowered } from "./lower/workflow.ts";
import { composed, compositionText } from "./print.ts";

/** Apache OpenWhisk: a composition in the JSON Format for each workflow. */
export const openwhisk: Target<readonly Made[]> = {
  name: "openwhisk",
  summary: "compositions for Apache OpenWhisk",
  make,
  files: (made) => made.flatMap(filesOf),
};

/** What a workflow is made to. */
export interface Made {
  readonly workflow: Workflow;
  /** What the files are called that are made of it. */
  readonly name: string;
  readonly composition: Composition;
}

function make(program: Program, settings: Settings, report: Report): readonly Made[] | undefined {
  const names = fileNames(program.workflows.map(({ id }) => id));
  const made = program.workflows.map((workflow, i): Made | undefined => {
    const states = lowered(program, workflow, entitiesOf(workflow), report, settings.verify);
    return states.isWhole ? { workflow, name: names[i]!, composition: composed(states) } : undefined;
  });
  return made.every((each) => each !== undefined) ? made : undefined;
}

const filesOf = ({ workflow: { id }, name, composition }: Made): readonly OutputFile[] => [
  { path: `${name}.composition.json`, text: compositionText(composition), workflow: id },
];
