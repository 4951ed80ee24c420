import { liveness, pointsOf } from "../cfg/index.ts";
import { and, binary, conditional, type Expression, literal, substitute, variable } from "../expressions/index.ts";
import type { Names, WorkflowNames } from "../ir/names.ts";
import { assigned, handlersOf, innerScopes, retriesOf, successors } from "../ir/walk.ts";
import type {
  Assign,
  Attempt,
  Backoff,
  Case,
  Choose,
  Delay,
  End,
  Handler,
  Origin,
  Reference,
  Retry,
  Scope,
  Step,
} from "../ir/workflow.ts";
import type { Span } from "../text/source.ts";
import { errorsTaken, takesAll } from "./error-sets.ts";

/**
 * The variable in which the errors of a scope wait while steps decide what becomes of them: one that its handlers bind anyway, where nothing that comes
 * after an error still needs what it held before; else a new one.
 */
export function errorVariableOf(scope: Scope, names: Names): string {
  const points = pointsOf(scope);
  const live = liveness(points);
  const steps = [...points.values()].map(({ step }) => step);
  const bound = new Set(steps.flatMap((step) => handlersOf(step).flatMap(({ bind }) => bind ?? [])));
  const isSpare = (name: string): boolean =>
    steps.every((step) => !setsItself(step, name) && !(canRecover(step) && live.get(step.id)!.has(name)));
  return [...bound].find(isSpare) ?? names.fresh("error");
}

/** Whether a step gives a variable a value otherwise than by a handler. */
const setsItself = (step: Step, name: string): boolean =>
  step.kind === "assign" ? assigned(step).includes(name) : "bind" in step && step.bind === name;

const canRecover = (step: Step): boolean =>
  step.kind === "attempt" || handlersOf(step).length + retriesOf(step).length > 0;

/** A step of those that decide what becomes of an error. */
export type Decision = Assign | Choose | Delay | End;

/** A handler that takes every error to a step. */
export const always = (error: string, next: string, span: Span): Handler => ({
  when: literal(true),
  bind: error,
  next: { name: next, span },
  span,
});

/** A retry or a handler whose condition asks the error in a variable. */
export const over = <T extends Retry | Handler>(one: T, error: string): T =>
  error === "error" ? one : { ...one, when: substitute(one.when, new Map([["error", variable(error)]])) };

/**
 * Steps that take the error in a variable to the first handler whose condition holds; if none does, outward, or out of the scope as it came. The first has
 * the id that is given.
 */
export function dispatchSteps(
  id: string,
  owner: Step,
  handlers: readonly Handler[],
  outward: Reference | undefined,
  error: string,
  { steps: names }: Pick<WorkflowNames, "steps">,
): readonly Decision[] {
  const common = { origin: partOf(owner, "errors"), span: owner.span };
  const tail: readonly Decision[] = outward
    ? []
    : [
        {
          kind: "end",
          id: names.fresh(`${id}/unhandled`),
          ...common,
          origin: partOf(owner, "unhandled"),
          outcome: "fail",
          extent: "scope",
          value: variable(error),
        },
      ];
  const last: Reference = outward ?? { name: tail[0]!.id, span: owner.span };
  if (handlers.length === 0) return [{ kind: "assign", id, ...common, values: [], next: last }, ...tail];
  const rebounds = handlers.map((handler, i) => rebound(over(handler, error), `${id}/${i}`, common, error, names));
  const cases = rebounds.map(({ handler }) => ({ when: handler.when, next: handler.next, span: handler.span }));
  return [
    { kind: "choose", id, ...common, cases, otherwise: last },
    ...rebounds.flatMap(({ steps }) => steps),
    ...tail,
  ];
}

/** The origin of a step that is made for another, by what it does for that. */
export const partOf = ({ origin }: Step, part: string): Origin => ({ ...origin, entry: false, part });

/** A handler that wants the error in another variable gets a step that puts it there. */
function rebound(
  handler: Handler,
  wanted: string,
  common: Pick<Step, "origin" | "span">,
  error: string,
  names: Names,
): { readonly handler: Handler; readonly steps: readonly Decision[] } {
  const { bind, next, span } = handler;
  if (bind === undefined || bind === error) return { handler, steps: [] };
  const id = names.fresh(wanted);
  const step: Decision = { kind: "assign", id, ...common, values: [{ variable: bind, value: variable(error) }], next };
  return { handler: { ...handler, next: { name: id, span } }, steps: [step] };
}

/** A loop of steps that does an attempt again. */
export interface RetryLoop {
  /** What it needs before its first round: each variable that is put back, and a count for each entry that allows retries. */
  readonly begin: Assign["values"];
  /** What follows a failed round. */
  readonly steps: readonly Decision[];
}

/** Where a loop goes on after a failed round: to its first step `failed` with the error in `error`; and from there to `errors`, when it gives up. */
export interface RetryWays {
  readonly failed: string;
  readonly errors: string;
  readonly error: string;
}

/**
 * The loop for the retries of an attempt: the first entry that takes the error governs. While it allows a retry, count it, put the variables back, wait,
 * and begin again; else the error goes on.
 */
