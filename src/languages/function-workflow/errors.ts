import { balanced, binary, type Expression, literal, member, variable } from "../../expressions/index.ts";
import type { Action, RetryEntry } from "../../generated/function-workflow-definition.ts";
import type { RetrySpans } from "../../ir/recovery.ts";
import type { Handler, Retry } from "../../ir/workflow.ts";
import { equalJson, type Json } from "../../json.ts";
import { limitSuggestions } from "../../text/messages.ts";
import type { Span } from "../../text/source.ts";
import { spanOf, statedSpan } from "../shared/properties.ts";
import type { Context } from "./context.ts";
import { unknownErrorCode, unreachableRetryEntry, unusedInterval } from "./diagnostics/kinds.ts";
import { durationAt } from "./durations.ts";

/** A filter selects nothing. */
export const filterError = "SYS.FilterError";

/** A timeout. */
export const timeoutError = "SYS.Timeout";

/** A failing end state, or a switch without a match. */
export const failError = "SYS.Fail";

/** A denied call. */
export const permissionError = "SYS.Permission";

/** A function rejects its argument. */
export const parameterError = "SYS.InvalidParameter";

/** Matches every error. */
export const anyError = "SYS.MatchAny";

/** The predefined error codes (Function Workflow 0.1, Errors). */
export const errorCodes: readonly string[] = [
  timeoutError,
  failError,
  anyError,
  permissionError,
  parameterError,
  filterError,
];

/** Whether a code looks like a predefined one. */
export const isLanguageCode = (code: string): boolean => /^SYS\./i.test(code);

/** An entry of `retry`. */
export interface ErrorRule {
  readonly entry: RetryEntry;
  /** Undefined if it matches no error. */
  readonly code: string | undefined;
  /** Undefined if it matches no result. */
  readonly results: readonly Json[] | undefined;
  readonly limit: number;
  readonly interval: number;
  readonly spans: RetrySpans;
  readonly hasExit: boolean;
  readonly span: Span;
}

/**
 * The rules of an action. A string matches error codes and results, a predefined code only errors, any other value only
 * results. Reports rules that never apply.
 */
export function rulesOf(context: Context, { retry = [] }: Pick<Action, "retry">): readonly ErrorRule[] {
  const rules: ErrorRule[] = [];
  for (const written of retry.map((entry) => ruleOf(context, entry))) {
    const rule = remainderOf(written, rules);
    if (rule.code !== undefined || rule.results) rules.push(rule);
    else {
      const earlier = rules.find((each) => overlaps(each, written))!;
      const note = { message: "The earlier entry is here.", span: earlier.span };
      context.report(unreachableRetryEntry(written.span, {}, [note]));
    }
  }
  return rules;
}

function remainderOf(rule: ErrorRule, earlier: readonly ErrorRule[]): ErrorRule {
  const isTaken = earlier.some(({ code }) => code === anyError || code === rule.code);
  const taken = earlier.flatMap(({ results = [] }) => results);
  const results = rule.results?.filter((each) => !taken.some((one) => equalJson(each, one)));
  return { ...rule, code: isTaken ? undefined : rule.code, results: results?.length ? results : undefined };
}

const overlaps = (rule: ErrorRule, other: ErrorRule): boolean =>
  remainderOf(other, [rule]).code !== other.code ||
  remainderOf(other, [rule]).results?.length !== other.results?.length;

function ruleOf(context: Context, entry: RetryEntry): ErrorRule {
  const { match, "max-retry": limit = 0 } = entry;
  const span = spanOf(context, entry, "match");
  const isCode = typeof match === "string" && isLanguageCode(match);
  const interval = entry["retry-interval"] === undefined ? 0 : (durationAt(context, entry, "retry-interval") ?? 0);
  if (isCode && !errorCodes.includes(match))
    context.report(unknownErrorCode(span, { code: match, known: limitSuggestions(errorCodes)() }));
  if (interval > 0 && limit === 0) context.report(unusedInterval(spanOf(context, entry, "retry-interval", "key"), {}));
  return {
    entry,
    code: typeof match === "string" ? match : undefined,
    results: isCode ? undefined : matchingResults(match),
    limit,
    interval,
    spans: { base: statedSpan(context, entry, "retry-interval"), limit: statedSpan(context, entry, "max-retry") },
    hasExit: entry["next-state"] !== undefined,
    span,
  };
}

/** Both `5` and `"5"`. */
function matchingResults(match: Json): readonly Json[] {
  if (typeof match === "number" || typeof match === "boolean") return [match, String(match)];
  if (typeof match !== "string") return [match];
  if (match === "true" || match === "false") return [match, match === "true"];
  return match !== "" && String(Number(match)) === match ? [match, Number(match)] : [match];
}

const error = variable("error");

/** Tests whether the current error matches a rule. */
export function matchesError({ code }: ErrorRule): Expression {
  if (code === undefined) return literal(false);
  if (code === anyError) return literal(true);
  const named = binary("==", member(error, "name"), literal(code));
  if (code !== timeoutError) return named;
  return balanced("or", [binary("==", member(error, "origin"), literal("timeout")), named]);
}

/** Tests whether a result matches a rule. */
export const matchesResult = ({ results = [] }: ErrorRule, result: Expression): Expression =>
  balanced(
    "or",
    results.map((each) => binary("==", result, literal(each))),
  );

/** Whether a rule catches filter errors. */
export const catchesFilterErrors = (rules: readonly ErrorRule[]): boolean =>
  rules.some(({ code }) => code === anyError || code === filterError);

const shadows = (rule: ErrorRule, later: readonly ErrorRule[]): boolean =>
  rule.code !== undefined &&
  later.some(({ code }) => code !== undefined && (code === rule.code || code === anyError || rule.code === anyError));

/** The retries after errors; keeps rules that shadow later ones. */
export const retriesFor = (rules: readonly ErrorRule[]): readonly Retry[] =>
  rules.flatMap((rule, i) => {
    const { code, limit, interval: base, spans, span } = rule;
    const stands =
      code !== undefined &&
      (limit > 0 ||
        shadows(
          rule,
          rules.slice(i + 1).filter((each) => each.limit > 0),
        ));
    return stands ? [{ when: matchesError(rule), limit, delay: { base, factor: 1, step: 0 }, spans, span }] : [];
  });

/** The rules with a `next-state`, and those that shadow them. */
export const exitRules = (rules: readonly ErrorRule[]): readonly ErrorRule[] =>
  rules.filter(
    (rule, i) =>
      rule.code !== undefined &&
      (rule.hasExit ||
        shadows(
          rule,
          rules.slice(i + 1).filter((each) => each.hasExit),
        )),
  );

/** The error handler of a rule. */
export const handlerFor = (rule: ErrorRule, next: Handler["next"], bind?: string): Handler => ({
  when: matchesError(rule),
  bind,
  next,
  span: rule.span,
});
