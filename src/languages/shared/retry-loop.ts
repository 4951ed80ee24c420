import { and, binary, conditional, type Expression, literal, simplify, variable } from "../../expressions/index.ts";
import type { ConstantBackoff, RetrySpans } from "../../ir/recovery.ts";
import type { Assign, ChooseCase, Handler, Reference } from "../../ir/workflow.ts";
import type { Span } from "../../text/source.ts";
import {
  assign,
  complete,
  declare,
  end,
  reserve,
  reserveAttempt,
  type StepFragment,
  type StepWriter,
  sequence,
  step,
} from "./steps.ts";

/** A reason to retry: an error or an unwanted result. */
export interface RetryRule {
  readonly onError: Expression;
  readonly onSuccess: Expression;
  readonly limit: number;
  readonly delay: Omit<ConstantBackoff, "jitter">;
  readonly spans?: RetrySpans | undefined;
  readonly span: Span;
}

/** The work to retry. */
export interface RetryLoop {
  readonly rules: readonly RetryRule[];
  /** Reset before each attempt; its value is the result. */
  readonly data: string;
  readonly span: Span;
}

/** Whether a rule may retry after success. */
export const mayRetryOnSuccess = ({ onSuccess }: RetryRule): boolean =>
  onSuccess.kind !== "literal" || onSuccess.value !== false;

/** Retries work. Each rule counts its own attempts; then an error propagates and a result is accepted. */
export function retryLoop<Inner extends StepWriter>(
  writer: Inner,
  { rules, data, span }: RetryLoop,
  work: (inner: Inner) => StepFragment,
): StepFragment {
  const counted = rules.map((rule, index): CountedRule => {
    const named = (stem: string) => () => declare(writer, `${stem}${index + 1}`);
    return { rule, ...createCounter(rule.delay, { count: named("attempts"), delay: named("delay") }) };
  });
  const begin = assign(
    writer,
    "begin",
    span,
    { variable: declare(writer, "start"), value: variable(data) },
    ...counted.flatMap(({ initial }) => initial),
  );
  const { step: attempt, fill } = reserveAttempt(writer, variable(data), work);
  const again = counted.map((counter) =>
    counter.rule.limit > 0 ? retryFragment(writer, counter, data)(attempt.reference) : undefined,
  );
  const raise = end(writer, "raise", span, {
    outcome: "fail",
    extent: "scope",
    value: variable(declare(writer, "error")),
  });
  const handlers = counted.flatMap((counter, i) => handlersOf(counter, again[i], complete(raise, span)));
  const judged = rules.some(mayRetryOnSuccess) ? reserve(writer, "judge", span) : undefined;
  return (next) => {
    if (judged)
      judged.fill({
        ...judged.base,
        kind: "choose",
        cases: counted.flatMap((each, i) => casesOf(each, again[i], next)),
        otherwise: next,
      });
    fill({ restore: [], retries: [], handlers, next: judged?.reference ?? next });
    return begin(attempt.reference);
  };
}

/** The variables that count attempts, and the wait. */
export interface Counter {
  readonly count: Expression;
  readonly initial: Assign["values"];
  readonly increment: Assign["values"];
  readonly wait: Expression | undefined;
}

/** Creates a counter; `names` declares variables on demand. */
export function createCounter(
  { base, factor, step: growth, cap }: Omit<ConstantBackoff, "jitter">,
  names: { readonly count: () => string; readonly delay: () => string },
): Counter {
  const capped = (wait: Expression): Expression =>
    cap === undefined ? wait : conditional(binary(">", wait, literal(cap)), literal(cap), wait);
  const name = names.count();
  const count = variable(name);
  const initial = [{ variable: name, value: literal(0) }];
  const increment = [{ variable: name, value: binary("+", count, literal(1)) }];
  if (factor === 1 || base === 0) {
    const sum = binary("+", literal(base), binary("*", count, literal(growth)));
    const wait = growth > 0 ? capped(sum) : literal(Math.min(base, cap ?? base));
    return { count, initial, increment, wait: base > 0 || growth > 0 ? wait : undefined };
  }
  const delay = names.delay();
  const multiplied = { variable: delay, value: binary("*", variable(delay), literal(factor)) };
  return {
    count,
    initial: [...initial, { variable: delay, value: literal(base) }],
    increment: [...increment, multiplied],
    wait: capped(variable(delay)),
  };
}

interface CountedRule extends Counter {
  readonly rule: RetryRule;
}

function retryFragment(writer: StepWriter, { rule, increment, wait }: CountedRule, data: string): StepFragment {
  const { span } = rule;
  const again = (): StepFragment =>
    assign(writer, "again", span, ...increment, { variable: data, value: variable("start") });
  if (!wait) return again();
  const delay = step(writer, "wait", span, (base, next) => ({
    ...base,
    kind: "delay",
    wait: { kind: "for", seconds: wait },
    spans: { wait: rule.spans?.base },
    next,
  }));
  return sequence(delay, again());
}

const hasAttemptsLeft = ({ rule, count }: CountedRule): Expression => binary("<", count, literal(rule.limit));

function handlersOf(counter: CountedRule, again: Reference | undefined, raise: Reference): readonly Handler[] {
  const { onError, span } = counter.rule;
  const usedUp: Handler = { when: simplify(onError), bind: "error", next: raise, span };
  if (usedUp.when.kind === "literal" && usedUp.when.value === false) return [];
  return again ? [{ when: simplify(and(hasAttemptsLeft(counter), onError)), next: again, span }, usedUp] : [usedUp];
}

function casesOf(counter: CountedRule, again: Reference | undefined, next: Reference): readonly ChooseCase[] {
  const { onSuccess, span } = counter.rule;
  if (!mayRetryOnSuccess(counter.rule)) return [];
  const stands: ChooseCase = { when: onSuccess, next, span };
  return again ? [{ when: and(hasAttemptsLeft(counter), onSuccess), next: again, span }, stands] : [stands];
}
