import { balanced, binary, type Expression, literal, member, variable } from "../../expressions/index.ts";
import type { Action, RetryEntry } from "../../generated/function-workflow-definition.ts";
import type { Handler, Retry } from "../../ir/workflow.ts";
import { equalJson, type Json } from "../../json.ts";
import type { Span } from "../../text/source.ts";
import { limitSuggestions } from "../../text/suggest.ts";
import { spanOf } from "../shared/index.ts";
import type { Context } from "./context.ts";
import { unknownErrorCode, unreachableRetryEntry, unusedInterval } from "./diagnostics/kinds.ts";
import { durationAt } from "./durations.ts";

/** What a filter fails with whose path selects nothing. */
export const filterError = "SYS.FilterError";

/** What a step fails with whose time has passed. */
export const timeoutError = "SYS.Timeout";

/** What a run fails with that a state ends so, and a switch of which nothing holds. */
export const failError = "SYS.Fail";

/** What an action fails with whose function may not be called. */
export const permissionError = "SYS.Permission";

/** What an action fails with whose function refuses what it is given. */
export const parameterError = "SYS.InvalidParameter";

/** What stands for every error. */
export const anyError = "SYS.MatchAny";

/** The error codes that the language itself defines. */
export const errorCodes: readonly string[] = [
  timeoutError,
  failError,
  anyError,
  permissionError,
  parameterError,
  filterError,
];

/** Whether a text is meant for a code of the language, and not of a function. */
export const isLanguageCode = (code: string): boolean => /^SYS\./i.test(code);

/** What is done after an error or a result of an action. */
export interface ErrorRule {
  readonly entry: RetryEntry;
  /** The errors that it takes: those of a code, or every one; undefined: none. */
  readonly code: string | undefined;
  /** The results that it takes; undefined: none. */
  readonly results: readonly Json[] | undefined;
  readonly limit: number;
  /** In seconds. */
  readonly interval: number;
  readonly hasExit: boolean;
  readonly span: Span;
}

/**
 * The entries of an action's `retry`. A text is a code or a result; a code of the language is no result, and anything but a text is no code. Of an entry that
 * can never have its turn it is told.
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

/** What entries before it leave to a rule. */
function remainderOf(rule: ErrorRule, earlier: readonly ErrorRule[]): ErrorRule {
  const isTaken = earlier.some(({ code }) => code === anyError || code === rule.code);
  const taken = earlier.flatMap(({ results = [] }) => results);
  const results = rule.results?.filter((each) => !taken.some((one) => equalJson(each, one)));
  return { ...rule, code: isTaken ? undefined : rule.code, results: results?.length ? results : undefined };
}

/** Whether a rule takes some of what another one does. */
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
    hasExit: entry["next-state"] !== undefined,
    span,
  };
}

/** The results that are a value, or are written as it is: `5` and `"5"`. */
function matchingResults(match: Json): readonly Json[] {
  if (typeof match === "number" || typeof match === "boolean") return [match, String(match)];
  if (typeof match !== "string") return [match];
  if (match === "true" || match === "false") return [match, match === "true"];
  return match !== "" && String(Number(match)) === match ? [match, Number(match)] : [match];
}

const error = variable("error");

/** Whether a rule takes the error at hand. */
export function matchesError({ code }: ErrorRule): Expression {
  if (code === undefined) return literal(false);
  if (code === anyError) return literal(true);
  const named = binary("==", member(error, "name"), literal(code));
  if (code !== timeoutError) return named;
  return balanced("or", [binary("==", member(error, "origin"), literal("timeout")), named]);
}

/** Whether a rule takes a result. */
export const matchesResult = ({ results = [] }: ErrorRule, result: Expression): Expression =>
  balanced(
    "or",
    results.map((each) => binary("==", result, literal(each))),
  );

/** Whether some rule takes the error of a path that selects nothing. */
export const catchesFilterErrors = (rules: readonly ErrorRule[]): boolean =>
  rules.some(({ code }) => code === anyError || code === filterError);

/** Whether a rule stands between an error and rules after it. */
const shadows = (rule: ErrorRule, later: readonly ErrorRule[]): boolean =>
  rule.code !== undefined &&
  later.some(({ code }) => code !== undefined && (code === rule.code || code === anyError || rule.code === anyError));

/** The retries of a step by errors alone. An entry that allows none stands where it keeps an error from one after it. */
export const retriesFor = (rules: readonly ErrorRule[]): readonly Retry[] =>
  rules.flatMap((rule, i) => {
    const { code, limit, interval: base, span } = rule;
    const stands =
      code !== undefined &&
      (limit > 0 ||
        shadows(
          rule,
          rules.slice(i + 1).filter((each) => each.limit > 0),
        ));
    return stands ? [{ when: matchesError(rule), limit, delay: { base, factor: 1, step: 0 }, span }] : [];
  });

/** The rules at whose end something is done: they have a `next-state`, or keep an error from one that has. */
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

/** A handler for the errors that a rule takes. */
export const handlerFor = (rule: ErrorRule, next: Handler["next"], bind?: string): Handler => ({
  when: matchesError(rule),
  bind,
  next,
  span: rule.span,
});
