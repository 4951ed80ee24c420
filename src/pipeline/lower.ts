import { type Configuration, configuredId } from "../configuration/index.ts";
import { wrongType } from "../diagnostics/reading.ts";
import type { Document } from "../documents/index.ts";
import { knownName } from "../ir/definitions.ts";
import type { EventDefinition, FunctionDefinition, Workflow } from "../ir/workflow.ts";
import type { Language, LowerContext } from "../language.ts";
import { mergeOptions, optionsFor } from "../languages/options.ts";
import type { Options } from "../options.ts";
import type { Diagnostic, Report } from "../text/diagnostics.ts";
import { stemOf } from "../text/file-names.ts";
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
  /** The id, if the definition is embedded in a document. */
  readonly id?: string | undefined;
  /** The name of the workflow; default: that of the definition. */
  readonly name?: string | undefined;
  /** Where a document embeds the definition. */
  readonly span?: Span | undefined;
  /** Whether the document embeds no other definition. */
  readonly isOnly?: boolean | undefined;
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
  /** The ids of workflows whose definitions have none. */
  readonly workflowIds?: ReadonlyMap<Source, string> | undefined;
  readonly read: ResourceReader | undefined;
  readonly schemas: SchemaReader;
  /** Whether only the names of the workflow are read, so that the values that it binds need not be converted. */
  readonly readsOnlyNames?: boolean | undefined;
}

/** Documents with more errors than this are not recovered: what else is wrong with them says little. */
const maxRecoveredErrors = 100;

/** Validates a canonicalized document against its language's schema and lowers it to the IR; an invalid one is lowered as far as it can be recovered. */
export function lowerDocument(
  detected: DetectedDocument,
  input: LoweringInput,
  report: Report,
): readonly LoweredWorkflow[] {
  const { document, language, index, id, name, span = document.span, isOnly = true } = detected;
  const { configuration, read, schemas } = input;
  const configured = index === 0 && isOnly ? idOf(span.source, input) : undefined;
  const attempt = lowerOnce(document, language, {
    options: optionsFor(language, mergeOptions(configuration?.options ?? {}, input.options)),
    stem: configured ?? id ?? defaultName(document.source, index),
    schemas,
    textAt: (uri: string, span: Span) => read?.(resolveUri(uri, span.source).path),
    isBound(name: string): boolean {
      const entry = configuration?.functions.get(name);
      return entry !== undefined && (entry.byTarget.size > 0 || entry.isInvalid === true);
    },
  });
  for (const diagnostic of attempt.diagnostics) report(diagnostic);
  if (!attempt.workflow) return [];
  const bound = withEventTypes(withFunctionTypes(attempt.workflow, configuration), configuration);
  const typed = input.readsOnlyNames ? bound : bindFiniteValues(bound);
  const workflow = id === undefined ? typed : { ...typed, name: name ?? typed.name, span: ownSpan(typed.span, span) };
  return [
    { workflow: language.inputs === "objects" ? workflow : { ...workflow, anyInput: true }, isWhole: attempt.isWhole },
  ];
}

/** The span of a workflow, in the file that embeds it. */
const ownSpan = (span: Span, embedded: Span): Span => (span.source === embedded.source ? span : embedded);

/** The result of lowering a document once. */
interface LoweringAttempt {
  readonly workflow: Workflow | undefined;
  readonly isWhole: boolean;
  readonly diagnostics: readonly Diagnostic[];
}

type AttemptContext = Omit<LowerContext, "report">;

/** Lowers a document; an invalid one as far as it can be recovered. What follows from a value that was replaced is not reported. */
function lowerOnce(document: Document, language: Language, context: AttemptContext): LoweringAttempt {
  const { diagnostics, report } = collectDiagnostics();
  const isWhole = language.validator()(document, report);
  const errors = diagnostics.filter(({ severity }) => severity === "error");
  const readable = isWhole ? document : errors.length > maxRecoveredErrors ? undefined : language.recover?.(document);
  const replaced = errors.filter(({ code }) => code === wrongType.code).map(({ span }) => span);
  const reportOthers: Report = (diagnostic) => {
    const { start, end } = diagnostic.span;
    if (!replaced.some((span) => span.start <= start && end <= span.end)) report(diagnostic);
  };
  return { workflow: readable && language.lower(readable, { ...context, report: reportOthers }), isWhole, diagnostics };
}

/** Adds the types that the configuration declares for the data of events. */
function withEventTypes(workflow: Workflow, configuration: Configuration | undefined): Workflow {
  const bound = configuration?.events;
  if (!workflow.events.some(({ name }) => bound?.get(name)?.data)) return workflow;
  const events = workflow.events.map((each): EventDefinition => {
    const dataType = bound?.get(each.name)?.data;
    return dataType ? { ...each, dataType } : each;
  });
  return { ...workflow, events };
}

/** Adds the types that the configuration declares for functions, or that their modules have. */
function withFunctionTypes(workflow: Workflow, configuration: Configuration | undefined): Workflow {
  const bound = configuration?.functions;
  if (!bound || bound.size === 0) return workflow;
  const functions = workflow.functions.map((each): FunctionDefinition => {
    const name = knownName(each, workflow.functions, (name) => bound.has(name));
    const { result, parameter } = (name === undefined ? undefined : bound.get(name)) ?? {};
    if (!result && !parameter) return each;
    return {
      ...each,
      ...(result ? { resultType: result } : {}),
      ...(parameter ? { parameterType: parameter } : {}),
    };
  });
  return { ...workflow, functions };
}

const idOf = (source: Source, { workflowIds, configuration }: LoweringInput): string | undefined =>
  workflowIds?.get(source) ?? (configuration && configuredId(configuration, source));

/** The default name of a workflow: the stem of the file name, numbered from the second document on. */
function defaultName({ path }: Source, index: number): string {
  const name = path === "<stdin>" ? "workflow" : stemOf(path);
  return index === 0 ? name : `${name}-${index + 1}`;
}
