import { analyse } from "./analysis/index.ts";
import { checkBoundNames } from "./configuration/unknown-names.ts";
import { unknownDialect, unknownLanguage } from "./diagnostics/reading.ts";
import { type Document, readDocuments } from "./document/index.ts";
import type { Workflow } from "./ir/workflow.ts";
import type { Language } from "./language.ts";
import { type Input, type Program, programOf } from "./program.ts";
import { sortDiagnostics } from "./report/sort.ts";
import { type SchemaReader, schemaReader } from "./shapes/schemas.ts";
import type { OutputFile, Target } from "./target.ts";
import type { Diagnostic, Report } from "./text/diagnostics.ts";
import type { Source, Span } from "./text/source.ts";

/** What compiling gave. */
export interface Compilation {
  /** Empty when any diagnostic is an error. */
  readonly files: readonly OutputFile[];
  /** Sorted by place. */
  readonly diagnostics: readonly Diagnostic[];
  /** The checked workflows; absent when the definitions have errors. */
  readonly program?: Program | undefined;
}

/**
 * Compiles definitions for one target, or only checks them when none is given:
 *
 *   texts → documents → (language, schema) → IR → (analysis) → (target's limits) → files
 *
 * Each stage reports what it finds, in all sources; an error stops the stages after it. All sources are one program:
 * subflows find each other. Nothing throws for a user's mistake, and nothing but the texts and the options has a say.
 */
export async function compileWith(input: Input, languages: readonly Language[], target?: Target): Promise<Compilation> {
  const { program, diagnostics } = check(input, languages);
  if (!program || !target) return { files: [], diagnostics, program };
  const generated = await generate(program, target);
  return {
    files: generated.files,
    diagnostics: sortDiagnostics([...diagnostics, ...generated.diagnostics], input.sources),
    program,
  };
}

/** The first half: from texts to a program that is known to be well formed. */
export function check(
  input: Input,
  languages: readonly Language[],
): { program: Program | undefined; diagnostics: readonly Diagnostic[] } {
  const { diagnostics, report, failed } = collector();
  const schemas = schemaReader(input, report);
  const lowered = input.sources.flatMap((source) => lowerSource(source, input, languages, schemas, report));
  const { configuration, read, modulesFrom } = input;
  const program: Program = { ...programOf(linked(lowered, languages, report)), configuration, read, modulesFrom };
  if (!failed()) analyse(program, report);
  if (!failed() && input.configuration) checkBoundNames(input.configuration, program, report);
  return { program: failed() ? undefined : program, diagnostics: sortDiagnostics(diagnostics, input.sources) };
}

/** The second half: from a checked program to files, or to the reasons why the target cannot express it. */
export async function generate(
  program: Program,
  target: Target,
): Promise<{ files: readonly OutputFile[]; diagnostics: readonly Diagnostic[] }> {
  const { diagnostics, report, failed } = collector();
  await target.check(program, report);
  return { files: failed() ? [] : await target.emit(program), diagnostics };
}

function lowerSource(
  source: Source,
  input: Input,
  languages: readonly Language[],
  schemas: SchemaReader,
  report: Report,
): readonly Workflow[] {
  return readDocuments(source, report, { maximumBytes: input.maximumBytes }).flatMap((document, index) => {
    const language = languageOf(document, input, languages, report);
    const context = { report, options: input.options, stem: stemOf(source, index), schemaAt: schemas };
    const workflow = language && lowerDocument(document, language, context);
    return workflow ? [workflow] : [];
  });
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

function lowerDocument(
  document: Document,
  language: Language,
  context: Parameters<Language["lower"]>[1],
): Workflow | undefined {
  const normal = language.normalise(document, context.report);
  return language.validator()(normal, context.report) ? language.lower(normal, context) : undefined;
}

function languageOf(
  document: Document,
  input: Input,
  languages: readonly Language[],
  report: Report,
): Language | undefined {
  const { from } = input;
  const language = languages.find(({ name, recognises }) =>
    from === undefined ? recognises(document.value) : name === from,
  );
  if (language) return language;
  const known = languages.map(({ name }) => name);
  if (from !== undefined) report(unknownLanguage(document.span, { name: from, known }));
  else
    report(
      unknownDialect(beginning(document), {
        known,
        dialect: languages.map(({ foreign }) => foreign?.(document.value)).find(Boolean),
      }),
    );
  return undefined;
}

const beginning = ({ span }: Document): Span => ({ ...span, end: Math.min(span.end, span.start + 1) });

/** The name for a workflow that gives none: the file's name without its ending, numbered from the second document on. */
function stemOf({ path }: Source, index: number): string {
  const name = path === "<stdin>" ? "workflow" : path.replace(/^.*[\\/]/, "").replace(/\.[^.]*$/, "");
  return index === 0 ? name : `${name}-${index + 1}`;
}

function collector() {
  const diagnostics: Diagnostic[] = [];
  let errors = 0;
  const report: Report = (diagnostic) => {
    diagnostics.push(diagnostic);
    if (diagnostic.severity === "error") errors += 1;
  };
  return { diagnostics, report, failed: () => errors > 0 };
}
