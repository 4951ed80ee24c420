import { invalidLevel, unusedSuppression } from "../diagnostics/configuration.ts";
import { joinAlternatives } from "../diagnostics/reading.ts";
import { type Document, readDocuments } from "../documents/index.ts";
import { severities } from "../generated/severities.js";
import { isObject, type Json, type JsonObject, own } from "../json.ts";
import type { Diagnostic, Report, Severity } from "../text/diagnostics.ts";
import { truncate } from "../text/messages.ts";
import type { Source, Span } from "../text/source.ts";
import { readObjectAt } from "./bindings.ts";

/** How a kind of diagnostic is taken: not at all, or as something else than it is. */
export type DiagnosticLevel = Severity | "off";

/** The grades of kinds of diagnostics, by their codes, and where they are given. */
export type DiagnosticLevels = ReadonlyMap<string, { readonly grade: DiagnosticLevel; readonly span: Span }>;

const levels: readonly string[] = ["off", "info", "warning", "error"] satisfies readonly DiagnosticLevel[];

/** Reads `diagnostics` of a configuration: `{ WB4103: off }`. What is no grade, and no code, is reported and left out. */
export function readLevels(root: JsonObject, document: Document, report: Report): DiagnosticLevels {
  const given = readObjectAt(root, "diagnostics", "`diagnostics`", document, report);
  const grades = new Map<string, { readonly grade: DiagnosticLevel; readonly span: Span }>();
  for (const [code, grade] of Object.entries(given)) {
    const span = document.spanOf(given, code, "key");
    // YAML 1.1 has `off` for false, as some editors still do.
    const word = grade === false ? "off" : grade;
    const severity = own(severities, code);
    if (severity === undefined)
      report(invalidLevel(span, { detail: `\`${truncate(code)}\` is not a diagnostic code` }));
    else if (severity === "error" && word !== "error")
      report(invalidLevel(span, { detail: `${code} is an error, which cannot be downgraded or turned off` }));
    else if (typeof word !== "string" || !levels.includes(word))
      report(
        invalidLevel(document.spanOf(given, code), {
          detail: `The level must be ${joinAlternatives(levels.map((level) => `\`${level}\``))}`,
        }),
      );
    else grades.set(code, { grade: word as DiagnosticLevel, span });
  }
  return grades;
}

/**
 * Diagnostics as the configurations grade them, without those that the definition says to ignore. Errors stay what they are: what they stop is not done. Ignored
 * codes that nothing was said of are reported, in texts without errors; not those of targets, which are not always asked.
 */
export function applyLevels(
  diagnostics: readonly Diagnostic[],
  sources: readonly Source[],
  levelsOf: (source: Source) => DiagnosticLevels | undefined,
): readonly Diagnostic[] {
  const ignores = sources.flatMap(suppressionsIn);
  const used = new Set<Suppression>();
  const isIgnored = ({ code, span, severity }: Diagnostic): boolean => {
    if (severity === "error" || ignores.length === 0) return false;
    const found = ignores.filter((each) => each.code === code && startsWithin(span, each.range));
    for (const each of found) used.add(each);
    return found.length > 0;
  };
  const kept = diagnostics.flatMap((diagnostic): readonly Diagnostic[] => {
    if (isIgnored(diagnostic)) return [];
    const grade =
      diagnostic.severity === "error" ? "error" : levelsOf(diagnostic.span.source)?.get(diagnostic.code)?.grade;
    if (grade === "off") return [];
    return [grade === undefined ? diagnostic : { ...diagnostic, severity: grade }];
  });
  const broken = new Set(diagnostics.filter(({ severity }) => severity === "error").map(({ span }) => span.source));
  const unused = ignores.filter((each) => !used.has(each) && !broken.has(each.span.source) && !/^WB5/.test(each.code));
  return [
    ...kept,
    ...unused.map(({ code, span, range }) => unusedSuppression(span, { code, isLine: range.kind === "line" })),
  ];
}

/** A place of a definition that says to ignore a kind of diagnostic in a part of it. */
interface Suppression {
  readonly code: string;
  /** Where the code stands. */
  readonly span: Span;
  readonly range: { readonly kind: "line"; readonly span: Span } | { readonly kind: "object"; readonly span: Span };
}

/** Whether something begins in a part of a text. */
const startsWithin = ({ source, start }: Span, { span }: Suppression["range"]): boolean =>
  source === span.source && start >= span.start && start <= span.end;

function suppressionsIn(source: Source): readonly Suppression[] {
  if (!source.text.includes(marker)) return [];
  return [
    ...suppressionComments(source),
    ...readDocuments(source, () => {}).flatMap((each) => suppressionMembers(each, each.value)),
  ];
}

const marker = "waybill-ignore";

/** `# waybill-ignore WB4103, WB2004: reason` by itself on a line is for the next line. */
function suppressionComments(source: Source): readonly Suppression[] {
  const { text } = source;
  return [...text.matchAll(/^[ \t]*#[ \t]*waybill-ignore[ \t]+([^:\r\n]*)/gm)].flatMap((found) => {
    const codes = found[1]!;
    const begin = found.index + found[0].length - codes.length;
    const next = text.indexOf("\n", begin) + 1;
    const end = text.indexOf("\n", next);
    const line: Span = { source, start: next === 0 ? text.length : next, end: next > 0 && end < 0 ? text.length : end };
    return [...codes.matchAll(/WB\d{4}/g)].map((code): Suppression => {
      const start = begin + code.index;
      return {
        code: code[0],
        span: { source, start, end: start + code[0].length },
        range: { kind: "line", span: line },
      };
    });
  });
}

/** `"metadata": { "waybill-ignore": { "WB4103": "reason" } }` is for the object that has it, as JSON has no comments. */
function suppressionMembers(document: Document, value: Json): readonly Suppression[] {
  if (Array.isArray(value)) return value.flatMap((each: Json) => suppressionMembers(document, each));
  if (!isObject(value)) return [];
  const metadata = own(value, "metadata");
  const ignored = isObject(metadata) ? own(metadata, marker) : undefined;
  const span = document.spanOf(value);
  const here = isObject(ignored)
    ? Object.keys(ignored).map(
        (code): Suppression => ({ code, span: document.spanOf(ignored, code, "key"), range: { kind: "object", span } }),
      )
    : [];
  return [...here, ...Object.values(value).flatMap((each) => suppressionMembers(document, each))];
}
