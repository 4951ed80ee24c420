import { definesAll } from "../analysis/references.ts";
import type { Configuration } from "../configuration/index.ts";
import type { Document } from "../documents/index.ts";
import type { Workflow } from "../ir/workflow.ts";
import type { Language, LowerContext } from "../language.ts";
import { mergeOptions, optionsFor } from "../languages/options.ts";
import { suggestKeys } from "../languages/suggestions.ts";
import type { Options } from "../options.ts";
import type { Diagnostic, Report } from "../text/diagnostics.ts";
import type { Source, Span } from "../text/source.ts";
import type { ResourceReader } from "../text/uris.ts";
import { resolveUri } from "../text/uris.ts";
import type { SchemaReader } from "../types/index.ts";
import { bindFiniteValues } from "./finite-values.ts";
import { collectDiagnostics } from "./parts.ts";

/** A document whose language is known. */
export interface DetectedDocument {
  readonly document: Document;
  readonly language: Language;
  /** Its index among the documents of its source. */
  readonly index: number;
}

/** The workflow of a document. */
export interface LoweredWorkflow {
  readonly workflow: Workflow;
  /** False if the document is invalid and the workflow has only what could be recovered of it: then only its own names can be checked. */
  readonly isWhole: boolean;
}

/** What lowering takes from the compiler's input. */
export interface LoweringInput {
  readonly options: Options;
  readonly configuration: Configuration | undefined;
  readonly read: ResourceReader | undefined;
  readonly schemas: SchemaReader;
}

/** Documents with more errors than this are not recovered: what else is wrong with them says little. */
const maxRecoveredErrors = 100;

/** Validates a canonicalized document against its language's schema and lowers it to the IR; an invalid one is lowered as far as it can be recovered. */
export function lowerDocument(
  detected: DetectedDocument,
  input: LoweringInput,
  report: Report,
): readonly LoweredWorkflow[] {
  const { document, language, index } = detected;
  const { configuration, read, schemas } = input;
  const attempt = lowerAsMeant(document, language, {
    options: optionsFor(language, mergeOptions(configuration?.options ?? {}, input.options)),
    stem: stemOf(document.source, index),
    schemas,
    textAt: (uri: string, span: Span) => read?.(resolveUri(uri, span.source).path),
    isBound: (name: string): boolean => (configuration?.functions.get(name)?.byTarget.size ?? 0) > 0,
  });
  for (const diagnostic of attempt.diagnostics) report(diagnostic);
  if (!attempt.workflow) return [];
  const workflow = bindFiniteValues(withResultTypes(attempt.workflow, configuration));
  return [
    { workflow: language.inputs === "objects" ? workflow : { ...workflow, anyInput: true }, isWhole: attempt.isWhole },
  ];
}

/** The result of lowering a document once. */
interface LoweringAttempt {
  readonly workflow: Workflow | undefined;
  readonly isWhole: boolean;
  readonly diagnostics: readonly Diagnostic[];
}

type AttemptContext = Omit<LowerContext, "report">;

/** Lowers a document as it is written or, if it refers to undefined names only because a key is misspelt, with that key corrected. */
function lowerAsMeant(document: Document, language: Language, context: AttemptContext): LoweringAttempt {
  const written = lowerOnce(document, language, context);
  if (!written.workflow || definesAll(written.workflow)) return written;
  for (const suggestion of suggestKeys(document, language.terminology, written.diagnostics)) {
    const meant = lowerAsMeant(suggestion.document, language, context);
    if (meant.workflow && countDefinitions(meant.workflow) > countDefinitions(written.workflow))
      return { ...meant, isWhole: false, diagnostics: [suggestion.diagnostic, ...meant.diagnostics] };
  }
  return written;
}

const countDefinitions = ({ functions, events }: Workflow): number => functions.length + events.length;

function lowerOnce(document: Document, language: Language, context: AttemptContext): LoweringAttempt {
  const { diagnostics, report } = collectDiagnostics();
  const isWhole = language.validator()(document, report);
  const errors = diagnostics.filter(({ severity }) => severity === "error").length;
  const readable = isWhole ? document : errors > maxRecoveredErrors ? undefined : language.recover?.(document);
  return { workflow: readable && language.lower(readable, { ...context, report }), isWhole, diagnostics };
}

/** Adds the result types that the configuration declares for functions. */
function withResultTypes(workflow: Workflow, configuration: Configuration | undefined): Workflow {
  const resultOf = (name: string) => configuration?.functions.get(name)?.result;
  if (!workflow.functions.some(({ name }) => resultOf(name))) return workflow;
  const functions = workflow.functions.map((each) => {
    const resultType = resultOf(each.name);
    return resultType ? { ...each, resultType } : each;
  });
  return { ...workflow, functions };
}

/** The default name of a workflow: the file name without its extension, numbered from the second document on. */
function stemOf({ path }: Source, index: number): string {
  const name = path === "<stdin>" ? "workflow" : path.replace(/^.*[\\/]/, "").replace(/\.[^.]*$/, "");
  return index === 0 ? name : `${name}-${index + 1}`;
}
