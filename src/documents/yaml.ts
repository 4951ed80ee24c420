import { Composer, Lexer, Parser, type Document as YamlDocument } from "yaml";
import { emptyText, tooDeep } from "../diagnostics/reading.ts";
import type { Diagnostic, Report } from "../text/diagnostics.ts";
import type { Source } from "../text/source.ts";
import type { Document } from "./index.ts";
import { depthLimit, faultLimit } from "./limits.ts";
import { documentOf } from "./places.ts";
import { plainData } from "./yaml-data.ts";
import { type StructureFault, structureFault, syntaxFaults } from "./yaml-faults.ts";
import { type Repair, type Repaired, repaired } from "./yaml-repairs.ts";

/**
 * Reads a stream of YAML 1.2 documents in the core schema; leaves out empty ones, and those with faults, which it reports. With `recovers`, documents with
 * faults of which it is certain what is meant are given too.
 */
export function readYaml(source: Source, report: Report, recovers: boolean): readonly Document[] {
  const limit = Error.stackTraceLimit;
  // `yaml` makes an Error of each fault: with stack traces, a large broken text would take five times as long.
  Error.stackTraceLimit = 0;
  try {
    return readStream(source, report, recovers);
  } finally {
    Error.stackTraceLimit = limit;
  }
}

function readStream(source: Source, report: Report, recovers: boolean): readonly Document[] {
  const found: Document[] = [];
  let errors = 0;
  const add: Report = (fault) => {
    if (fault.severity === "error") errors += 1;
    if (fault.severity !== "error" || errors <= faultLimit) report(fault);
  };
  const { stream, text, repairs, told } = mostlyRepaired(source);
  for (const fault of [...told, ...stream.faults]) add(fault);
  for (const [i, document] of stream.documents.entries()) {
    const start = i === 0 ? 0 : document.range[0];
    const end = stream.documents[i + 1]?.range[0] ?? Number.POSITIVE_INFINITY;
    const own = repairs.filter((repair) => text.isBetween(repair, start, end));
    const before = errors;
    const { faults, isClear } = syntaxFaults(text.source, document, (fault) => isEcho(text.original(fault), repairs));
    for (const fault of faults) add(text.original(fault));
    if (isEmpty(document) || !isClear || own.some(({ isMeant }) => !isMeant)) continue;
    const isRecovered = errors + own.length > before;
    const reading = plainData(text.source, document, (fault) => add(text.original(fault)));
    if (reading && (recovers || !isRecovered))
      found.push(documentOf(source, text.originalReading(reading), isRecovered));
    if (errors > faultLimit) break;
  }
  if (found.length === 0 && errors === 0) add(emptyText({ source, start: 0, end: 0 }, {}));
  return found;
}

/** The documents of a text, and what keeps others from being read. */
interface Stream {
  readonly documents: readonly YamlDocument.Parsed[];
  readonly faults: readonly Diagnostic[];
}

/** So many faults of structure are looked past, so many of them that are the same one again, and so many characters are parsed in all. */
const mostRepairs = 20;
const mostEchoes = 3;
const mostCharacters = 4_000_000;

/** The documents of a text in which faults of structure are repaired, as far as it is known how; `told` are these faults. */
function mostlyRepaired(source: Source): {
  readonly stream: Stream;
  readonly text: Repaired;
  readonly repairs: readonly Repair[];
  readonly told: readonly Diagnostic[];
} {
  const repairs: Repair[] = [];
  const told: Diagnostic[] = [];
  let echoes = 0;
  for (;;) {
    const text = repaired(source, repairs);
    const stream = streamOf(text.source);
    const fault = stream.faults.length === 0 ? firstBroken(text.source, stream) : undefined;
    const repair = fault?.repair && text.originalRepair(fault.repair);
    const isEnough =
      repairs.length === mostRepairs ||
      echoes === mostEchoes ||
      source.text.length * (repairs.length + 1) > mostCharacters;
    if (!repair || isEnough) return { stream, text, repairs, told };
    const found = text.original(fault.diagnostic);
    const isFurther = !isEcho(found, repairs);
    if (isFurther) told.push(found);
    else echoes += 1;
    repairs.push(isFurther ? repair : { ...repair, isMeant: false });
  }
}

/** Whether a fault is that of the last repair again. */
const isEcho = ({ span }: Diagnostic, repairs: readonly Repair[]): boolean =>
  span.start < (repairs.at(-1)?.echoesUntil ?? 0);

function firstBroken(source: Source, { documents }: Stream): StructureFault | undefined {
  for (const document of documents) {
    const fault = structureFault(source, document);
    if (fault) return fault;
  }
  return undefined;
}

/** The documents as `yaml` composes them. The depth is watched while the text is parsed, before anything recurses. */
function streamOf(source: Source): Stream {
  const parser = new Parser();
  let isTooDeep = false;
  function* tokens() {
    for (const lexeme of new Lexer().lex(source.text)) {
      yield* parser.next(lexeme);
      isTooDeep = levelsOf(parser) > depthLimit;
      if (isTooDeep) return;
    }
    yield* parser.end();
  }
  // Tags beyond the core schema, duplicate keys, aliases and merge keys are looked at in plainData.
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
  return { documents, faults: isTooDeep ? [tooDeep(place, { limit: depthLimit })] : [] };
}

/** How many lists and objects are open; zero as long as there cannot be too many. */
function levelsOf({ stack }: Parser): number {
  if (stack.length <= depthLimit) return 0;
  return stack.filter(({ type }) => type === "block-map" || type === "block-seq" || type === "flow-collection").length;
}

/** Whether a document holds nothing, not even a written `null`. */
function isEmpty({ contents }: YamlDocument.Parsed): boolean {
  return (
    contents === null ||
    ("source" in contents && contents.source === "" && contents.range[0] === contents.range[1] && !contents.tag)
  );
}
