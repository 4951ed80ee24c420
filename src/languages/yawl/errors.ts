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
import type { RetrySpans } from "../../ir/recovery.ts";
import type { Handler, Retry } from "../../ir/workflow.ts";
import { limitSuggestions } from "../../text/messages.ts";
import { type ReadContext, spanOf, statedSpan } from "../shared/properties.ts";
import { assign, complete, declare, end, type StepFragment, sequence } from "../shared/steps.ts";
import type { Writer } from "./context.ts";
import { mergeOutput } from "./data.ts";
import { cappedDelay, neverRetries, retriesTooLong, unhandleableError, unknownCode } from "./diagnostics/kinds.ts";
import { durationAt } from "./durations.ts";
import { jsonAt } from "./expressions.ts";
import { nextReference } from "./transitions.ts";

/** Matches every error except `STEP_INTERNAL`. */
export const anyError = "ALL";

/** The uncatchable error. */
export const internalError = "STEP_INTERNAL";

/** The error of a timeout. */
export const timeoutError = "STEP_TIMEOUT";

/** Whether an error code exists. */
export const isErrorCode = (code: string): boolean =>
  fixedCodes.has(code) || (/^(?:HTTP|CONTAINER)_CALL_\d{3}$/.test(code) && isStatus(Number(code.slice(-3))));

/** The error codes to suggest. */
export const errorCodes = (): readonly string[] => [
  ...fixedCodes,
  ...[400, 401, 403, 404, 408, 409, 422, 429, 500, 502, 503, 504].flatMap((status) => [
    `HTTP_CALL_${status}`,
    `CONTAINER_CALL_${status}`,
  ]),
];

const isStatus = (status: number): boolean => status >= 400 && status <= 526;

const fixedCodes: ReadonlySet<string> = new Set(
  `ALL INVALID_INPUT CANCELLED TERMINATED TIMEOUT STEP_DATA_LIMIT_EXCEEDED STEP_NO_CHOICE_MATCHED STEP_PERMISSION_DENIED STEP_TIMEOUT STEP_INVALID_OUTPUT
  STEP_INTERNAL STEP_INVALID_TEMPLATE_EXPRESSION STEP_FAIL STEP_INVALID_ARGUMENT STEP_QUOTA_EXCEEDED STEP_FAILED_PRECONDITION
  GRPC_CALL_CANCELLED GRPC_CALL_DEADLINE_EXCEEDED GRPC_CALL_UNIMPLEMENTED GRPC_CALL_UNAVAILABLE GRPC_CALL_UNKNOWN GRPC_CALL_INTERNAL
  GRPC_CALL_RESOURCE_EXHAUSTED GRPC_CALL_UNAUTHENTICATED GRPC_CALL_INVALID_ARGUMENT GRPC_CALL_NOT_FOUND GRPC_CALL_ALREADY_EXISTS
  GRPC_CALL_PERMISSION_DENIED GRPC_CALL_FAILED_PRECONDITION GRPC_CALL_ABORTED GRPC_CALL_OUT_OF_RANGE GRPC_CALL_DATA_LOSS GRPC_CALL_INVALID_OPTIONS
  GRPC_CALL_INVALID_REFLECTION_SERVER_RESPONSE FUNCTION_CALL_INVALID_RESPONSE YDB_CALL_SERVICE_UNAVAILABLE AI_AGENT_MCP_TOOLS_BAD_CONFIGURATION
  AI_AGENT_MAX_ITERATIONS_REACHED DATABASE_QUERY_CONNECTION_FAILED DATABASE_QUERY_UNAVAILABLE DATABASE_QUERY_CONSTRAINT_VIOLATION DATABASE_QUERY_DEADLOCK`
    .trim()
    .split(/\s+/),
);

/** The retries of a policy; none without `retryCount`. */
export function retriesOf(reading: ReadContext, policy: RetryPolicy | undefined): readonly Retry[] {
  if (!policy) return [];
  const span = spanOf(reading, policy);
  const { retryCount: limit = 0, backoffRate: factor = 1 } = policy;
  const base = durationAt(reading, policy, "initialDelay", { least: 1, most: maxDelay }) ?? 1;
  const written = durationAt(reading, policy, "maxDelay", { least: 1, most: maxDelay });
  const when = simplify(errorCondition(reading, policy));
  if (limit === 0) {
    reading.report(neverRetries(spanOf(reading, policy, "errorList", "key"), { missing: "count" }));
    return [];
  }
  if (policy.errorList.length === 0 && policy.errorListMode !== "EXCLUDE") {
    reading.report(neverRetries(spanOf(reading, policy, "errorList"), { missing: "errors" }));
    return [];
  }
  const longest = base * factor ** (limit - 1);
  const cap = written ?? maxDelay;
  if (written === undefined && longest > 1)
    reading.report(cappedDelay(spanOf(reading, policy, factor > 1 ? "backoffRate" : "initialDelay", "key"), {}));
  const total = sumOfWaits({ base, factor, cap, limit });
  if (total > maxRetryTime)
    reading.report(retriesTooLong(spanOf(reading, policy, "retryCount"), { hours: Math.ceil(total / 3600) }));
  const spans: RetrySpans = {
    limit: statedSpan(reading, policy, "retryCount"),
    base: statedSpan(reading, policy, "initialDelay"),
    factor: statedSpan(reading, policy, "backoffRate"),
    cap: statedSpan(reading, policy, "maxDelay"),
  };
  return [{ when, limit, delay: { base, factor, step: 0, ...(longest > cap ? { cap } : {}) }, spans, span }];
}

/** In seconds. */
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

const partOf = (name: "name" | "message"): Expression => firstOr(member(error, name), literal(""));

const name = member(error, "name");
const origin = member(error, "origin");

/** Timeouts may have another name. */
const hasCode = (code: string): Expression => {
  const named = binary("==", name, literal(code));
  return code === timeoutError ? or(binary("==", origin, literal("timeout")), named) : named;
};

const hasOtherCode = (code: string): Expression => {
  const named = binary("!=", name, literal(code));
  return code === timeoutError ? and(binary("!=", origin, literal("timeout")), named) : named;
};

const or = (left: Expression, right: Expression): Expression => balanced("or", [left, right]);

/** `STEP_INTERNAL` never matches. */
function errorCondition(reading: ReadContext, list: Pick<CatchRule, "errorList" | "errorListMode">): Expression {
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

function checkedCodes(reading: ReadContext, { errorList }: Pick<CatchRule, "errorList">): readonly string[] {
  const suggested = limitSuggestions(errorCodes());
  return errorList.filter((code, i) => {
    const span = () => spanOf(reading, errorList, i);
    if (!isErrorCode(code)) reading.report(unknownCode(span(), { code, known: suggested() }));
    else if (code === internalError) reading.report(unhandleableError(span(), {}));
    return isErrorCode(code) && code !== internalError;
  });
}

/** The handlers for catch rules, in order. */
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

function lowerCatch(writer: Writer, rule: CatchRule): StepFragment {
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
