import type { Diagnostic, Severity } from "../text/diagnostics.ts";
import { positionOf, type Span } from "../text/source.ts";
import { excerpt } from "./excerpt.ts";
import { visible } from "./visible.ts";

/** How to write for people. */
export interface TextOptions {
  /** Whether to use the colours of a terminal (ANSI escapes). */
  readonly color?: boolean | undefined;
}

/** Diagnostics as people read them: the verdict, the place, the line with the fault underlined, the hint. Ends with a line break. */
export function renderText(diagnostics: readonly Diagnostic[], options: TextOptions = {}): string {
  const paint = options.color ? colored : plain;
  return diagnostics.map((diagnostic) => `${lines(diagnostic, paint).join("\n")}\n`).join("\n");
}

function lines({ severity, code, message, hint, span, notes }: Diagnostic, paint: Paint): readonly string[] {
  return [
    `${paint(place(span), "bold")}: ${paint(`${severity} ${code}`, severity)}: ${visible(message)}`,
    ...excerpt(span).map((line, i) => (i === 1 ? paint(line, severity) : line)),
    ...(hint === undefined ? [] : [`  ${paint("hint:", "bold")} ${visible(hint)}`]),
    ...notes.flatMap((note) => [`  ${place(note.span)}: ${visible(note.message)}`, ...excerpt(note.span)]),
  ];
}

function place({ source, start }: Span): string {
  const { line, column } = positionOf(source, start);
  return `${visible(source.path)}:${line}:${column}`;
}

type Style = Severity | "bold";
type Paint = (text: string, style: Style) => string;

const plain: Paint = (text) => text;
const colored: Paint = (text, style) => `\u001b[${codes[style]}m${text}\u001b[0m`;
const codes: { readonly [style in Style]: string } = { error: "1;31", warning: "1;33", info: "1;36", bold: "1" };
