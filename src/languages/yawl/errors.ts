import {
  and,
  balanced,
  binary,
  type Expression,
  firstOr,
  literal,
  member,
  object,
  simplify,
  variable,
} from "../../expressions/index.ts";
import type { CatchRule, RetryPolicy } from "../../generated/yawl-definition.ts";
import type { Handler, Retry } from "../../ir/workflow.ts";
import type { Duration, TimeSyntaxError } from "../../text/iso8601.ts";
import { limitSuggestions } from "../../text/suggest.ts";
import {
  assign,
  complete,
  declare,
  end,
  type Fragment,
  type Reading,
  secondsAt,
  sequence,
  spanOf,
} from "../shared/index.ts";
import { anyError, errorCodes, internalError, isErrorCode, timeoutError } from "./codes.ts";
import type { Writer } from "./context.ts";
import { mergeOutput } from "./data.ts";
import { cappedDelay, neverRetries, neverTaken, outOfRange, retriesTooLong, unknownCode } from "./diagnostics/kinds.ts";
import { jsonAt } from "./expressions.ts";
import { nextReference } from "./plan.ts";

/** Seconds as the language writes them: `2s`, `0.5s`. Other units are none. */
export function parseSeconds(text: string): Duration | TimeSyntaxError {
  const seconds = /^(?:\d+\.?\d*|\.\d+)s$/.test(text) && text.length < 20 ? Number(text.slice(0, -1)) : undefined;
  if (seconds !== undefined) return { years: 0, months: 0, days: 0, seconds };
  const [, number, unit = ""] =
    /^\s*(\d{1,9})\s*(ms|s|m|h|d|sec|min|seconds?|minutes?|hours?|days?)?\s*$/i.exec(text.slice(0, 40)) ?? [];
  const [, hours = "0", minutes = "0", rest = "0"] =
    /^PT(?=\d)(?:(\d{1,5})H)?(?:(\d{1,5})M)?(?:(\d{1,5})S)?$/.exec(text.slice(0, 40)) ?? [];
  const iso = Number(hours) * 3600 + Number(minutes) * 60 + Number(rest);
  const meant =
    number === undefined
      ? iso || undefined
      : Number(number) * (units[unit[0]?.toLowerCase() ?? "s"] ?? 1) * (/^ms$/i.test(unit) ? 1 / 60_000 : 1);
  return {
    message: `\`${text.slice(0, 60)}\` is not a valid duration: write seconds, such as \`2s\` or \`0.5s\`.`,
    suggestion: meant === undefined ? undefined : `${meant}s`,
  };
}

const units: { readonly [letter: string]: number } = { s: 1, m: 60, h: 3600, d: 86_400 };

/** A duration in seconds between limits. */
export function durationAt(
  reading: Reading,
  owner: object,
  key: string,
  limits: { readonly least?: number; readonly most?: number },
): number | undefined {
  if (!Object.hasOwn(owner, key)) return undefined;
  const seconds = secondsAt(reading, owner, key, parseSeconds);
  const { least = 0, most = Number.POSITIVE_INFINITY } = limits;
  if (seconds === undefined || (seconds >= least && seconds <= most)) return seconds;
  reading.report(
    outOfRange(spanOf(reading, owner, key), {
      key,
      seconds,
      limit: seconds < least ? least : most,
      isLeast: seconds < least,
    }),
  );
  return undefined;
}

/** The retries of a policy: none where it does not say how many. */
export function retriesOf(reading: Reading, policy: RetryPolicy | undefined): readonly Retry[] {
  if (!policy) return [];
  const span = spanOf(reading, policy);
  const { retryCount: limit = 0, backoffRate: factor = 1 } = policy;
  const base = durationAt(reading, policy, "initialDelay", { least: 1, most: maxDelay }) ?? 1;
  const written = durationAt(reading, policy, "maxDelay", { least: 1, most: maxDelay });
  const when = simplify(errorCondition(reading, policy));
  if (limit === 0) {
    reading.report(neverRetries(spanOf(reading, policy, "errorList", "key"), {}));
    return [];
  }
  const longest = base * factor ** (limit - 1);
  const cap = written ?? maxDelay;
  if (written === undefined && longest > 1)
    reading.report(cappedDelay(spanOf(reading, policy, factor > 1 ? "backoffRate" : "initialDelay", "key"), {}));
  const total = sumOfWaits({ base, factor, cap, limit });
  if (total > maxRetryTime)
    reading.report(retriesTooLong(spanOf(reading, policy, "retryCount"), { hours: Math.ceil(total / 3600) }));
  return [{ when, limit, delay: { base, factor, step: 0, ...(longest > cap ? { cap } : {}) }, span }];
}

