import { type Diagnostic, defineError, defineInfo, defineWarning } from "../text/diagnostics.ts";
import { didYouMean, truncate } from "../text/messages.ts";
import type { Span } from "../text/source.ts";
import { joinAlternatives } from "./reading.ts";

// WB400x and WB4012 to WB4015: expressions

/** A JSONPath syntax error. */
export const pathSyntax = defineError("WB4001", (a: ParserMessage) => a);

/** A syntax error in a condition. */
export const conditionSyntax = defineError("WB4002", (a: ParserMessage) => a);

/** An unsupported construct in an expression. */
export const unsupportedExpression = defineError("WB4003", (a: ParserMessage) => a);

/** An expression above a size limit. */
export const expressionLimit = defineError("WB4004", (a: ParserMessage) => a);

/** A string with a path that is not replaced. */
export const unevaluatedPath = defineWarning("WB4005", (a: { path: string; hint: string }) => ({
  message: `\`${truncate(a.path)}\` is inside a longer string and is not evaluated.`,
  hint: a.hint,
}));

/** A pattern that targets may interpret differently. */
export const patternSyntax = defineError("WB4006", (a: ParserMessage) => a);

/** A number in an expression loses digits. */
export const precisionLoss = defineWarning("WB4012", (a: ParserMessage) => a);

/** A word that names a member of the data, where the error is compared. */
export const bareMember = defineWarning("WB4013", (a: { name: string; identifiers: readonly string[] }) => ({
  message: `\`${truncate(a.name)}\` is read as the member \`$.${truncate(a.name)}\` of the data.`,
  hint:
    didYouMean(a.name, a.identifiers) ??
    `Write \`'${truncate(a.name)}'\` for a string, or \`$.${truncate(a.name)}\` for the member.`,
}));

/** A JSONata syntax error. `code` is JSONata's. */
export const jsonataSyntax = defineError("WB4014", ({ message, hint, code }: JsonataMessage) => ({
  message: code === undefined ? message : `${message} (${code})`,
  hint,
}));

/** A JSONata expression that fails. */
export const jsonataFailure = defineError("WB4015", ({ message, code }: JsonataMessage) => ({
  message: code === undefined ? message : `${message} (${code})`,
}));

/** The diagnostic for a parser's error in a JSONata expression at `span`. */
export const jsonataDiagnostic = (span: Span, fault: ParserError & JsonataMessage): Diagnostic =>
  fault.category === "limit" ? expressionLimit(span, { message: fault.message }) : jsonataSyntax(span, fault);

/** A message about a JSONata expression, and JSONata's code, if it has one. */
export interface JsonataMessage extends ParserMessage {
  readonly code?: string | undefined;
}

/** The message and hint of a parser. */
export interface ParserMessage {
  readonly message: string;
  readonly hint?: string | undefined;
}

/** An error of an expression parser. */
export interface ParserError<Kind extends string = "syntax" | "unknown" | "unsupported" | "limit">
  extends ParserMessage {
  readonly category: Kind;
}

/** The grammar that an expression is parsed with. */
export type ExpressionGrammar = "path" | "condition" | "pattern";

/** The diagnostic for a parser's error at `span`. */
export function expressionDiagnostic(span: Span, fault: ParserError, grammar: ExpressionGrammar): Diagnostic {
  const detail: ParserMessage = { message: fault.message, hint: fault.hint };
  if (fault.category === "limit") return expressionLimit(span, detail);
  if (grammar === "pattern") return patternSyntax(span, detail);
  if (fault.category === "unsupported") return unsupportedExpression(span, detail);
  return grammar === "path" ? pathSyntax(span, detail) : conditionSyntax(span, detail);
}

// WB401x: jq programs

/** A jq syntax error. */
export const jqSyntax = defineError("WB4010", (a: ParserMessage) => a);

/** An undefined name in a jq program. */
export const jqName = defineError("WB4011", (a: ParserMessage) => a);

