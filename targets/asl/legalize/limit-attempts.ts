import { computeLiveness, createDataFlowGraph } from "../../../src/cfg/index.ts";
import { literal, variable } from "../../../src/expressions/index.ts";
import { stepTimeoutError } from "../../../src/ir/errors.ts";
import { type WorkflowNames, workflowNames } from "../../../src/ir/names.ts";
import { secondsExpression } from "../../../src/ir/seconds.ts";
import { assignedVariables, mapOwnScopes, stepsOf } from "../../../src/ir/walk.ts";
import type { Attempt, Branch, Delay, End, Fork, Scope, Seconds, Step, Workflow } from "../../../src/ir/workflow.ts";
import { derivedOrigin } from "../../../src/passes/index.ts";
import { carriedValue, hasName, type OwnErrors } from "../own-errors.ts";
import { stopOthers } from "./first-joins.ts";

/**
 * Lowers attempts with a timeout to forks of the body and a clock; the branch that ends first stops the other by an
 * error. Stopped branches lose their variables, so attempts whose variables are read afterwards stay, and are reported
 * as unsupported.
 *
 *   attempt within 60 s { work }
 *   → attempt { fork { wait for 60 s; fail with Late }, { work; fail with Joined … }; on error Joined: end with its value; on error Late: fail with the timeout }
 */
export function limitAttempts<W extends Workflow>(workflow: W, ownErrors: OwnErrors): W {
  if (!stepsOf(workflow).some(hasTimeLimit)) return workflow;
  const names = workflowNames(workflow);
  return mapOwnScopes(workflow, (scope) => {
    const value = names.variables.fresh("ended");
    const steps = scope.steps.map((step) =>
      hasTimeLimit(step) && lostVariables(step, scope).length === 0
        ? limitAttempt(step, scope, { names, raised: ownErrors, value })
        : step,
    );
    const isChanged = steps.some((step, i) => step !== scope.steps[i]);
    return isChanged ? { ...scope, variables: [...scope.variables, { name: value }], steps } : scope;
  });
}

/** `value`: the variable for the value that a body ended with. */
interface LimitContext {
  readonly names: WorkflowNames;
  readonly raised: OwnErrors;
  readonly value: string;
}

/** The part of an attempt that waits for its timeout. */
const clockPart = "time";

/** Whether a delay is the timeout of an attempt. */
export const isClock = ({ kind, origin }: Step): boolean => kind === "delay" && origin.part === clockPart;

/** An attempt with a timeout. */
export type TimedAttempt = Attempt & { readonly timeout: Seconds };

export const hasTimeLimit = (step: Step): step is TimedAttempt => step.kind === "attempt" && step.timeout !== undefined;

/** Set by the body, and read after it is stopped. */
function lostVariables(attempt: TimedAttempt, scope: Scope): readonly string[] {
  const live = computeLiveness(createDataFlowGraph(scope));
  const { body, retries, restore, handlers, bind, next } = attempt;
  const after = handlers.map((handler) => ({ id: handler.next.name, given: [handler.bind] as (string | undefined)[] }));
  const again = retries.length > 0 ? [{ id: body.entry.name, given: restore }] : [];
  const exits = [...after, ...again, { id: next.name, given: [bind] }];
  return variablesSetIn(body).filter((name) =>
    exits.some(({ id, given: assigned }) => live.get(id)?.has(name) && !assigned.includes(name)),
  );
}

const variablesSetIn = (body: Scope): readonly string[] => [
  ...new Set(
    body.steps.flatMap((step) => [
      ...assignedVariables(step),
      ...(step.kind === "attempt" ? variablesSetIn(step.body) : []),
    ]),
  ),
];

function limitAttempt(attempt: TimedAttempt, scope: Scope, limits: LimitContext): Attempt {
  const { timeout, body, span } = attempt;
  const { origin, name, message } = stepTimeoutError;
  const { names, raised: ownErrors, value } = limits;
  const derive = (part: string) => ({
    id: names.steps.fresh(`${attempt.id}/${part}`),
    origin: derivedOrigin(attempt, part),
    span,
  });
  const ending = (part: string, end: Pick<End, "outcome" | "value">): End => ({
    ...derive(part),
    kind: "end",
    extent: "scope",
    ...end,
  });
  const done = ending("done", { outcome: "leave", value: carriedValue(value) });
  const late = ending("late", { outcome: "fail", value: literal({ origin, name, message }) });
  const over = { origin: "fail", name: ownErrors.late, message: "The time is over." };
  const clock = clockBranch(derive(clockPart), timeout, ending("over", { outcome: "fail", value: literal(over) }));
  const fork: Fork = {
    ...derive("limited"),
    kind: "fork",
    branches: [{ name: "time", scope: clock, span }, workBranch(attempt, scope, ownErrors)],
    join: { kind: "all" },
    failure: "fatal",
    retries: [],
    handlers: [
      { when: hasName(ownErrors.joined), bind: value, next: { name: done.id, span }, span },
      { when: hasName(ownErrors.late), next: { name: late.id, span }, span },
    ],
    next: { name: late.id, span },
  };
  return {
    ...attempt,
    timeout: undefined,
    body: { ...body, entry: { name: fork.id, span }, steps: [fork, done, late] },
  };
}

function clockBranch(at: Pick<Delay, "id" | "origin" | "span">, seconds: Seconds, end: End): Scope {
  const { id: name, span } = at;
  const wait = { kind: "for", seconds: secondsExpression(seconds) } as const;
  const time: Delay = { ...at, kind: "delay", wait, next: { name: end.id, span } };
  return { entry: { name, span }, variables: [], steps: [time, end], span };
}

/** A branch that stops the clock, with its own copies of the variables that it sets. */
function workBranch({ body, span }: TimedAttempt, scope: Scope, ownErrors: OwnErrors): Branch {
  const live = computeLiveness(createDataFlowGraph(scope)).get(body.entry.name);
  const variables = variablesSetIn(body).map((name) =>
    live?.has(name) ? { name, initial: variable(name) } : { name },
  );
  return stopOthers({ name: "work", scope: { ...body, variables }, span }, ownErrors, (value) => value);
}
