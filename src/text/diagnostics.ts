import { onlyNearName } from "./messages.ts";
import { isWritten, quoteLike } from "./quote.ts";
import type { Span } from "./source.ts";

/** With `--strict`, warnings fail a run; infos never do. */
export type Severity = "error" | "warning" | "info";

/** A message about one span of a source. */
export interface Diagnostic {
  readonly code: string;
  readonly severity: Severity;
  readonly message: string;
  /** The smallest one at fault. */
  readonly span: Span;
  readonly hint?: string | undefined;
  /** Such as the first of two duplicates. */
  readonly notes: readonly Note[];
  readonly fix?: Fix | undefined;
  /** Whether the fix replaces a name that the user may still define: editors offer it, and do not apply it on their own. */
  readonly isGuess?: boolean | undefined;
  /** A fact of the program rather than of this place: others of this code become a note. */
  readonly isProgramFact?: boolean | undefined;
}

/** Edits that do not overlap. */
export type Fix = readonly { readonly span: Span; readonly text: string }[];

/** Adds a fix that replaces `span`, by default the diagnostic's. */
export const withFix = (diagnostic: Diagnostic, text: string, span: Span = diagnostic.span): Diagnostic => ({
  ...diagnostic,
  fix: [{ span, text }],
});

/** A related span and its role. */
export interface Note {
  readonly message: string;
  readonly span: Span;
}

/** Receives diagnostics. */
export type Report = (diagnostic: Diagnostic) => void;

/** Creates the diagnostics of one kind. */
export interface DiagnosticKind<Args> {
  (span: Span, args: Args, notes?: readonly Note[]): Diagnostic;
  readonly code: string;
  readonly severity: Severity;
}

/** A name that may be a misspelling of one of those that are known. */
export interface Misspelling {
  readonly name: string;
  readonly known: Iterable<string>;
  /** Whether users define the names, so that this one may be missing. */
  readonly isOpen?: boolean | undefined;
}

/** The message and hint of a diagnostic. */
export interface Wording {
  readonly message: string;
  readonly hint?: string | undefined;
  /** The name at the span, and those that are defined. If exactly one is similar, a fix replaces the name by it. */
  readonly misspelt?: Misspelling | undefined;
}

const kind =
  (severity: Severity) =>
  <Args>(code: string, word: (args: Args) => Wording): DiagnosticKind<Args> => {
    const make = (span: Span, args: Args, notes: readonly Note[] = []): Diagnostic => {
      const { misspelt, ...wording } = word(args);
      const diagnostic: Diagnostic = { code, severity, span, notes, ...wording };
      const meant =
        misspelt && isWritten(span, misspelt.name) ? onlyNearName(misspelt.name, misspelt.known) : undefined;
      if (meant === undefined) return diagnostic;
      const fixed = withFix(diagnostic, quoteLike(span, meant));
      return misspelt?.isOpen ? { ...fixed, isGuess: true } : fixed;
    };
    return Object.assign(make, { code, severity });
  };

/** Defines a kind that stops compilation. */
export const defineError = kind("error");
/** Defines a kind that stops compilation with `--strict`. */
export const defineWarning = kind("warning");
/** Defines a kind that never stops compilation. */
export const defineInfo = kind("info");

/** Defines an info that is reported once per program. */
export function defineProgramInfo<Args>(code: string, word: (args: Args) => Wording): DiagnosticKind<Args> {
  const make = defineInfo(code, word);
  const fact = (span: Span, args: Args, notes?: readonly Note[]): Diagnostic => ({
    ...make(span, args, notes),
    isProgramFact: true,
  });
  return Object.assign(fact, { code: make.code, severity: make.severity });
}

/** Keeps the first info of each code that states a fact of the program, with a note on the others. */
export function summarizeFacts(diagnostics: readonly Diagnostic[]): readonly Diagnostic[] {
  const facts = Map.groupBy(
    diagnostics.filter(({ isProgramFact, severity }) => isProgramFact && severity === "info"),
    ({ code }) => code,
  );
  return diagnostics.flatMap((diagnostic) => {
    const isFact = diagnostic.isProgramFact && diagnostic.severity === "info";
    const [first, second, ...others] = (isFact && facts.get(diagnostic.code)) || [];
    if (!second) return [diagnostic];
    if (diagnostic !== first) return [];
    const count =
      others.length === 0 ? "" : `, and in ${others.length} other ${others.length === 1 ? "place" : "places"}`;
    return [{ ...first, notes: [...first.notes, { message: `The same applies here${count}.`, span: second.span }] }];
  });
}
