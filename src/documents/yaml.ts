import { Composer, Lexer, Parser, type Document as YamlDocument } from "yaml";
import { emptyDocument, tooDeep } from "../diagnostics/reading.ts";
import type { Diagnostic, Report } from "../text/diagnostics.ts";
import type { Source } from "../text/source.ts";
import type { Document } from "./document.ts";
import { maxDepth, maxErrors } from "./document.ts";
import { createDocument } from "./positions.ts";
import { readData } from "./yaml-data.ts";
import { describeSyntaxErrors, findStructureError, type StructureError } from "./yaml-errors.ts";
import { applyRepairs, type Repair, type RepairedSource } from "./yaml-repairs.ts";

/** How a stream is read. */
export interface YamlOptions {
  /** Also returns documents with errors. */
  readonly recovers: boolean;
  /** The keys of the objects that tagged values read as, by tag. */
  readonly tags?: ReadonlyMap<string, string> | undefined;
}

/** Reads a YAML 1.2 stream in the core schema. */
export function readYaml(source: Source, report: Report, options: YamlOptions): readonly Document[] {
  const limit = Error.stackTraceLimit;
  // With them, a large broken file takes five times as long.
  Error.stackTraceLimit = 0;
  try {
    return readStream(source, report, options);
  } finally {
    Error.stackTraceLimit = limit;
  }
}

function readStream(source: Source, report: Report, { recovers, tags }: YamlOptions): readonly Document[] {
  const found: Document[] = [];
  let errors = 0;
  const add: Report = (diagnostic) => {
    if (diagnostic.severity === "error") errors += 1;
    if (diagnostic.severity !== "error" || errors <= maxErrors) report(diagnostic);
  };
  const { stream, repaired, repairs, repairedErrors } = composeWithRepairs(source);
  for (const diagnostic of [...repairedErrors, ...stream.diagnostics]) add(diagnostic);
  for (const [i, document] of stream.documents.entries()) {
    const start = i === 0 ? 0 : document.range[0];
    const end = stream.documents[i + 1]?.range[0] ?? Number.POSITIVE_INFINITY;
    const own = repairs.filter((repair) => repaired.isBetween(repair, start, end));
    const before = errors;
    const isKnownTag = (tag: string): boolean => tags?.has(tag) === true;
    const { diagnostics, isClear } = describeSyntaxErrors(
      repaired.source,
      document,
      (diagnostic) => isEcho(repaired.original(diagnostic), repairs),
      isKnownTag,
    );
    for (const diagnostic of diagnostics) add(repaired.original(diagnostic));
    if (isEmpty(document) || !isClear || own.some(({ isIntended }) => !isIntended)) continue;
    const isRecovered = errors + own.length > before;
    const reading = readData(repaired.source, document, (diagnostic) => add(repaired.original(diagnostic)), tags);
    if (reading && (recovers || !isRecovered))
      found.push(createDocument(source, repaired.originalDocument(reading), isRecovered));
    if (errors > maxErrors) break;
  }
  if (found.length === 0 && errors === 0) add(emptyDocument({ source, start: 0, end: 0 }, {}));
  return found;
}

interface YamlStream {
  readonly documents: readonly YamlDocument.Parsed[];
  readonly diagnostics: readonly Diagnostic[];
}

const maxRepairs = 20;
const maxEchoes = 3;
const maxParsedCharacters = 4_000_000;

function composeWithRepairs(source: Source): {
  readonly stream: YamlStream;
  readonly repaired: RepairedSource;
  readonly repairs: readonly Repair[];
  readonly repairedErrors: readonly Diagnostic[];
} {
  const repairs: Repair[] = [];
  const repairedErrors: Diagnostic[] = [];
  let echoes = 0;
  for (;;) {
    const repaired = applyRepairs(source, repairs);
    const stream = composeStream(repaired.source);
    const error = stream.diagnostics.length === 0 ? firstStructureError(repaired.source, stream) : undefined;
    const repair = error?.repair && repaired.originalRepair(error.repair);
    const isEnough =
      repairs.length === maxRepairs ||
      echoes === maxEchoes ||
      source.text.length * (repairs.length + 1) > maxParsedCharacters;
    if (!repair || isEnough) return { stream, repaired, repairs, repairedErrors };
    const found = repaired.original(error.diagnostic);
    const isFurther = !isEcho(found, repairs);
    if (isFurther) repairedErrors.push(found);
    else echoes += 1;
    repairs.push(isFurther ? repair : { ...repair, isIntended: false });
  }
}

const isEcho = ({ span }: Diagnostic, repairs: readonly Repair[]): boolean =>
  span.start < (repairs.at(-1)?.echoesUntil ?? 0);

function firstStructureError(source: Source, { documents }: YamlStream): StructureError | undefined {
  for (const document of documents) {
    const error = findStructureError(source, document);
    if (error) return error;
  }
  return undefined;
}

function composeStream(source: Source): YamlStream {
  const parser = new Parser();
  let isTooDeep = false;
  function* tokens() {
    for (const lexeme of new Lexer().lex(source.text)) {
      yield* parser.next(lexeme);
      isTooDeep = countOpenLevels(parser) > maxDepth;
      if (isTooDeep) return;
    }
    yield* parser.end();
  }
  // readData handles further tags, duplicate keys, aliases and merge keys.
  const options = {
    schema: "core",
    stringKeys: true,
    uniqueKeys: false,
    resolveKnownTags: false,
    merge: false,
  } as const;
  const composed = new Composer(options).compose(tokens(), true, source.text.length);
  const documents = [...(composed as Generator<YamlDocument.Parsed>)];
  const place = { source, start: parser.offset - 1, end: parser.offset };
  return { documents, diagnostics: isTooDeep ? [tooDeep(place, { limit: maxDepth })] : [] };
}

function countOpenLevels({ stack }: Parser): number {
  if (stack.length <= maxDepth) return 0;
  return stack.filter(({ type }) => type === "block-map" || type === "block-seq" || type === "flow-collection").length;
}

function isEmpty({ contents }: YamlDocument.Parsed): boolean {
  return (
    contents === null ||
    ("source" in contents && contents.source === "" && contents.range[0] === contents.range[1] && !contents.tag)
  );
}
