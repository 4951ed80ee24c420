import { type Compilation, checkWith, type Input } from "../compile.ts";
import { severalDefinitions } from "../diagnostics/reading.ts";
import { stepsOf } from "../ir/walk.ts";
import { type Program, programOf, type Workflow } from "../ir/workflow.ts";
import type { Language } from "../language.ts";
import type { Source, Span } from "../text/source.ts";
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
  const { pick, otherwisePicks = [] } = file;
  const whole = await checkWith(input, languages);
  if (pick !== undefined) return picked(pick, file, input, languages, whole);
  const [source] = input.sources;
  if (otherwisePicks.length === 0 || !source || !embedsDefinitions(source, languages))
    return withOneDefinition(file, input, languages, whole);
  const own = otherwisePicks.filter((name) => whole.program?.byId.get(name)?.span.source === source);
  if (own.length > 1 && file.workflowSpan) return withSeveral(file, file.workflowSpan, own, whole);
  if (own.length === 1) return picked(own[0]!, file, input, languages, whole);
  const checked: Compilation[] = [];
  for (const name of otherwisePicks) checked.push(await picked(name, file, input, languages, whole));
  return checked.find(({ program }) => program) ?? checked[0]!;
}

/** The program with the workflow of a name first; of an incorrect program, only what it needs. */
async function picked(
  name: string,
  { subflows }: ScenarioFile,
  input: Input,
  languages: readonly Language[],
  whole: Compilation,
): Promise<Compilation> {
  const known = whole.program?.byId.get(name);
  if (whole.program && known) return { ...whole, program: programOf(startedBy(known, whole.program)) };
  return checkWith({ ...input, pick: [name, ...subflows.keys()] }, languages);
}

const embedsDefinitions = ({ text }: Source, languages: readonly Language[]): boolean =>
  languages.some((language) => language.embeds?.test(text));

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
  file: ScenarioFile,
  { sources: [source] }: Input,
  languages: readonly Language[],
  whole: Compilation,
): Compilation {
  const embeds = source !== undefined && embedsDefinitions(source, languages);
  const own = embeds ? (whole.program?.workflows ?? []).filter(({ span }) => span.source === source) : [];
  if (own.length < 2 || !file.workflowSpan) return whole;
  const known = own.map(({ id }) => id);
  return withSeveral(file, file.workflowSpan, known, whole);
}

function withSeveral(
  { workflow: path }: ScenarioFile,
  span: Span,
  known: readonly string[],
  whole: Compilation,
): Compilation {
  const diagnostic = severalDefinitions(span, { path, known });
  return { ...whole, program: undefined, diagnostics: [...whole.diagnostics, diagnostic] };
}
