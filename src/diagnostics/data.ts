import type { Fault, NameFault } from "../expressions/index.ts";
import { clip } from "../text/clip.ts";
import { type Diagnostic, defineError, defineInfo, defineWarning } from "../text/diagnostics.ts";
import type { Span } from "../text/source.ts";
import { didYouMean } from "../text/suggest.ts";

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
export const literalPath = defineWarning("WB4005", (a: { path: string; hint: string }) => ({
  message: `\`${clip(a.path)}\` is part of a longer text, so it stays as it is written.`,
  hint: a.hint,
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

// WB401x: jq programs, wherever they stand

/** A jq program does not follow jq's grammar. */
export const jqSyntax = defineError("WB4010", (a: Detail) => a);

/** A jq program uses a name that nothing has. */
export const jqName = defineError("WB4011", (a: Detail) => a);

/** The diagnostic for what is wrong in a jq program; `span` is the place of the fault's offsets in the file. */
export function jqFault(span: Span, { fault, message, hint }: Fault | NameFault): Diagnostic {
  switch (fault) {
    case "syntax":
      return jqSyntax(span, { message, hint });
    case "unknown":
      return jqName(span, { message, hint });
    case "unsupported":
      return unsupportedExpression(span, { message, hint });
    case "limit":
      return expressionLimit(span, { message, hint });
  }
}

// WB43xx: types, as JSON Schemas say them

/** A path leads where nothing can be. */
export const impossiblePath = defineWarning(
  "WB4301",
  (a: { step: string | number; within: readonly string[]; known: readonly string[] }) => ({
    message: `There can be no ${stepName(a.step)} in ${listed(a.within)}.`,
    hint: remedy(a),
  }),
);

/** A path may be misspelt. */
export const unlistedMember = defineInfo("WB4302", (a: { name: string; known: readonly string[] }) => ({
  message: `The schema does not rule out a member \`${clip(a.name)}\`, but it lists none.`,
  hint: didYouMean(a.name, a.known),
}));

/** A schema's file is not there, or cannot be read. */
export const missingSchema = defineWarning("WB4303", (a: { uri: string; reason: string }) => ({
  message: `The schema \`${clip(a.uri)}\` cannot be read: ${a.reason}.`,
}));

/** A schema's file has no such part. */
export const missingSchemaPart = defineWarning("WB4304", (a: { path: string; fragment: string }) => ({
  message: `In \`${clip(a.path)}\` there is no schema at \`#${clip(a.fragment)}\`.`,
}));

/** A schema's text is broken. */
export const brokenSchema = defineWarning("WB4305", (a: { message: string; hint?: string | undefined }) => ({
  message: `This is not a schema. ${a.message}`,
  hint: a.hint,
}));

/** A reference in a schema leads nowhere. */
export const danglingSchemaReference = defineWarning("WB4306", (a: { reference: string }) => ({
  message: `There is no schema at \`${clip(a.reference)}\` in this file.`,
  hint: "Until there is, it allows for anything.",
}));

/** What a workflow gives cannot be what its schema says. */
export const outputMisfit = defineWarning(
  "WB4307",
  (a: { path: readonly string[]; found: readonly string[]; wanted: readonly string[] }) => ({
    message: `The workflow's output does not fit its schema: ${subject(a.path)} is ${contrast(a.found, a.wanted)}.`,
  }),
);

const stepName = (step: string | number): string =>
  typeof step === "string" ? `member \`${clip(step)}\`` : `element ${step}`;

function remedy({
  step,
  within,
  known,
}: {
  step: string | number;
  within: readonly string[];
  known: readonly string[];
}): string | undefined {
  if (typeof step === "string" && within.includes("this object")) return didYouMean(step, known);
  return within.includes("an array") ? "Elements of an array are selected by `[0]` or `[*]`." : undefined;
}

const subject = (path: readonly string[]): string => (path.length === 0 ? "it" : `\`${clip(path.join("."))}\``);

const contrast = (found: readonly string[], wanted: readonly string[]): string =>
  found.includes("missing") ? "missing" : `${listed(found)}, and not ${listed(wanted)}`;

/** "a text, a number or null". */
function listed(nouns: readonly string[]): string {
  const [last, ...others] = [...nouns].reverse();
  return others.length === 0 ? (last ?? "nothing") : `${others.reverse().join(", ")} or ${last}`;
}
