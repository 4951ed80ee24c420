import { unknownGrade, unusedIgnore } from "../diagnostics/configuration.ts";
import type { Document } from "../document/index.ts";
import { severities } from "../generated/severities.js";
import { type JsonObject, own } from "../json.ts";
import { clip } from "../text/clip.ts";
import type { Diagnostic, Report, Severity } from "../text/diagnostics.ts";
import { positionOf, type Source, type Span } from "../text/source.ts";
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
    if (severity === undefined) report(unknownGrade(span, { detail: `\`${clip(code)}\` is no code of a diagnostic` }));
    else if (severity === "error" && word !== "error")
      report(unknownGrade(span, { detail: `${code} is an error, and stays one: what it stops is not done` }));
    else if (typeof word !== "string" || !known.includes(word))
      report(unknownGrade(document.spanOf(given, code), { detail: `A diagnostic is ${known.join(", ")}` }));
    else grades.set(code, { grade: word as Grade, span });
  }
  return grades;
}

/**
 * Diagnostics as the configurations grade them, without those that the line above says to ignore. Errors stay what they are: what they stop is not done. Ignored
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
    const { line } = positionOf(span.source, span.start);
    const found = ignores.find(
      (each) => each.code === code && each.line === line - 1 && each.span.source === span.source,
    );
    if (found) used.add(found);
    return found !== undefined;
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
  return [...kept, ...unused.map(({ code, span }) => unusedIgnore(span, { code }))];
}

/** A comment that says to ignore a kind of diagnostic in the next line. */
interface Ignore {
  readonly code: string;
  readonly line: number;
  readonly span: Span;
}

/** `# waybill-ignore WB4103, WB2004: reason` by itself on a line. */
function ignoresIn(source: Source): readonly Ignore[] {
  if (!source.text.includes("waybill-ignore")) return [];
  const comments = source.text.matchAll(/^[ \t]*#[ \t]*waybill-ignore[ \t]+([^:\r\n]*)/gm);
  return [...comments].flatMap(({ 0: comment, 1: codes, index }) => {
    const begin = index + comment.length - codes!.length;
    return [...codes!.matchAll(/WB\d{4}/g)].map((code) => {
      const start = begin + code.index;
      const span = { source, start, end: start + code[0].length };
      return { code: code[0], line: positionOf(source, start).line, span };
    });
  });
}
