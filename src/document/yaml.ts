import { Composer, Lexer, Parser, type Document as YamlDocument } from "yaml";
import { emptyText, tooDeep } from "../diagnostics/reading.ts";
import type { Report } from "../text/diagnostics.ts";
import type { Source } from "../text/source.ts";
import type { Document } from "./index.ts";
import { depthLimit, faultLimit } from "./limits.ts";
import { documentOf } from "./places.ts";
import { plainData } from "./yaml-data.ts";
import { syntaxFaults } from "./yaml-faults.ts";

/** Reads a stream of YAML 1.2 documents in the core schema; leaves out empty ones, and those with faults, which it reports. */
export function readYaml(source: Source, report: Report): readonly Document[] {
  const limit = Error.stackTraceLimit;
  // `yaml` makes an Error of each fault: with stack traces, a large broken text would take five times as long.
  Error.stackTraceLimit = 0;
  try {
    return readStream(source, report);
  } finally {
    Error.stackTraceLimit = limit;
  }
}

function readStream(source: Source, report: Report): readonly Document[] {
  const found: Document[] = [];
  let errors = 0;
  const add: Report = (fault) => {
    if (fault.severity === "error") errors += 1;
    if (fault.severity !== "error" || errors <= faultLimit) report(fault);
  };
  for (const document of composed(source, add)) {
    const before = errors;
    for (const fault of syntaxFaults(source, document)) add(fault);
    if (isEmpty(document) || errors > before) continue;
    const reading = plainData(source, document, add);
    if (reading) found.push(documentOf(source, reading));
    if (errors > faultLimit) break;
  }
  if (found.length === 0 && errors === 0) add(emptyText({ source, start: 0, end: 0 }, {}));
  return found;
}

/** The documents as `yaml` composes them. The depth is watched while the text is parsed, before anything recurses. */
function* composed(source: Source, report: Report): Generator<YamlDocument.Parsed> {
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
  yield* new Composer(options).compose(tokens(), true, source.text.length) as Generator<YamlDocument.Parsed>;
  if (isTooDeep) report(tooDeep({ source, start: parser.offset - 1, end: parser.offset }, { limit: depthLimit }));
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
