import { type Compilation, checkWith, type Input } from "../compile.ts";
import { severalDefinitions } from "../diagnostics/reading.ts";
import { stepsOf } from "../ir/walk.ts";
import { type Program, programOf, type Workflow } from "../ir/workflow.ts";
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
  if (whole.program && known) return { ...whole, program: programOf(startedBy(known, whole.program)) };
  return checkWith({ ...input, pick: [pick, ...subflows.keys()] }, languages);
}

/** A workflow, and those that it starts, directly or not. */
function startedBy(first: Workflow, { byId }: Program): readonly Workflow[] {
  const found = new Set([first]);
  for (const workflow of found)
    for (const step of stepsOf(workflow)) {
      const started = step.kind === "invoke" ? byId.get(step.workflow.name) : undefined;
      if (started) found.add(started);
    }
  return [...found];
}

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