/** The longest wait before a retry, and the longest time that a step is tried for, in seconds. */
const maxDelay = 3600;
const maxRetryTime = 24 * 3600;

function sumOfWaits({
  base,
  factor,
  cap,
  limit,
}: {
  readonly base: number;
  readonly factor: number;
  readonly cap: number;
  readonly limit: number;
}): number {
  let [sum, wait] = [0, base];
  for (let i = 0; i < limit; i++) {
    sum += Math.min(wait, cap);
    wait = Math.min(wait * factor, cap);
  }
  return sum;
}

const error = variable("error");

/** A part of an error, which every error has. */
const partOf = (name: "name" | "message"): Expression => firstOr(member(error, name), literal(""));

const name = member(error, "name");
const origin = member(error, "origin");

/** Whether an error has a code; a step that took too long need not be called so. */
const hasCode = (code: string): Expression => {
  const named = binary("==", name, literal(code));
  return code === timeoutError ? or(binary("==", origin, literal("timeout")), named) : named;
};

const hasOtherCode = (code: string): Expression => {
  const named = binary("!=", name, literal(code));
  return code === timeoutError ? and(binary("!=", origin, literal("timeout")), named) : named;
};

const or = (left: Expression, right: Expression): Expression => balanced("or", [left, right]);

/** The condition under which an error is among those of a list, or is none of them; `STEP_INTERNAL` never is. */
function errorCondition(reading: Reading, list: Pick<CatchRule, "errorList" | "errorListMode">): Expression {
  const listed = checkedCodes(reading, list);
  const isTaken = (code: string): Expression => (code === anyError ? literal(true) : hasCode(code));
  const among = balanced("or", listed.map(isTaken));
  if (list.errorListMode !== "EXCLUDE") return listed.includes(anyError) ? and(literal(true), notInternal) : among;
  return balanced("and", [
    ...listed.map((code) => (code === anyError ? literal(false) : hasOtherCode(code))),
    notInternal,
  ]);
}

const notInternal = binary("!=", name, literal(internalError));

/** The codes of a list that there are, without the one that is never taken. */
function checkedCodes(reading: Reading, { errorList }: Pick<CatchRule, "errorList">): readonly string[] {
  const suggested = limitSuggestions(errorCodes());
  return errorList.filter((code, i) => {
    const span = () => spanOf(reading, errorList, i);
    if (!isErrorCode(code)) reading.report(unknownCode(span(), { code, known: suggested() }));
    else if (code === internalError) reading.report(neverTaken(span(), {}));
    return isErrorCode(code) && code !== internalError;
  });
}

/** Where the run goes on after errors: rules in order, each with what it merges into the state. */
export function handlersOf(writer: Writer, rules: readonly CatchRule[]): readonly Handler[] {
  return rules.flatMap((rule) => {
    const { errorList, errorListMode = "INCLUDE" } = rule;
    const span = spanOf(writer.context, rule, "errorList");
    const takesAll = errorListMode === "INCLUDE" && errorList.includes(anyError);
    const condition = simplify(errorCondition(writer.context, rule));
    const caught = (when: Expression): Handler => ({
      when,
      bind: declare(writer, "error"),
      next: complete(lowerCatch(writer, rule), span),
      span,
    });
    if (!takesAll) {
      const handler = caught(condition);
      return condition.kind === "literal" && condition.value === false ? [] : [handler];
    }
    const raised = end(writer, "raise", span, { outcome: "fail", extent: "scope", value: error });
    const isInternal = binary("==", name, literal(internalError));
    return [
      { when: isInternal, bind: declare(writer, "error"), next: complete(raised, span), span },
      caught(literal(true)),
    ];
  });
}

/** What is done after an error: the rule's output, over the error as the language shows it, becomes part of the state. */
function lowerCatch(writer: Writer, rule: CatchRule): Fragment {
  const { context, scope } = writer;
  const members = [
    ["error", partOf("name")],
    ["message", partOf("message")],
  ] as const;
  const output = jsonAt(context, rule, "output", {
    input: object(members),
    member: (_, name) => new Map<string, Expression>(members).get(name),
    global: scope.global,
  });
  const target = nextReference(writer, rule);
  const set = assign(writer, "catch", spanOf(context, rule, "output"), {
    variable: scope.state,
    value: mergeOutput(variable(scope.state), output),
  });
  return sequence(set, target ? () => target : scope.leave(writer, variable(scope.state)));
}