export function retryLoop(attempt: Attempt, ways: RetryWays, names: WorkflowNames): RetryLoop {
  const { id, retries, restore, span } = attempt;
  const entries = retries.map((retry, i) => entryOf(retry, `${id}`, i + 1, names));
  const saved = restore.map((name) => ({ name, copy: names.variables.fresh(`${id} ${name}`) }));
  const errors = { name: ways.errors, span };
  const cases = entries.flatMap(({ retry, counter, again }, i): readonly Case[] => {
    const { when, span } = over(retry, ways.error);
    const exhausted = { when, next: errors, span };
    if (again === undefined) return [exhausted];
    const left = binary("<", variable(counter), literal(retry.limit));
    const once = { when: and(when, left), next: { name: again, span: attempt.span }, span };
    return i === entries.length - 1 ? [once] : [once, exhausted];
  });
  const put = saved.map(({ name, copy }) => ({ variable: name, value: variable(copy) }));
  const origin = partOf(attempt, "failed");
  return {
    begin: [
      ...saved.map(({ name, copy }) => ({ variable: copy, value: variable(name) })),
      ...entries.flatMap(({ first }) => first),
    ],
    steps: [
      { kind: "choose", id: ways.failed, origin, span, cases, otherwise: errors },
      ...entries.flatMap((entry) => againSteps(attempt, entry, put)),
    ],
  };
}

/** An entry of the retries, with the names of its variables and steps. */
interface Entry {
  readonly retry: Retry;
  /** Which one it is, counted from 1. */
  readonly number: number;
  /** The count of its retries so far. */
  readonly counter: string;
  /** The wait that multiplying has come to. */
  readonly pacer: string;
  /** How these begin. */
  readonly first: Assign["values"];
  /** The steps that count and wait; undefined where there is nothing to allow, or to wait for. */
  readonly again: string | undefined;
  readonly wait: string | undefined;
}

function entryOf(retry: Retry, id: string, number: number, { steps, variables }: WorkflowNames): Entry {
  const { limit, delay } = retry;
  const counter = limit > 0 ? variables.fresh(`${id} retries ${number}`) : "";
  const pacer = limit > 0 && delay.factor !== 1 ? variables.fresh(`${id} wait ${number}`) : "";
  const again = limit > 0 ? steps.fresh(`${id}/again ${number}`) : undefined;
  const wait = again && (delay.base > 0 || delay.step > 0) ? steps.fresh(`${id}/wait ${number}`) : undefined;
  const first = [
    ...(counter === "" ? [] : [{ variable: counter, value: literal(0) }]),
    ...(pacer === "" ? [] : [{ variable: pacer, value: literal(delay.base) }]),
  ];
  return { retry, number, counter, pacer, first, again, wait };
}

function againSteps(attempt: Attempt, entry: Entry, put: Assign["values"]): readonly Decision[] {
  const { retry, number, counter, pacer, again, wait } = entry;
  if (again === undefined) return [];
  const { delay, span } = retry;
  const [count, pace] = [variable(counter), variable(pacer)];
  const values = [
    { variable: counter, value: binary("+", count, literal(1)) },
    ...(pacer === "" ? [] : [{ variable: pacer, value: paced(delay, count, pace) }]),
    ...put,
  ];
  const { entry: body } = attempt.body;
  const next = wait === undefined ? body : { name: wait, span };
  const counting: Decision = {
    kind: "assign",
    id: again,
    origin: partOf(attempt, `again ${number}`),
    span,
    values,
    next,
  };
  if (wait === undefined) return [counting];
  const seconds = secondsBefore(delay, count, pace);
  const origin = partOf(attempt, `wait ${number}`);
  return [counting, { kind: "delay", id: wait, origin, span, wait: { kind: "for", seconds }, next: body }];
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

/** The variables that have to be put back before a new attempt: those that something may have set before a step fails. */
export function restored({ body, restore }: Attempt): readonly string[] {
  return restore.filter((name) => {
    const after = reachedFrom(
      body,
      body.steps.filter((step) => sets(step, name)),
    );
    return body.steps.some(
      (step) => canRaise(step) && (after.has(step.id) || (step.kind === "attempt" && sets(step, name))),
    );
  });
}

/** Retries as far as they matter: none comes after one that takes every error, and the last ones, where they allow none, change nothing. */
export function effective(retries: readonly Retry[]): readonly Retry[] {
  const all = retries.findIndex(({ when }) => takesAll(errorsTaken(when)));
  const reached = all < 0 ? retries : retries.slice(0, all + 1);
  return reached.slice(0, reached.findLastIndex(({ limit }) => limit > 0) + 1);
}

function reachedFrom(body: Scope, sources: readonly Step[]): ReadonlySet<string> {
  const steps = new Map(body.steps.map((step) => [step.id, step]));
  const reached = new Set<string>();
  const pending = sources.flatMap(successors);
  for (let reference = pending.pop(); reference; reference = pending.pop()) {
    const step = steps.get(reference.name);
    if (!step || reached.has(step.id)) continue;
    reached.add(step.id);
    pending.push(...successors(step));
  }
  return reached;
}

/** Whether a step, or one in it that shares the variables, gives a variable a value. */
function sets(step: Step, name: string): boolean {
  return (
    assigned(step).includes(name) ||
    (step.kind === "attempt" && innerScopes(step).some(({ steps }) => steps.some((inside) => sets(inside, name))))
  );
}

/** Whether a step may fail by something else than its data. */
const canRaise = (step: Step): boolean =>
  "handlers" in step || (step.kind === "end" && step.outcome === "fail") || (step.kind === "choose" && !step.otherwise);
