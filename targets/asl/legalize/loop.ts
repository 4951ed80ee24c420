import { and, binary, conditional, type Expression, literal, variable } from "../../../src/expressions/index.ts";
import type { Assign, Attempt, Backoff, Case, Retry } from "../../../src/ir/workflow.ts";
import type { FlatStep } from "./flatten.ts";

/** The count of an entry's retries so far. */
const counter = (attempt: Attempt, index: number): string => `${attempt.id} retries ${index + 1}`;

/** The wait that multiplying has come to. */
const pacer = (attempt: Attempt, index: number): string => `${attempt.id} wait ${index + 1}`;

/** What a variable was when the attempt began. */
const saved = (attempt: Attempt, name: string): string => `${attempt.id} ${name}`;

/** What the loop needs before its first round: each variable that is restored, and a count for each entry that allows retries. */
export function loopVariables(attempt: Attempt): Assign["values"] {
  return [
    ...attempt.restore.map((name) => ({ variable: saved(attempt, name), value: variable(name) })),
    ...attempt.retries.flatMap(({ limit, delay }, i) => [
      ...(limit > 0 ? [{ variable: counter(attempt, i), value: literal(0) }] : []),
      ...(limit > 0 && delay.factor !== 1 ? [{ variable: pacer(attempt, i), value: literal(delay.base) }] : []),
    ]),
  ];
}

/**
 * The steps that follow a failed round: the first entry that takes the error governs. While it allows a retry, count it, put the variables
 * back, wait, and begin again; else the error goes to the handlers at `errors`.
 */
export function loopSteps(attempt: Attempt, failed: string, errors: string): readonly FlatStep[] {
  const { span } = attempt;
  const common = { origin: { ...attempt.origin, entry: false }, span };
  const cases = attempt.retries.flatMap((retry, i): readonly Case[] => {
    const exhausted = { when: retry.when, next: { name: errors, span }, span: retry.span };
    if (retry.limit === 0) return [exhausted];
    const left = binary("<", variable(counter(attempt, i)), literal(retry.limit));
    const again = {
      when: and(retry.when, left),
      next: { name: `${attempt.id}/again ${i + 1}`, span },
      span: retry.span,
    };
    return i === attempt.retries.length - 1 ? [again] : [again, exhausted];
  });
  const again = attempt.retries.flatMap((retry, i) => (retry.limit === 0 ? [] : againSteps(attempt, retry, i)));
  return [{ kind: "choose", id: failed, ...common, cases, otherwise: { name: errors, span } }, ...again];
}

function againSteps(attempt: Attempt, { delay, span }: Retry, index: number): readonly FlatStep[] {
  const common = { origin: { ...attempt.origin, entry: false }, span };
  const count = variable(counter(attempt, index));
  const pace = variable(pacer(attempt, index));
  const wait = `${attempt.id}/wait ${index + 1}`;
  const values = [
    { variable: counter(attempt, index), value: binary("+", count, literal(1)) },
    ...(delay.factor === 1 ? [] : [{ variable: pacer(attempt, index), value: paced(delay, count, pace) }]),
    ...attempt.restore.map((name) => ({ variable: name, value: variable(saved(attempt, name)) })),
  ];
  const { entry } = attempt.body;
  const waits = delay.base > 0 || delay.step > 0;
  const next = waits ? { name: wait, span } : entry;
  const again: FlatStep = { kind: "assign", id: `${attempt.id}/again ${index + 1}`, ...common, values, next };
  if (!waits) return [again];
  const seconds = secondsBefore(delay, count, pace);
  return [again, { kind: "delay", id: wait, ...common, wait: { kind: "for", seconds }, next: entry }];
}

/** What multiplying makes of the wait before the next retry, after `n` retries. */
const paced = ({ base, factor }: Backoff, n: Expression, pace: Expression): Expression =>
  conditional(binary("==", n, literal(0)), literal(base), binary("*", pace, literal(factor)));

/** The wait before the n-th retry: `n` has been counted already, and `pace` is what multiplying has made of the first wait. */
function secondsBefore({ base, factor, step, cap }: Backoff, n: Expression, pace: Expression): Expression {
  const grown = factor === 1 ? literal(base) : pace;
  const added = binary("*", binary("-", n, literal(1)), literal(step));
  const seconds = step === 0 ? grown : factor === 1 && base === 0 ? added : binary("+", grown, added);
  return cap === undefined ? seconds : conditional(binary(">", seconds, literal(cap)), literal(cap), seconds);
}
