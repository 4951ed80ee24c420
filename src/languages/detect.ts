import { unknownDialect, unknownLanguage } from "../diagnostics/reading.ts";
import type { Document, ReadText } from "../documents/index.ts";
import { isObject, type Json, type JsonObject, own } from "../json.ts";
import { certainScore, type Detection, type Evidence, type Language, noMatch, threshold } from "../language.ts";
import type { Report } from "../text/diagnostics.ts";
import type { Source, Span } from "../text/source.ts";

/** What reading a text gives: to a language that reads what is nearly JSON where the text is meant for that, else as it was read. */
export function readSource(
  languages: readonly Language[],
  source: Source,
  plain: ReadText,
  from: string | undefined,
): ReadText {
  for (const { name, read } of languages) {
    const other = from === undefined || from === name ? read?.(source, plain, from === name) : undefined;
    if (other) return other;
  }
  return plain;
}

/** What a document is taken for. */
export type DetectedLanguage =
  | { readonly kind: "known"; readonly language: Language }
  /** It is as much in one language as in another. */
  | { readonly kind: "ambiguous"; readonly languages: readonly Language[] }
  /** It is in something that is not read: a relative of `language`, of which it is a version, or of none. */
  | {
      readonly kind: "foreign";
      readonly dialect: string;
      readonly evidence: readonly Evidence[];
      readonly language: Language | undefined;
      /** Which version is read of the language that it is in. */
      readonly version: string | undefined;
    }
  /** It may have been meant for a language, but there is too little to take it for that. */
  | { readonly kind: "doubtful"; readonly language: Language }
  | { readonly kind: "unknown" };

/** Finds the language that a document is most like; no language goes before another. */
export function detectLanguage(value: Json, languages: readonly Language[]): DetectedLanguage {
  const seen = languages.map((language): Candidate => ({ language, detection: language.detect(value) }));
  const others = foreignLanguages.map((each): Candidate => ({ language: undefined, detection: each(value) }));
  const [first, ...rest] = [...seen, ...others].sort(byScore);
  if (!first || first.detection.score < doubtThreshold) return { kind: "unknown" };
  const { language, detection } = first;
  if (detection.dialect !== undefined) {
    const { dialect, evidence } = detection;
    return {
      kind: "foreign",
      dialect,
      evidence,
      language: language ?? seen.find(isDoubtful)?.language,
      version: language?.version,
    };
  }
  if (detection.score < threshold) return { kind: "doubtful", language: language! };
  const equal = rest.flatMap((other) =>
    other.detection.score === detection.score && other.language ? [other.language] : [],
  );
  return equal.length > 0
    ? { kind: "ambiguous", languages: [language!, ...equal] }
    : { kind: "known", language: language! };
}

/** The language of a document: the one that `from` insists on, or the one that it is in. Undefined, and reported, where there is none. */
export function resolveLanguage(
  document: Document,
  from: string | undefined,
  languages: readonly Language[],
  report: Report,
): Language | undefined {
  const known = languages.map(({ name }) => name);
  if (from !== undefined) {
    const language = languages.find(({ name }) => name === from);
    if (!language) report(unknownLanguage(document.span, { name: from, known }));
    return language;
  }
  const found = detectLanguage(document.value, languages);
  switch (found.kind) {
    case "known":
      return found.language;
    case "ambiguous":
      report(unknownDialect(firstCharacter(document), { known, languages: found.languages.map(({ name }) => name) }));
      return undefined;
    case "foreign":
      report(
        unknownDialect(evidenceSpan(document, found.evidence), {
          known,
          dialect: found.dialect,
          mark: found.evidence[0]?.key,
          read: found.version,
        }),
      );
      return undefined;
    default:
      report(unknownDialect(firstCharacter(document), { known }));
      return undefined;
  }
}

/** Where a document shows what it is. */
export function evidenceSpan(document: Document, [first]: readonly Evidence[]): Span {
  return first ? document.spanOf(first.owner, first.key, "key") : firstCharacter(document);
}

const firstCharacter = ({ span }: Document): Span => ({ ...span, end: Math.min(span.end, span.start + 1) });

interface Candidate {
  /** Undefined for what is not read. */
  readonly language: Language | undefined;
  readonly detection: Detection;
}

/** From this score on a document may be meant for a language. */
const doubtThreshold = (threshold * 2) / 3;

const byScore = (a: Candidate, b: Candidate): number => b.detection.score - a.detection.score;

const isDoubtful = ({ detection: likeness }: Candidate): boolean => likeness.score >= doubtThreshold;

/** The languages of workflows that Waybill does not read and that are no version of one that it does. */
const foreignLanguages: readonly ((value: Json) => Detection)[] = [
  foreignLanguage("Amazon States Language", (value) => [
    isObject(own(value, "States")) && Object.hasOwn(value, "StartAt") && { owner: value, key: "StartAt" },
  ]),
];

/** The likeness to a language of which any mark is enough, as no other has it. */
function foreignLanguage(
  name: string,
  marksOf: (value: JsonObject) => readonly (Evidence | false)[],
): (value: Json) => Detection {
  return (value) => {
    const evidence = isObject(value) ? marksOf(value).filter((mark) => mark !== false) : [];
    return evidence.length === 0 ? noMatch : { score: certainScore, dialect: name, evidence };
  };
}
