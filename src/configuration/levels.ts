import { invalidLevel, unusedSuppression } from "../diagnostics/configuration.ts";
import { joinAlternatives } from "../diagnostics/reading.ts";
import { type Document, readDocuments } from "../documents/index.ts";
import { severities } from "../generated/severities.js";
import { isObject, type Json, type JsonObject, own } from "../json.ts";
import type { Diagnostic, Report, Severity } from "../text/diagnostics.ts";
import { truncate } from "../text/messages.ts";
import type { Source, Span } from "../text/source.ts";
import { readObjectAt } from "./bindings.ts";

/** The level of a kind of diagnostic: a severity, or `off`. */
export type DiagnosticLevel = Severity | "off";

/** Levels by diagnostic code. */
export type DiagnosticLevels = ReadonlyMap<string, { readonly level: DiagnosticLevel; readonly span: Span }>;

const levels: readonly string[] = ["off", "info", "warning", "error"] satisfies readonly DiagnosticLevel[];

/** Reads `diagnostics` of a configuration, such as `{ WB4103: off }`. */
export function readLevels(root: JsonObject, document: Document, report: Report): DiagnosticLevels {
  const given = readObjectAt(root, "diagnostics", "`diagnostics`", document, report);
  const levelsByCode = new Map<string, { readonly level: DiagnosticLevel; readonly span: Span }>();
  for (const [code, level] of Object.entries(given)) {
    const span = document.spanOf(given, code, "key");
    // YAML 1.1 parses `off` as false.
    const word = level === false ? "off" : level;
    const severity = own(severities, code);
    if (severity === undefined)
      report(invalidLevel(span, { detail: `\`${truncate(code)}\` is not a diagnostic code` }));
    else if (severity === "error" && word !== "error")
      report(invalidLevel(span, { detail: `${code} is an error, which cannot be downgraded or turned off` }));
    else if (typeof word !== "string" || !levels.includes(word))
      report(
        invalidLevel(document.spanOf(given, code), {
          detail: `The level must be ${joinAlternatives(levels.map((each) => `\`${each}\``))}`,
        }),
      );
    else levelsByCode.set(code, { level: word as DiagnosticLevel, span });
  }
  return levelsByCode;
}

/**
 * Applies levels and suppressions, except to errors. Unused suppressions are reported, unless the file has errors or
 * they concern targets.
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
    const level =
      diagnostic.severity === "error" ? "error" : levelsOf(diagnostic.span.source)?.get(diagnostic.code)?.level;
    if (level === "off") return [];
    return [level === undefined ? diagnostic : { ...diagnostic, severity: level }];
  });
  const broken = new Set(diagnostics.filter(({ severity }) => severity === "error").map(({ span }) => span.source));
  const unused = ignores.filter((each) => !used.has(each) && !broken.has(each.span.source) && !/^WB5/.test(each.code));
  return [
    ...kept,
    ...unused.map(({ code, span, range }) => unusedSuppression(span, { code, isLine: range.kind === "line" })),
  ];
}

interface Suppression {
  readonly code: string;
  readonly span: Span;
  readonly range: { readonly kind: "line"; readonly span: Span } | { readonly kind: "object"; readonly span: Span };
}

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

/** `# waybill-ignore WB4103, WB2004: reason` applies to the next line. */
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

/** `"metadata": { "waybill-ignore": { "WB4103": "reason" } }` applies to its object. */
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
