import { invalidLevel, unusedSuppression } from "../diagnostics/configuration.ts";
import { joinAlternatives } from "../diagnostics/reading.ts";
import { type Document, readDocuments } from "../documents/index.ts";
import { severities } from "../generated/severities.js";
import { isObject, type Json, type JsonObject, own } from "../json.ts";
import type { Diagnostic, Report, Severity } from "../text/diagnostics.ts";
import { truncate } from "../text/messages.ts";
import type { Source, Span } from "../text/source.ts";
import { objectIn } from "./bindings.ts";

/** How a kind of diagnostic is taken: not at all, or as something else than it is. */
export type Grade = Severity | "off";

/** The grades of kinds of diagnostics, by their codes, and where they are given. */
export type Grades = ReadonlyMap<string, { readonly grade: Grade; readonly span: Span }>;

const known: readonly string[] = ["off", "info", "warning", "error"] satisfies readonly Grade[];

/** Reads `diagnostics` of a configuration: `{ WB4103: off }`. What is no grade, and no code, is reported and left out. */
export function readGrades(root: JsonObject, document: Document, report: Report): Grades {
  const given = objectIn(root, "diagnostics", "`diagnostics`", document, report);
  const grades = new Map<string, { readonly grade: Grade; readonly span: Span }>();
  for (const [code, grade] of Object.entries(given)) {
    const span = document.spanOf(given, code, "key");
    // YAML 1.1 has `off` for false, as some editors still do.
    const word = grade === false ? "off" : grade;
    const severity = own(severities, code);
    if (severity === undefined)
      report(invalidLevel(span, { detail: `\`${truncate(code)}\` is not a diagnostic code` }));
    else if (severity === "error" && word !== "error")
      report(invalidLevel(span, { detail: `${code} is an error, which cannot be downgraded or turned off` }));
    else if (typeof word !== "string" || !known.includes(word))
      report(
        invalidLevel(document.spanOf(given, code), {
          detail: `The level must be ${joinAlternatives(known.map((level) => `\`${level}\``))}`,
        }),
      );
    else grades.set(code, { grade: word as Grade, span });
  }
  return grades;
}

/**
 * Diagnostics as the configurations grade them, without those that the definition says to ignore. Errors stay what they are: what they stop is not done. Ignored
 * codes that nothing was said of are reported, in texts without errors; not those of targets, which are not always asked.
 */
export function graded(
  diagnostics: readonly Diagnostic[],
  sources: readonly Source[],
  gradesOf: (source: Source) => Grades | undefined,
): readonly Diagnostic[] {
  const ignores = sources.flatMap(ignoresIn);
  const used = new Set<Ignore>();
  const isIgnored = ({ code, span, severity }: Diagnostic): boolean => {
    if (severity === "error" || ignores.length === 0) return false;
    const found = ignores.filter((each) => each.code === code && isWithin(span, each.of));
    for (const each of found) used.add(each);
    return found.length > 0;
  };
  const kept = diagnostics.flatMap((diagnostic): readonly Diagnostic[] => {
    if (isIgnored(diagnostic)) return [];
    const grade =
      diagnostic.severity === "error" ? "error" : gradesOf(diagnostic.span.source)?.get(diagnostic.code)?.grade;
    if (grade === "off") return [];
    return [grade === undefined ? diagnostic : { ...diagnostic, severity: grade }];
  });
  const broken = new Set(diagnostics.filter(({ severity }) => severity === "error").map(({ span }) => span.source));
  const unused = ignores.filter((each) => !used.has(each) && !broken.has(each.span.source) && !/^WB5/.test(each.code));
  return [
    ...kept,
    ...unused.map(({ code, span, of }) => unusedSuppression(span, { code, isLine: of.kind === "line" })),
  ];
}

/** A place of a definition that says to ignore a kind of diagnostic in a part of it. */
interface Ignore {
  readonly code: string;
  /** Where the code stands. */
  readonly span: Span;
  readonly of: { readonly kind: "line"; readonly span: Span } | { readonly kind: "object"; readonly span: Span };
}

/** Whether something begins in a part of a text. */
const isWithin = ({ source, start }: Span, { span }: Ignore["of"]): boolean =>
  source === span.source && start >= span.start && start <= span.end;

function ignoresIn(source: Source): readonly Ignore[] {
  if (!source.text.includes(marker)) return [];
  return [...commentsIn(source), ...readDocuments(source, () => {}).flatMap((each) => membersIn(each, each.value))];
}

const marker = "waybill-ignore";

/** `# waybill-ignore WB4103, WB2004: reason` by itself on a line is for the next line. */
function commentsIn(source: Source): readonly Ignore[] {
  const { text } = source;
  return [...text.matchAll(/^[ \t]*#[ \t]*waybill-ignore[ \t]+([^:\r\n]*)/gm)].flatMap((found) => {
    const codes = found[1]!;
    const begin = found.index + found[0].length - codes.length;
    const next = text.indexOf("\n", begin) + 1;
    const end = text.indexOf("\n", next);
    const line: Span = { source, start: next === 0 ? text.length : next, end: next > 0 && end < 0 ? text.length : end };
    return [...codes.matchAll(/WB\d{4}/g)].map((code): Ignore => {
      const start = begin + code.index;
      return { code: code[0], span: { source, start, end: start + code[0].length }, of: { kind: "line", span: line } };
    });
  });
}

/** `"metadata": { "waybill-ignore": { "WB4103": "reason" } }` is for the object that has it, as JSON has no comments. */
function membersIn(document: Document, value: Json): readonly Ignore[] {
  if (Array.isArray(value)) return value.flatMap((each: Json) => membersIn(document, each));
  if (!isObject(value)) return [];
  const metadata = own(value, "metadata");
  const ignored = isObject(metadata) ? own(metadata, marker) : undefined;
  const span = document.spanOf(value);
  const here = isObject(ignored)
    ? Object.keys(ignored).map(
        (code): Ignore => ({ code, span: document.spanOf(ignored, code, "key"), of: { kind: "object", span } }),
      )
    : [];
  return [...here, ...Object.values(value).flatMap((each) => membersIn(document, each))];
}
