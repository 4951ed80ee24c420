import { bareMember, expressionDiagnostic, precisionLoss } from "../../diagnostics/data.ts";
import type { Document } from "../../documents/index.ts";
import {
  type ConditionScope,
  call,
  childrenOf,
  collect,
  conditional,
  conditionLanguageOf,
  conditionLanguages,
  type Expression,
  firstOr,
  isParseError,
  type JsonPath,
  literal,
  type ParseWarning,
  parseCondition,
  parseJsonPath,
  query,
  withChildren,
} from "../../expressions/index.ts";
import { type Report, withFix } from "../../text/diagnostics.ts";
import { quoteLike } from "../../text/fix.ts";
import {
  type Duration,
  isTimeSyntaxError,
  parseDuration,
  secondsOf,
  type TimeSyntaxError,
} from "../../text/iso8601.ts";
import type { Span } from "../../text/source.ts";
import { inexactDuration, invalidDuration, unknownExpressionLanguage } from "./diagnostics/kinds.ts";
import { suggestPath } from "./templates.ts";

/** The definition being read, and its diagnostics. */
export interface ReadContext {
  readonly document: Document;
  readonly report: Report;
}

/** The span of a property, or the nearest known one. */
export const spanOf = (
  { document }: Pick<ReadContext, "document">,
  owner: object,
  property?: string | number,
  part?: "key" | "value",
): Span => document.spanOf(owner, property, part);

/** The span of a value that `owner` states; undefined if it has no such property. */
export const statedSpan = (reading: Pick<ReadContext, "document">, owner: object, key: string): Span | undefined =>
  Object.hasOwn(owner, key) ? spanOf(reading, owner, key) : undefined;

/** The duration in `owner[key]`, in seconds; reports and returns undefined if invalid. */
export function secondsAt(
  reading: ReadContext,
  owner: object,
  key: string,
  parse: (text: string) => Duration | TimeSyntaxError = parseDuration,
): number | undefined {
  const duration = parse(stringAt(owner, key));
  if (!isTimeSyntaxError(duration)) return toSeconds(reading, owner, key, duration);
  const span = spanOf(reading, owner, key);
  const diagnostic = invalidDuration(span, duration);
  reading.report(
    duration.suggestion === undefined ? diagnostic : withFix(diagnostic, quoteLike(span, duration.suggestion)),
  );
  return undefined;
}

/** Converts a duration to seconds; reports years and months. */
export function toSeconds(reading: ReadContext, owner: object, key: string, duration: Duration): number {
  const { seconds, exact } = secondsOf(duration);
  if (!exact) reading.report(inexactDuration(spanOf(reading, owner, key), { text: stringAt(owner, key), seconds }));
  return seconds;
}

/** Whether a path reads a value or places a result. */
export type PathPurpose = "read" | "place";

/** Parses the path in `owner[key]` and reports errors. */
export function pathAt(
  { document, report }: ReadContext,
  owner: object,
  key: string,
  source: Expression,
  purpose: PathPurpose = "read",
): JsonPath | undefined {
  const spanAt = (from: number, to: number) => document.spanWithin(owner, key, from, to);
  const path = parseJsonPath(stringAt(owner, key), source, purpose === "read" ? { spanAt, isRootless: true } : {});
  if (!isParseError(path)) return path;
  const meant = suggestPath(stringAt(owner, key));
  const fault = meant === undefined ? path : { ...path, hint: `Write \`${meant}\`.` };
  const diagnostic = expressionDiagnostic(spanAt(path.from, path.to), fault, "path");
  const whole = spanOf({ document }, owner, key);
  report(meant === undefined ? diagnostic : withFix(diagnostic, quoteLike(whole, meant), whole));
  return undefined;
}

/** The selected value or null; an array if several are possible. */
export const selected = (path: JsonPath): Expression =>
  path.definite ? firstOr(path.query, literal(null)) : collect(path.query);

/** The selected value, or `otherwise`. */
export const selectedOr = (path: JsonPath, otherwise: Expression): Expression =>
  path.definite
    ? firstOr(path.query, otherwise)
    : conditional(call("exists", path.query), collect(path.query), otherwise);

/** Reports an unknown expression language in `owner[key]`. */
export function checkConditionLanguage(reading: ReadContext, owner: object, key: string, name: string): boolean {
  if (conditionLanguageOf(name) !== undefined) return true;
  reading.report(unknownExpressionLanguage(spanOf(reading, owner, key), { name, known: conditionLanguages }));
  return false;
}

/** Parses the condition in `owner[key]` in a `language`; `true` if invalid. */
export function conditionAt(
  { document, report }: ReadContext,
  owner: object,
  key: string,
  scope: ConditionScope,
  language: string | undefined,
): Expression {
  const warn = ({ from, to, message, bareName }: ParseWarning) =>
    report(bareName ? bareMember(spanAt(from, to), bareName) : precisionLoss(spanAt(from, to), { message }));
  const spanAt = (from: number, to: number) => document.spanWithin(owner, key, from, to);
  const condition = parseCondition(
    stringAt(owner, key),
    { ...scope, spanAt },
    { language: conditionLanguageOf(language ?? ""), warn },
  );
  if (!isParseError(condition)) return joinQueries(condition);
  report(expressionDiagnostic(spanAt(condition.from, condition.to), condition, "condition"));
  return literal(true);
}

function joinQueries(expression: Expression): Expression {
  const parts = childrenOf(expression).map((child) => joinQueries(child.expression));
  const joined = withChildren(expression, parts);
  if (joined.kind !== "query" || joined.source.kind !== "query") return joined;
  return query(joined.source.source, [...joined.source.segments, ...joined.segments]);
}

const stringAt = (owner: object, key: string): string => String((owner as { readonly [key: string]: unknown })[key]);
