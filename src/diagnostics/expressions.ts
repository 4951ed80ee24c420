import type { Fault } from "../expressions/index.ts";
import { type Diagnostic, defineError, defineWarning } from "../text/diagnostics.ts";
import type { Span } from "../text/source.ts";

// WB400x and WB4012: expressions, in whatever language they are written

/** A path does not follow JSONPath's grammar. */
export const pathSyntax = defineError("WB4001", (a: Detail) => a);

/** A condition does not follow the grammar of conditions. */
export const conditionSyntax = defineError("WB4002", (a: Detail) => a);

/** An expression uses something that Waybill does not read. */
export const unsupportedExpression = defineError("WB4003", (a: Detail) => a);

/** An expression is larger than Waybill reads. */
export const expressionLimit = defineError("WB4004", (a: Detail) => a);

/** A text contains a path that stands for itself. */
export const literalPath = defineWarning("WB4005", (a: { path: string }) => ({
  message: `\`${clipped(a.path)}\` is part of a longer text, so it stays as it is written.`,
  hint: "With the option `interpolate=true` it is replaced by what it selects; with a backslash before `$` it is text in any case.",
}));

/** A pattern is no regular expression that every target reads alike. */
export const patternSyntax = defineError("WB4006", (a: Detail) => a);

/** A number in an expression becomes another one. */
export const lostDigits = defineWarning("WB4012", (a: Detail) => a);

/** The sentence of a fault, as its parser words it. */
export interface Detail {
  readonly message: string;
  readonly hint?: string | undefined;
}

/** What kind of text a fault is in. */
export type Grammar = "path" | "condition" | "pattern";

/** The diagnostic for what a parser found wrong; `span` is the place of the fault's offsets in the file. */
export function expressionFault(span: Span, fault: Fault, grammar: Grammar): Diagnostic {
  const detail: Detail = { message: fault.message, hint: fault.hint };
  if (fault.fault === "limit") return expressionLimit(span, detail);
  if (grammar === "pattern") return patternSyntax(span, detail);
  if (fault.fault === "unsupported") return unsupportedExpression(span, detail);
  return grammar === "path" ? pathSyntax(span, detail) : conditionSyntax(span, detail);
}

const clipped = (text: string): string => (text.length > 80 ? `${text.slice(0, 79)}…` : text);
