import type { Span } from "./source.ts";

/** `--strict` lets warnings fail a run, never infos. */
export type Severity = "error" | "warning" | "info";

/** One thing that the compiler has to say, at one place. */
export interface Diagnostic {
  readonly code: string;
  readonly severity: Severity;
  /** What is the case, in one sentence, in the user's terms. */
  readonly message: string;
  /** The smallest stretch of text at fault. */
  readonly span: Span;
  /** What to do about it. */
  readonly hint?: string | undefined;
  /** Other places that help explain it, such as the first of two duplicates. */
  readonly notes: readonly Note[];
  /** What to write instead, where that is certain. */
  readonly fix?: Fix | undefined;
}

/** A change of the text that takes a fault away: stretches of it, none of which overlap, and what stands there then. */
export type Fix = readonly { readonly span: Span; readonly text: string }[];

/** The same diagnostic with what to write at its place instead, or at `span`. */
export const withFix = (diagnostic: Diagnostic, text: string, span: Span = diagnostic.span): Diagnostic => ({
  ...diagnostic,
  fix: [{ span, text }],
});

/** A second place of a diagnostic, and what it has to do with it. */
export interface Note {
  readonly message: string;
  readonly span: Span;
}

/** Every stage of the compiler tells of problems through one of these. */
export type Report = (diagnostic: Diagnostic) => void;

/** A kind of diagnostic: called with a place and the particulars, it makes one. */
export interface DiagnosticKind<Args> {
  (span: Span, args: Args, notes?: readonly Note[]): Diagnostic;
  readonly code: string;
  readonly severity: Severity;
}

/** How a kind of diagnostic words one instance of itself. */
export interface Wording {
  readonly message: string;
  readonly hint?: string | undefined;
}

const kind =
  (severity: Severity) =>
  <Args>(code: string, word: (args: Args) => Wording): DiagnosticKind<Args> => {
    const make = (span: Span, args: Args, notes: readonly Note[] = []): Diagnostic => ({
      code,
      severity,
      span,
      notes,
      ...word(args),
    });
    return Object.assign(make, { code, severity });
  };

/** Defines a kind that stops compilation. */
export const defineError = kind("error");
/** Defines a kind that lets compilation go on, unless `--strict`. */
export const defineWarning = kind("warning");
/** Defines a kind that only tells. */
export const defineInfo = kind("info");
