import type { YAMLError, Document as YamlDocument } from "yaml";
import { keyNotString, unknownDirective, unknownTag, yamlSyntax } from "../diagnostics/reading.ts";
import { type Diagnostic, withFix } from "../text/diagnostics.ts";
import type { Source, Span } from "../text/source.ts";
import { maxErrors } from "./limits.ts";
import { type ErrorExplanation, explainSyntaxError } from "./yaml-messages.ts";
import { intendedRepair, type Repair } from "./yaml-repairs.ts";

/**
 * What `yaml` found wrong with a document, in our words: everything up to the first error of structure, since errors after it are its echo. One that is an
 * echo of something else is left out. `isClear`: whether all else in the document can be read.
 */
export function describeSyntaxErrors(
  source: Source,
  document: YamlDocument.Parsed,
  isEcho: (fault: Diagnostic) => boolean,
): { readonly faults: readonly Diagnostic[]; readonly isClear: boolean } {
  const otherVersion = checkVersion(source, document);
  if (document.errors.length + document.warnings.length === 0) return { faults: otherVersion, isClear: true };
  const warnings = document.warnings.filter(({ code }) => valueErrorCodes.has(code) && code !== "BAD_ALIAS");
  const found = [...document.errors, ...warnings].sort((a, b) => a.pos[0] - b.pos[0]);
  const broken = found.findIndex(isStructureError);
  const clear = (broken < 0 ? found : found.slice(0, broken + 1)).slice(0, maxErrors);
  const kept = clear.filter((error, i) => !isNestedKeyError(source, error, clear[i - 1]));
  const faults = kept.map((error) => describeError(source, document, error).diagnostic);
  if (broken >= 0 && isEcho(faults.at(-1)!)) faults.pop();
  const isClear = document.errors.every(({ code }) => code === "BAD_DQ_ESCAPE");
  return { faults: [...otherVersion, ...faults], isClear };
}

/** A fault of a text, and how it can be read as if the fault were not there. */
export interface StructureError {
  readonly diagnostic: Diagnostic;
  readonly repair: Repair | undefined;
}

/** The first error of structure in a document. */
export function findStructureError(source: Source, document: YamlDocument.Parsed): StructureError | undefined {
  const [first] = document.errors.filter(isStructureError).sort((a, b) => a.pos[0] - b.pos[0]);
  return first && describeError(source, document, first);
}

const isStructureError = ({ code }: YAMLError): boolean => !valueErrorCodes.has(code);

/** Errors of one value, which leave the structure around it clear. All others make a guess of all that follows them. */
const valueErrorCodes: ReadonlySet<string> = new Set([
  "ALIAS_PROPS",
  "BAD_ALIAS",
  "BAD_COLLECTION_TYPE",
  "BAD_DIRECTIVE",
  "BAD_DQ_ESCAPE",
  "MULTIPLE_ANCHORS",
  "MULTIPLE_TAGS",
  "NON_STRING_KEY",
  "TAG_RESOLVE_FAILED",
]);

/** A key that is no text is reported again for each such key in it. */
function isNestedKeyError({ text }: Source, error: YAMLError, before: YAMLError | undefined): boolean {
  if (error.code !== "NON_STRING_KEY" || before?.code !== error.code) return false;
  return !text.slice(before.pos[0], error.pos[0]).includes("\n");
}

/** In YAML 1.1, plain words such as `yes` and `on` are no strings. */
function checkVersion(source: Source, { directives, range }: YamlDocument.Parsed): readonly Diagnostic[] {
  const { explicit, version } = directives.yaml;
  if (!explicit || version === "1.2") return [];
  const span = directiveAt(source, source.text.lastIndexOf("%YAML", range[0]));
  return [unknownDirective(span, { text: source.text.slice(span.start, span.end) })];
}

/** The line of a directive, without a comment after it. */
function directiveAt(source: Source, offset: number): Span {
  const start = source.text.lastIndexOf("\n", offset) + 1;
  const [text] = /^[^\r\n#]*/.exec(source.text.slice(start, start + 1000))!;
  return { source, start, end: start + text.trimEnd().length };
}

function describeError(source: Source, document: YamlDocument.Parsed, error: YAMLError): StructureError {
  const [start, end] = error.pos;
  const span = spanWithinText(source, { start, end });
  const text = source.text.slice(span.start, span.end);
  switch (error.code) {
    case "NON_STRING_KEY":
      return { diagnostic: keyNotString(span, {}), repair: undefined };
    case "TAG_RESOLVE_FAILED":
    case "BAD_COLLECTION_TYPE":
      return { diagnostic: unknownTag(span, { tag: text }), repair: undefined };
    case "BAD_DIRECTIVE":
      return { diagnostic: directiveError(source, error), repair: undefined };
    default: {
      const {
        detail,
        hint,
        place,
        note,
        fix: mend,
        repair,
      } = explainSyntaxError({ text: source.text, error, document });
      const notes = note ? [{ message: note.message, span: spanWithinText(source, note) }] : [];
      const diagnostic = yamlSyntax(place ? spanWithinText(source, place) : span, { detail, hint }, notes);
      if (!mend) return { diagnostic, repair };
      const mended = withFix(diagnostic, mend.text, { source, start: mend.start, end: mend.end });
      return { diagnostic: mended, repair: intendedRepair(source.text, mend) };
    }
  }
}

function directiveError(source: Source, error: YAMLError): Diagnostic {
  const span = directiveAt(source, error.pos[0]);
  if (error.name === "YAMLWarning") return unknownDirective(span, { text: source.text.slice(span.start, span.end) });
  return yamlSyntax(span, { detail: "This line is not a YAML directive." });
}

function spanWithinText(
  source: Source,
  { start, end }: Pick<ErrorExplanation["place"] & object, "start" | "end">,
): Span {
  const from = Math.min(start, source.text.trimEnd().length);
  return { source, start: from, end: Math.max(from, Math.min(end, source.text.length)) };
}
