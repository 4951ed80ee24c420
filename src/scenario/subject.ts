import { type Compilation, checkWith, type Input } from "../compile.ts";
import { severalDefinitions } from "../diagnostics/reading.ts";
import { programOf, type Workflow } from "../ir/workflow.ts";
import type { Language } from "../language.ts";
import type { ScenarioFile } from "./model.ts";

/**
 * Checks the definitions of a scenario file, with the workflow that it tests first. Of a file with several definitions,
 * the scenario file picks one; errors in the others do not matter unless it starts them.
 */
export async function checkSubject(
  file: ScenarioFile,
  input: Input,
  languages: readonly Language[],
): Promise<Compilation> {
  const { pick, subflows } = file;
  const whole = await checkWith(input, languages);
  if (pick === undefined) return withOneDefinition(file, input, languages, whole);
  const known = whole.program?.byId.get(pick);
  if (whole.program && known) return { ...whole, program: programOf(withFirst(whole.program.workflows, known)) };
  return checkWith({ ...input, pick: [pick, ...subflows.keys()] }, languages);
}

const withFirst = (workflows: readonly Workflow[], first: Workflow): readonly Workflow[] => [
  first,
  ...workflows.filter((workflow) => workflow !== first),
];

/** Reports a file that embeds several definitions. */
function withOneDefinition(
  { workflow: path, workflowSpan }: ScenarioFile,
  { sources: [source] }: Input,
  languages: readonly Language[],
  whole: Compilation,
): Compilation {
  const embeds = source !== undefined && languages.some((language) => language.embeds?.test(source.text));
  const own = embeds ? (whole.program?.workflows ?? []).filter(({ span }) => span.source === source) : [];
  if (own.length < 2 || !workflowSpan) return whole;
  const diagnostic = severalDefinitions(workflowSpan, { path, known: own.map(({ id }) => id) });
  return { ...whole, program: undefined, diagnostics: [...whole.diagnostics, diagnostic] };
}
