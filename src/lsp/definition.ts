import type { Input } from "../compile.ts";
import { type Document, type ReadResult, readWithDiagnostics } from "../documents/index.ts";
import type { Workflow } from "../ir/workflow.ts";
import { isObject, own } from "../json.ts";
import type { Language } from "../language.ts";
import { detectLanguage, readSource } from "../languages/detect.ts";
import { definitionsIn, embeddingContext } from "../pipeline/definitions.ts";
import { type DetectedDocument, type LoweringInput, lowerDocument } from "../pipeline/lower.ts";
import { objectOf, resolveSchema, subschemas } from "../schema/check.ts";
import type { Source } from "../text/source.ts";
import { schemaReader } from "../types/index.ts";
import { indexNames, type NameIndex } from "./names.ts";
import { withSyntaxNames } from "./syntax-names.ts";
import { indexNodes, nodesOf, type TreeNode } from "./tree.ts";

/** The documents of a source, without checks of the program around it. */
export interface AnalyzedSource {
  readonly source: Source;
  readonly reading: ReadResult;
  readonly parts: readonly AnalyzedDocument[];
}

/** A document of a source; without a language if it is not a definition. */
export interface AnalyzedDocument {
  readonly document: Document;
  readonly nodes: readonly TreeNode[];
  readonly index: ReadonlyMap<number, TreeNode>;
  readonly language: Language | undefined;
  /** In the spelling of the language's schema. */
  readonly canonical: Document | undefined;
  /** Undefined if it has too many errors. */
  readonly workflow: Workflow | undefined;
  readonly names: NameIndex;
  /** The document is valid, so that no name is missing. */
  readonly isWhole: boolean;
}

/** What lowering takes from the program of a source. */
export type AnalysisContext = Pick<Input, "options" | "configurationOf" | "read"> &
  Pick<LoweringInput, "readsOnlyNames">;

/** Reads a source and, with a context, lowers each of its documents as far as it can be recovered from errors. */
export function analyzeSource(
  source: Source,
  reading: ReadResult,
  languages: readonly Language[],
  context?: AnalysisContext,
): AnalyzedSource {
  const { documents } = readSource(languages, source, reading, undefined);
  const parts = documents.flatMap((document, at) => {
    const embedded = context ? embeddedIn(document, languages, context) : [];
    if (embedded.length === 0) return [analyzeDocument({ document }, at, languages, context)];
    return embedded.map((each) => analyzeDocument(each, at, languages, context));
  });
  return { source, reading, parts };
}

/** The definitions that a document embeds as parts of its source. */
function embeddedIn(document: Document, languages: readonly Language[], context: AnalysisContext) {
  const language = languageOf(document, languages);
  if (!language?.embedded) return [];
  const { configurationOf, read } = context;
  const input = { sources: [document.source], read };
  const found = definitionsIn(document, language, embeddingContext(configurationOf?.(document.source), input));
  return found.flatMap(({ id, name, span, read }) => {
    const definition = id === undefined ? undefined : read(ignore);
    return definition?.source === document.source ? [{ document: definition, id, name, span, language }] : [];
  });
}

/** A document, or a definition that one embeds. */
interface DocumentPart extends Pick<DetectedDocument, "document" | "id" | "name" | "span"> {
  readonly language?: Language | undefined;
}

/** Parses a source, with error recovery. */
export const readForEditor = (source: Source): ReadResult => readWithDiagnostics(source, { recovers: true });

function analyzeDocument(
  { document, language: known, ...part }: DocumentPart,
  at: number,
  languages: readonly Language[],
  context: AnalysisContext | undefined,
): AnalyzedDocument {
  const nodes = nodesOf(document);
  const base = { document, nodes, index: indexNodes(nodes) };
  const language = known ?? languageOf(document, languages);
  if (!language) return { ...base, language, canonical: undefined, workflow: undefined, names: [], isWhole: true };
  const canonical = language.canonicalize(document, ignore);
  if (!context) return { ...base, language, canonical, workflow: undefined, names: [], isWhole: false };
  const { options, configurationOf, read, readsOnlyNames } = context;
  const configuration = configurationOf?.(document.source);
  const schemas = schemaReader({ read }, ignore);
  const lower = (document: Document) =>
    lowerDocument(
      { document, language, index: at, isOnly: part.id === undefined, ...part },
      { options, configuration, read, schemas, readsOnlyNames },
      ignore,
    )[0];
  const lowered = lower(canonical) ?? lower(withRequired(canonical, language));
  const { workflow, isWhole = false } = lowered ?? {};
  const inIr = workflow ? indexNames(workflow) : [];
  const names = language.names ? withSyntaxNames({ ...base, names: inIr }, language.names) : inIr;
  return { ...base, language, canonical, workflow, names, isWhole };
}

/** A definition that is being written has states before it has a version. */
function withRequired(document: Document, { schema }: Language): Document {
  const { value } = document;
  const root = schema?.();
  if (!isObject(value) || !isObject(root)) return document;
  const properties = objectOf(root, "properties");
  const missing = subschemas(root, "required").flatMap((name) => {
    if (typeof name !== "string" || Object.hasOwn(value, name)) return [];
    const property = resolveSchema(root, own(properties, name) ?? null);
    return isObject(property) && property["type"] === "string" ? [[name, "0"] as const] : [];
  });
  if (missing.length === 0) return document;
  const completed = { ...value, ...Object.fromEntries(missing) };
  return document.withValue(completed, new Map([[completed, { of: value }]]));
}

const ignore = (): void => undefined;

/** The language of a document, including one that is only likely. */
export function languageOf({ value }: Document, languages: readonly Language[]): Language | undefined {
  const found = detectLanguage(value, languages);
  if (found.kind === "ambiguous") return found.languages[0];
  return found.kind === "known" || found.kind === "doubtful" ? found.language : undefined;
}

/** The document of a source that contains an offset, or the last one before it. */
export const partAt = ({ parts }: AnalyzedSource, offset: number): AnalyzedDocument | undefined =>
  parts.findLast(({ document }) => document.span.start <= offset) ?? parts[0];