/** The diagnostic for an error in a jq program at `span`. */
export function jqDiagnostic(span: Span, { category, message, hint }: ParserError): Diagnostic {
  switch (category) {
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

// WB43xx: JSON Schemas

/** A path that the schema rules out. */
export const impossiblePath = defineWarning(
  "WB4301",
  (a: {
    step: string | number;
    within: readonly string[];
    known: readonly string[];
    declaration: "schema" | "type";
  }) => ({
    message: `The ${a.declaration} allows no ${stepName(a.step)} in ${joinAlternatives(a.within)}.`,
    hint: remedy(a),
  }),
);

/** An unlisted member whose name resembles a listed one. */
export const unlistedMember = defineInfo(
  "WB4302",
  (a: { name: string; known: readonly string[]; declaration: "schema" | "type" }) => ({
    message: `The ${a.declaration} does not list the member \`${truncate(a.name)}\`.`,
    hint: didYouMean(a.name, a.known),
  }),
);

/** A missing or unreadable schema file. */
export const missingSchema = defineWarning("WB4303", (a: { uri: string; reason: string }) => ({
  message: `Cannot read the schema \`${truncate(a.uri)}\`: ${a.reason}.`,
}));

/** An unknown fragment of a schema. */
export const missingSchemaPart = defineWarning("WB4304", (a: { path: string; fragment: string }) => ({
  message: `\`${truncate(a.path)}\` has no schema at \`#${truncate(a.fragment)}\`.`,
}));

/** A file that is not a JSON Schema. */
export const invalidSchema = defineWarning("WB4305", (a: { message: string; hint?: string | undefined }) => ({
  message: `Invalid JSON Schema. ${a.message}`,
  hint: a.hint,
}));

/** A dangling `$ref` in a schema. */
export const unresolvedSchemaReference = defineWarning("WB4306", (a: { reference: string }) => ({
  message: `This file has no schema at \`${truncate(a.reference)}\`.`,
  hint: "Correct the reference; until then, any value is accepted.",
}));

/** A schema of inputs that is not enforced. */
export const unenforcedSchema = defineWarning("WB4308", (a: { reason: string }) => ({
  message: `This schema is not enforced: ${a.reason}.`,
  hint: "Correct the schema, or copy what it refers to into it; until then, runs start with any object.",
}));

/** An output that cannot match its schema. */
export const outputMismatch = defineWarning(
  "WB4307",
  (a: { path: readonly string[]; found: readonly string[]; wanted: readonly string[] }) => ({
    message: `The workflow's output does not match its schema: ${subject(a.path)} is ${contrast(a.found, a.wanted)}.`,
  }),
);

interface ArgumentMisfit {
  readonly name: string;
  readonly path: readonly string[];
  /** Empty if it is missing. */
  readonly found: readonly string[];
  readonly wanted: readonly string[];
}

/** An argument that the type of its function does not allow. */
export const argumentMismatch = defineError("WB4309", (a: ArgumentMisfit) => ({
  message: `\`${truncate(a.name)}\` does not accept this argument: ${subject(a.path)} is ${a.found.length === 0 ? "missing" : `${joinAlternatives(a.found)}, not ${joinAlternatives(a.wanted)}`}.`,
}));

/** An argument that may be one that the type of its function does not allow. */
export const uncertainArgument = defineWarning("WB4310", (a: ArgumentMisfit) => ({
  message: `\`${truncate(a.name)}\` may not accept this argument: ${subject(a.path)} may be ${a.found.length === 0 ? "missing" : `${joinAlternatives(a.found)}, not ${joinAlternatives(a.wanted)}`}.`,
}));

const stepName = (step: string | number): string =>
  typeof step === "string" ? `member \`${truncate(step)}\`` : `element ${step}`;

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
  return within.includes("an array") ? "Select elements of an array with `[0]` or `[*]`." : undefined;
}

const subject = (path: readonly string[]): string => (path.length === 0 ? "it" : `\`${truncate(path.join("."))}\``);

function contrast(found: readonly string[], wanted: readonly string[]): string {
  if (found.includes("missing")) return "missing";
  return wanted.includes("allowed") ? "not allowed" : `${joinAlternatives(found)}, not ${joinAlternatives(wanted)}`;
}
