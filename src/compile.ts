import { analyse } from "./analysis/index.ts";
import { settingsFor } from "./configuration/index.ts";
import { checkBoundNames, checkChosenTarget } from "./configuration/names.ts";
import { type Document, readDocuments } from "./document/index.ts";
import type { Workflow } from "./ir/workflow.ts";
import type { Language, LowerContext } from "./language.ts";
import { optionsFor } from "./languages/options.ts";
import { languageOf } from "./languages/recognise.ts";
import { type Input, type Program, programOf } from "./program.ts";
import { sortDiagnostics } from "./report/sort.ts";
import { type SchemaReader, schemaReader } from "./shapes/index.ts";
import { type Figure, noSettings, type OutputFile, type Settings, type Target } from "./target.ts";
import type { Diagnostic, Report } from "./text/diagnostics.ts";
import type { Source } from "./text/source.ts";

/** What compiling gave, as far as it went. */
export interface Compilation {
  /** The workflows; absent when the definitions have errors. */
  readonly program: Program | undefined;
  /** Empty when any diagnostic is an error, and where no target was given. */
  readonly files: readonly OutputFile[];
  /** Figures of what the target has made. */
  readonly figures: readonly Figure[];
  /** Sorted by place. */
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * Compiles definitions for one target, or only checks them when none is given:
 *
 *   each text → documents → (language, schema) → IR ─┐
 *   each text → documents → (language, schema) → IR ─┴→ program → (analysis) → what the target makes → files
 *
 * Each file goes through the stages on its own: an error stops the stages after it for that file only. All of them together are
 * one program: subflows find each other. Nothing throws for a user's mistake, and nothing but the texts and the options has a say.
 */
export async function compileWith(input: Input, languages: readonly Language[], target?: Target): Promise<Compilation> {
  const checked = check(input, languages);
  if (!checked.program || !target) return checked;
  const { diagnostics, report } = collector();
  const { configuration, read, modulesFrom, verify } = input;
  const settings = { ...settingsFor(target.name, configuration), read, modulesFrom, verify };
  if (configuration) checkChosenTarget(configuration, target.name, report);
  const made = await generate(checked.program, target, settings);
  const said = [...checked.diagnostics, ...diagnostics, ...made.diagnostics];
  return { ...made, diagnostics: sortDiagnostics(said, input.sources) };
}

/** The first half: from texts to a program that is known to be well formed. */
export function check(input: Input, languages: readonly Language[]): Compilation {
  const { diagnostics, report, broken } = collector();
  const schemas = schemaReader(input, report);
  const lowered = input.sources.flatMap((source) => lowerSource(source, input, languages, schemas, report));
  const workflows = linked(lowered, languages, (found) => {
    if (!broken.has(found.span.source)) report(found);
  });
  const program = programOf(workflows);
  analyse(
    soundPart(program, input.sources, broken),
    report,
    (name) => languages.find((language) => language.name === name)?.words,
  );
  const isSound = broken.size === 0;
  if (isSound && input.verify) for (const workflow of workflows) input.verify(workflow, "lowering");
  if (isSound && input.configuration) checkBoundNames(input.configuration, program, report);
  return {
    program: isSound ? program : undefined,
    files: [],
    figures: [],
    diagnostics: sortDiagnostics(diagnostics, input.sources),
  };
}

/** The second half: from a checked program to files, or to the reasons why the target cannot express it. */
export async function generate(
  program: Program,
  target: Target,
  settings: Partial<Settings> = {},
): Promise<Compilation> {
  const { diagnostics, report, broken } = collector();
  const made = await target.make(program, { ...noSettings, ...settings }, report);
  if (made === undefined || broken.size > 0) return { program, files: [], figures: [], diagnostics };
  return { program, files: target.files(made), figures: target.stats?.(made) ?? [], diagnostics };
}

/** The workflows of a file; those with errors too, as far as they can be made. */
function lowerSource(
  source: Source,
  input: Input,
  languages: readonly Language[],
  schemas: SchemaReader,
  report: Report,
): readonly Workflow[] {
  return readDocuments(source, report, { maximumBytes: input.maximumBytes }).flatMap((document, index) => {
    const language = languageOf(document, input.from, languages, report);
    const options = language && optionsFor(language, input.options);
    const context = { report, options: options ?? {}, stem: stemOf(source, index), schemaAt: schemas };
    const workflow = language && lowerDocument(document, language, context);
    return workflow ? [workflow] : [];
  });
}

function lowerDocument(document: Document, language: Language, context: LowerContext): Workflow | undefined {
  const normal = language.normalise(document, context.report);
  return language.validator()(normal, context.report) ? language.lower(normal, context) : undefined;
}

/** The workflows after each language has looked at its own together. */
function linked(workflows: readonly Workflow[], languages: readonly Language[], report: Report): readonly Workflow[] {
  if (workflows.length < 2) return workflows;
  const found = new Map<Workflow, Workflow>();
  for (const { name, link } of languages) {
    const own = workflows.filter(({ language }) => language === name);
    for (const [i, workflow] of (link?.(own, report) ?? []).entries()) found.set(own[i]!, workflow);
  }
  return workflows.map((workflow) => found.get(workflow) ?? workflow);
}

/** A program of the workflows of sound files, which may name those of the others. */
function soundPart(program: Program, sources: readonly Source[], broken: ReadonlySet<Source>): Program {
  if (broken.size === 0) return program;
  const understood = new Set(program.workflows.map(({ span }) => span.source));
  return {
    ...program,
    workflows: program.workflows.filter(({ span }) => !broken.has(span.source)),
    unread: sources.filter((source) => broken.has(source) && !understood.has(source)),
  };
}

/** The name for a workflow that gives none: the file's name without its ending, numbered from the second document on. */
function stemOf({ path }: Source, index: number): string {
  const name = path === "<stdin>" ? "workflow" : path.replace(/^.*[\\/]/, "").replace(/\.[^.]*$/, "");
  return index === 0 ? name : `${name}-${index + 1}`;
}

/** Collects what is reported, and the files that have errors. */
function collector(): {
  readonly diagnostics: readonly Diagnostic[];
  readonly report: Report;
  readonly broken: ReadonlySet<Source>;
} {
  const diagnostics: Diagnostic[] = [];
  const broken = new Set<Source>();
  const report: Report = (diagnostic) => {
    diagnostics.push(diagnostic);
    if (diagnostic.severity === "error") broken.add(diagnostic.span.source);
  };
  return { diagnostics, report, broken };
}
