import type { YAMLError, Document as YamlDocument } from "yaml";
import { keyNotString, unknownDirective, unknownTag, yamlSyntax } from "../diagnostics/reading.ts";
import { type Diagnostic, withFix } from "../text/diagnostics.ts";
import type { Source, Span } from "../text/source.ts";
import { maxErrors } from "./document.ts";
import { type ErrorExplanation, explainSyntaxError } from "./yaml-messages.ts";
import { intendedRepair, type Repair } from "./yaml-repairs.ts";

/** Describes errors up to the first structure error. `isClear`: the rest is reliable. */
export function describeSyntaxErrors(
  source: Source,
  document: YamlDocument.Parsed,
  isEcho: (diagnostic: Diagnostic) => boolean,
  isKnownTag: (tag: string) => boolean = () => false,
): { readonly diagnostics: readonly Diagnostic[]; readonly isClear: boolean } {
  const otherVersion = checkVersion(source, document);
  if (document.errors.length + document.warnings.length === 0) return { diagnostics: otherVersion, isClear: true };
  const warnings = document.warnings.filter(
    ({ code, pos: [start, end] }) =>
      valueErrorCodes.has(code) &&
      code !== "BAD_ALIAS" &&
      !(code === "TAG_RESOLVE_FAILED" && isKnownTag(source.text.slice(start, end))),
  );
  const found = [...document.errors, ...warnings].sort((a, b) => a.pos[0] - b.pos[0]);
  const broken = found.findIndex(isStructureError);
  const clear = (broken < 0 ? found : found.slice(0, broken + 1)).slice(0, maxErrors);
  const kept = clear.filter((error, i) => !isNestedKeyError(source, error, clear[i - 1]));
  const diagnostics = kept.map((error) => describeError(source, document, error).diagnostic);
  if (broken >= 0 && isEcho(diagnostics.at(-1)!)) diagnostics.pop();
  const isClear = document.errors.every(({ code }) => code === "BAD_DQ_ESCAPE");
  return { diagnostics: [...otherVersion, ...diagnostics], isClear };
}

/** A diagnostic and a repair. */
export interface StructureError {
  readonly diagnostic: Diagnostic;
  readonly repair: Repair | undefined;
}

/** Finds the first error that breaks the structure. */
export function findStructureError(source: Source, document: YamlDocument.Parsed): StructureError | undefined {
  const [first] = document.errors.filter(isStructureError).sort((a, b) => a.pos[0] - b.pos[0]);
  return first && describeError(source, document, first);
}

const isStructureError = ({ code }: YAMLError): boolean => !valueErrorCodes.has(code);

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

/** The parser repeats this error for each such key inside the key. */
function isNestedKeyError({ text }: Source, error: YAMLError, before: YAMLError | undefined): boolean {
  if (error.code !== "NON_STRING_KEY" || before?.code !== error.code) return false;
  return !text.slice(before.pos[0], error.pos[0]).includes("\n");
}

/** In YAML 1.1, `yes` and `on` are not strings. */
function checkVersion(source: Source, { directives, range }: YamlDocument.Parsed): readonly Diagnostic[] {
  const { explicit, version } = directives.yaml;
  if (!explicit || version === "1.2") return [];
  const span = directiveAt(source, source.text.lastIndexOf("%YAML", range[0]));
  return [unknownDirective(span, { text: source.text.slice(span.start, span.end) })];
}

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
        range: place,
        note,
        fix,
        repair,
      } = explainSyntaxError({ text: source.text, error, document });
      const notes = note ? [{ message: note.message, span: spanWithinText(source, note) }] : [];
      const diagnostic = yamlSyntax(place ? spanWithinText(source, place) : span, { detail, hint }, notes);
      if (!fix) return { diagnostic, repair };
      const fixed = withFix(diagnostic, fix.text, { source, start: fix.start, end: fix.end });
      return { diagnostic: fixed, repair: intendedRepair(source.text, fix) };
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
  { start, end }: Pick<ErrorExplanation["range"] & object, "start" | "end">,
): Span {
  const from = Math.min(start, source.text.trimEnd().length);
  return { source, start: from, end: Math.max(from, Math.min(end, source.text.length)) };
}
