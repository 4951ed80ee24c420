import { unknownDialect, unknownLanguage } from "../diagnostics/reading.ts";
import type { Document, ReadText } from "../documents/index.ts";
import { isObject, type Json, type JsonObject, own } from "../json.ts";
import { certain, type Evidence, enough, type Language, type Likeness, unlike } from "../language.ts";
import type { Report } from "../text/diagnostics.ts";
import type { Source, Span } from "../text/source.ts";

/** What reading a text gives: to a language that reads what is nearly JSON where the text is meant for that, else as it was read. */
export function readFor(
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
export type Recognition =
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
export function recognise(value: Json, languages: readonly Language[]): Recognition {
  const seen = languages.map((language): Seen => ({ language, likeness: language.likeness(value) }));
  const others = unread.map((each): Seen => ({ language: undefined, likeness: each(value) }));
  const [first, ...rest] = [...seen, ...others].sort(byScore);
  if (!first || first.likeness.score < doubtful) return { kind: "unknown" };
  const { language, likeness } = first;
  if (likeness.dialect !== undefined) {
    const { dialect, evidence } = likeness;
    return {
      kind: "foreign",
      dialect,
      evidence,
      language: language ?? seen.find(isDoubtful)?.language,
      version: language?.version,
    };
  }
  if (likeness.score < enough) return { kind: "doubtful", language: language! };
  const equal = rest.flatMap((other) =>
    other.likeness.score === likeness.score && other.language ? [other.language] : [],
  );
  return equal.length > 0
    ? { kind: "ambiguous", languages: [language!, ...equal] }
    : { kind: "known", language: language! };
}

/** The language of a document: the one that `from` insists on, or the one that it is in. Undefined, and reported, where there is none. */
export function languageOf(
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
  const found = recognise(document.value, languages);
  switch (found.kind) {
    case "known":
      return found.language;
    case "ambiguous":
      report(unknownDialect(beginning(document), { known, languages: found.languages.map(({ name }) => name) }));
      return undefined;
    case "foreign":
      report(
        unknownDialect(placeOf(document, found.evidence), {
          known,
          dialect: found.dialect,
          mark: found.evidence[0]?.key,
          read: found.version,
        }),
      );
      return undefined;
    default:
      report(unknownDialect(beginning(document), { known }));
      return undefined;
  }
}

/** Where a document shows what it is. */
export function placeOf(document: Document, [first]: readonly Evidence[]): Span {
  return first ? document.spanOf(first.owner, first.key, "key") : beginning(document);
}

const beginning = ({ span }: Document): Span => ({ ...span, end: Math.min(span.end, span.start + 1) });

interface Seen {
  /** Undefined for what is not read. */
  readonly language: Language | undefined;
  readonly likeness: Likeness;
}

/** From this score on a document may be meant for a language. */
const doubtful = (enough * 2) / 3;

const byScore = (a: Seen, b: Seen): number => b.likeness.score - a.likeness.score;

const isDoubtful = ({ likeness }: Seen): boolean => likeness.score >= doubtful;

/** The languages of workflows that Waybill does not read and that are no version of one that it does. */
const unread: readonly ((value: Json) => Likeness)[] = [
  dialect("Amazon States Language", (value) => [
    isObject(own(value, "States")) && Object.hasOwn(value, "StartAt") && { owner: value, key: "StartAt" },
  ]),
];

/** The likeness to a language of which any mark is enough, as no other has it. */
function dialect(
  name: string,
  marksOf: (value: JsonObject) => readonly (Evidence | false)[],
): (value: Json) => Likeness {
  return (value) => {
    const evidence = isObject(value) ? marksOf(value).filter((mark) => mark !== false) : [];
    return evidence.length === 0 ? unlike : { score: certain, dialect: name, evidence };
  };
}
