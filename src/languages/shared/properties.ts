import { expressionFault, lostDigits } from "../../diagnostics/data.ts";
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
  isFault,
  type JsonPath,
  type Loss,
  literal,
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

/** The definition that is being read, and who hears what is wrong with it. */
export interface Reading {
  readonly document: Document;
  readonly report: Report;
}

/** Where a property's value stands, or its key; the nearest known place where there is none. */
export const spanOf = (
  { document }: Pick<Reading, "document">,
  owner: object,
  property?: string | number,
  part?: "key" | "value",
): Span => document.spanOf(owner, property, part);

/** The duration in `owner[key]`, in seconds; undefined, and reported, where it is none. `parse` reads the language's own ways to write one. */
export function secondsAt(
  reading: Reading,
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

/** The seconds of a duration that is written in `owner[key]`; says so when years or months had to be taken for days. */
export function toSeconds(reading: Reading, owner: object, key: string, duration: Duration): number {
  const { seconds, exact } = secondsOf(duration);
  if (!exact) reading.report(inexactDuration(spanOf(reading, owner, key), { text: stringAt(owner, key), seconds }));
  return seconds;
}

/** What a path is for: to read what is there, or to say where something goes, where nothing need be. */
export type Purpose = "read" | "place";

/** Parses the path in `owner[key]`, and reports what is wrong with it. What is read by it knows its places. */
export function pathAt(
  { document, report }: Reading,
  owner: object,
  key: string,
  source: Expression,
  purpose: Purpose = "read",
): JsonPath | undefined {
  const spanAt = (from: number, to: number) => document.spanWithin(owner, key, from, to);
  const path = parseJsonPath(stringAt(owner, key), source, purpose === "read" ? { spanAt } : {});
  if (!isFault(path)) return path;
  const meant = suggestPath(stringAt(owner, key));
  const fault = meant === undefined ? path : { ...path, hint: writePathHint(meant) };
  const diagnostic = expressionFault(spanAt(path.from, path.to), fault, "path");
  const whole = spanOf({ document }, owner, key);
  report(meant === undefined ? diagnostic : withFix(diagnostic, quoteLike(whole, meant), whole));
  return undefined;
}

/** The sentence that says which path to write. */
const writePathHint = (path: string): string => `Write \`${path}\`.`;

/** What a path selects: its value, or null where there is none; the list of its values where it can select several. */
export const selected = (path: JsonPath): Expression =>
  path.definite ? firstOr(path.query, literal(null)) : collect(path.query);

/** What a path selects, or something else where it selects nothing. */
export const selectedOr = (path: JsonPath, otherwise: Expression): Expression =>
  path.definite
    ? firstOr(path.query, otherwise)
    : conditional(call("exists", path.query), collect(path.query), otherwise);

/** Whether a name that is written in `owner[key]` is that of an expression language that is read; reports it if not. */
export function checkConditionLanguage(reading: Reading, owner: object, key: string, name: string): boolean {
  if (conditionLanguageOf(name) !== undefined) return true;
  reading.report(unknownExpressionLanguage(spanOf(reading, owner, key), { name, known: conditionLanguages }));
  return false;
}

/**
 * Reads the condition in `owner[key]` in a scope; reports what is wrong with it, and takes it for true. `language` is the name of the
 * expression language, where one is said.
 */
export function conditionAt(
  { document, report }: Reading,
  owner: object,
  key: string,
  scope: ConditionScope,
  language: string | undefined,
): Expression {
  const warn = ({ from, to, message }: Loss) => report(lostDigits(spanAt(from, to), { message }));
  const spanAt = (from: number, to: number) => document.spanWithin(owner, key, from, to);
  const condition = parseCondition(
    stringAt(owner, key),
    { ...scope, spanAt },
    { language: conditionLanguageOf(language ?? ""), warn },
  );
  if (!isFault(condition)) return joinQueries(condition);
  report(expressionFault(spanAt(condition.from, condition.to), condition, "condition"));
  return literal(true);
}

/** A path over what a path selects becomes one path. */
function joinQueries(expression: Expression): Expression {
  const parts = childrenOf(expression).map((child) => joinQueries(child.expression));
  const joined = withChildren(expression, parts);
  if (joined.kind !== "query" || joined.source.kind !== "query") return joined;
  return query(joined.source.source, [...joined.source.segments, ...joined.segments]);
}

/** What is written in `owner[key]`: the schema has seen that it is a text, or a number meant for one. */
const stringAt = (owner: object, key: string): string => String((owner as { readonly [key: string]: unknown })[key]);
