import { unknownLanguage, unrecognizedLanguage } from "../diagnostics/reading.ts";
import type { Document, ReadResult } from "../documents/index.ts";
import { isObject, type Json, type JsonObject, own } from "../json.ts";
import { certainScore, type Detection, type Evidence, type Language, noMatch, threshold } from "../language.ts";
import type { Report } from "../text/diagnostics.ts";
import type { Source, Span } from "../text/source.ts";

/** Reads a source; as near-JSON if a language recognizes it. */
export function readSource(
  languages: readonly Language[],
  source: Source,
  plain: ReadResult,
  from: string | undefined,
): ReadResult {
  for (const { name, read } of languages) {
    const other = from === undefined || from === name ? read?.(source, plain, from === name) : undefined;
    if (other) return other;
  }
  return plain;
}

/** The language of a document. */
export type DetectedLanguage =
  | { readonly kind: "known"; readonly language: Language }
  | { readonly kind: "ambiguous"; readonly languages: readonly Language[] }
  | {
      readonly kind: "foreign";
      readonly dialect: string;
      readonly evidence: readonly Evidence[];
      readonly language: Language | undefined;
      readonly version: string | undefined;
      readonly advice: string | undefined;
    }
  | { readonly kind: "doubtful"; readonly language: Language }
  | { readonly kind: "unknown" };

/** Finds the best language; the order of languages does not matter. */
export function detectLanguage(value: Json, languages: readonly Language[]): DetectedLanguage {
  const seen = languages.map((language): Candidate => ({ language, detection: language.detect(value) }));
  const others = foreignLanguages.map((each): Candidate => ({ language: undefined, detection: each(value) }));
  const [first, ...rest] = [...seen, ...others].sort(byScore);
  if (!first || first.detection.score < doubtThreshold) return { kind: "unknown" };
  const { language, detection } = first;
  if (detection.dialect !== undefined) {
    const { dialect, advice, evidence } = detection;
    return {
      kind: "foreign",
      dialect,
      advice,
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

/** Returns the language `from` or the detected one, or reports. */
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
  if (document.isRecovered && found.kind !== "known" && found.kind !== "foreign") return undefined;
  switch (found.kind) {
    case "known":
      return found.language;
    case "ambiguous":
      report(
        unrecognizedLanguage(firstCharacter(document), { known, languages: found.languages.map(({ name }) => name) }),
      );
      return undefined;
    case "foreign":
      report(
        unrecognizedLanguage(evidenceSpan(document, found.evidence), {
          known,
          dialect: found.dialect,
          mark: found.evidence[0]?.key,
          read: found.version,
          advice: found.advice,
        }),
      );
      return undefined;
    default:
      report(unrecognizedLanguage(firstCharacter(document), { known }));
      return undefined;
  }
}

/** The span of the first evidence. */
export function evidenceSpan(document: Document, [first]: readonly Evidence[]): Span {
  return first ? document.spanOf(first.owner, first.key, "key") : firstCharacter(document);
}

const firstCharacter = ({ span }: Document): Span => ({ ...span, end: Math.min(span.end, span.start + 1) });

interface Candidate {
  readonly language: Language | undefined;
  readonly detection: Detection;
}

const doubtThreshold = (threshold * 2) / 3;

const byScore = (a: Candidate, b: Candidate): number => b.detection.score - a.detection.score;

const isDoubtful = ({ detection }: Candidate): boolean => detection.score >= doubtThreshold;

const foreignLanguages: readonly ((value: Json) => Detection)[] = [
  foreignLanguage("a file around a state machine in Amazon States Language", markOfWrapper),
  foreignLanguage("a mock configuration of Step Functions Local", (value) => [
    isObject(own(value, "StateMachines")) &&
      isObject(own(value, "MockedResponses")) && { owner: value, key: "StateMachines" },
  ]),
];

const markOfMachine = (value: JsonObject): Evidence | false =>
  isObject(own(value, "States")) && Object.hasOwn(value, "StartAt") && { owner: value, key: "StartAt" };

/** The input of `create-state-machine`, and other files around a machine. */
function markOfWrapper(value: JsonObject): readonly (Evidence | false)[] {
  const wrapped = ["definition", "Definition", "definitionString", "DefinitionString"].find((key) =>
    containsMachine(own(value, key) ?? null, maxWrapperDepth),
  );
  return [wrapped !== undefined && { owner: value, key: wrapped }];
}

const maxWrapperDepth = 4;

function containsMachine(value: Json, depth: number): boolean {
  if (typeof value === "string") return /"StartAt"\s*:/.test(value) && /"States"\s*:/.test(value);
  if (!isObject(value)) return false;
  return (
    markOfMachine(value) !== false ||
    (depth > 0 && Object.values(value).some((each) => containsMachine(each, depth - 1)))
  );
}

function foreignLanguage(
  name: string,
  marksOf: (value: JsonObject) => readonly (Evidence | false)[],
): (value: Json) => Detection {
  return (value) => {
    const evidence = isObject(value) ? marksOf(value).filter((mark) => mark !== false) : [];
    return evidence.length === 0 ? noMatch : { score: certainScore, dialect: name, evidence };
  };
}
