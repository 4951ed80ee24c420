import { binary, call, conditional, type Expression, literal, substitute, variable } from "../expressions/index.ts";
import type { WorkflowNames } from "../ir/names.ts";
import type { BuiltIn } from "../ir/protocols.ts";
import { secondsExpression } from "../ir/seconds.ts";
import { handlersOf, retriesOf } from "../ir/walk.ts";
import type {
  Assign,
  Attempt,
  Call,
  Choose,
  Delay,
  Handler,
  Jitter,
  Retry,
  Scope,
  Step,
  Workflow,
} from "../ir/workflow.ts";
import {
  buildRetryLoop,
  catchAll,
  derivedOrigin,
  dispatchSteps,
  effectiveRetries,
  errorVariableOf,
  type RetryLoop,
  restoredVariables,
} from "./error-recovery.ts";

/** What a target does not have, so that it becomes steps. */
export interface ExpandedRecovery {
  /** Whether the retries of a step, and with them its handlers, become steps. */
  readonly expands: (step: Step) => boolean;
  /** Whether a random part of a delay is a whole number of seconds. */
  readonly wholeSeconds?: boolean | undefined;
}

/** Replaces retries and conditions of handlers by steps that count, choose, wait and jump. */
export function expandRecovery<W extends Workflow>(workflow: W, names: WorkflowNames, expanded: ExpandedRecovery): W {
  const functions = [...workflow.functions];
  const builtIn = (kind: BuiltIn["kind"]): string => {
    const existing = functions.find(({ protocol }) => protocol?.kind === kind);
    if (existing) return existing.name;
    const name = names.functions.fresh(kind);
    functions.push({ name, protocol: { kind }, span: workflow.span });
    return name;
  };
  const body = expandScope(workflow.body, { ...expanded, names, builtIn });
  return body === workflow.body ? workflow : { ...workflow, body, functions };
}

interface ProgramContext extends ExpandedRecovery {
  readonly names: WorkflowNames;
  /** The name of a built-in function, which is defined on first use. */
  builtIn(kind: BuiltIn["kind"]): string;
}

interface RecoveryContext extends ProgramContext {
  declare(variable: string): void;
  /** Declares the variable for caught errors on first use. */
  errorVariable(): string;
}

function expandScope(scope: Scope, context: ProgramContext): Scope {
  const declared = new Set(scope.variables.map(({ name }) => name));
  const declare = (variable: string): void => void declared.add(variable);
  let error: string | undefined;
  const errorVariable = (): string => {
    error ??= errorVariableOf(scope, context.names.variables);
    declare(error);
    return error;
  };
  const steps = expandSteps(scope.steps, { ...context, declare, errorVariable });
  const added = [...declared].slice(scope.variables.length).map((name) => ({ name }));
  const isSame =
    added.length === 0 && steps.length === scope.steps.length && steps.every((s, i) => s === scope.steps[i]);
  return isSame ? scope : { ...scope, variables: [...scope.variables, ...added], steps };
}

const expandSteps = (steps: readonly Step[], context: RecoveryContext): readonly Step[] =>
  steps.flatMap((step) => expandStep(expandInside(step, context), context));

function expandInside(step: Step, context: RecoveryContext): Step {
  switch (step.kind) {
    case "attempt": {
      const steps = expandSteps(step.body.steps, context);
      const isSame = steps.length === step.body.steps.length && steps.every((each, i) => each === step.body.steps[i]);
      return isSame ? step : { ...step, body: { ...step.body, steps } };
    }
    case "foreach": {
      const scope = expandScope(step.scope, context);
      return scope === step.scope ? step : { ...step, scope };
    }
    case "fork": {
      const branches = step.branches.map((branch) => {
        const scope = expandScope(branch.scope, context);
        return scope === branch.scope ? branch : { ...branch, scope };
      });
      return branches.every((branch, i) => branch === step.branches[i]) ? step : { ...step, branches };
    }
    default:
      return step;
  }
}

function expandStep(step: Step, context: RecoveryContext): readonly Step[] {
  if (!context.expands(step)) return [step];
  const { names, declare, errorVariable } = context;
  const retries = effectiveRetries(retriesOf(step));
  const handlers = reachableHandlers(handlersOf(step));
  const [only] = handlers;
  if (retries.length === 0 && (!only || isCatchAll(only)))
    return "handlers" in step ? [{ ...step, retries, handlers }] : [step];
  const { id, span } = step;
  const error = errorVariable();
  const errors = names.steps.fresh(`${id}/errors`);
  const dispatch = dispatchSteps(errors, step, handlers, undefined, error, names);
  if (retries.length === 0) return [{ ...step, handlers: [catchAll(error, errors, span)] } as Step, ...dispatch];
  const tried = names.steps.fresh(`${id}/try`);
  const failed = names.steps.fresh(`${id}/failed`);
  const loop = buildRetryLoop({ ...asAttempt(step, tried), retries }, { failed, errors, error }, names);
  for (const { variable } of loop.initial) declare(variable);
  const inner = { ...step, id: tried, retries: [], handlers: [catchAll(error, failed, span)] } as Step;
  const timed = retries.some(({ within }) => within !== undefined) ? beginClock(step, tried, context) : undefined;
  return [
    {
      kind: "assign",
      id,
      origin: { ...step.origin, part: "retries" },
      span,
      values: loop.initial,
      next: { name: timed?.id ?? tried, span },
    },
    ...(timed ? [timed] : []),
    { ...inner, origin: { ...step.origin, entry: false, part: "try" } },
    ...timeRetries(loop, { step, retries, errors, began: timed?.bind }, context),
    ...dispatch,
  ];
}

/** Notes when the first attempt begins. */
function beginClock(step: Step, tried: string, context: RecoveryContext): Call {
  const began = context.names.variables.fresh(`${step.id} began`);
  const id = context.names.steps.fresh(`${step.id}/began`);
  const at = { origin: derivedOrigin(step, "began"), span: step.span };
  return callBuiltIn("clock", { id, bind: began, next: tried, ...at }, context);
}

interface BuiltInCall extends Pick<Step, "origin" | "span"> {
  readonly id: string;
  readonly bind: string;
  readonly next: string;
}

function callBuiltIn(
  kind: "clock" | "random",
  { id, bind, next, origin, span }: BuiltInCall,
  { builtIn, declare }: RecoveryContext,
): Call {
  declare(bind);
  return {
    kind: "call",
    id,
    origin,
    span,
    function: { name: builtIn(kind), span },
    argument: literal(null),
    wait: true,
    bind,
    retries: [],
    handlers: [],
    next: { name: next, span },
  };
}

/** A loop and its step. `began`: the variable with the time of the first attempt. */
interface TimedLoop {
  readonly step: Step;
  readonly retries: readonly Retry[];
  readonly errors: string;
  readonly began: string | undefined;
}

/** Adds jitter and the limit of the time to the steps of a loop. */
function timeRetries(loop: RetryLoop, timed: TimedLoop, context: RecoveryContext): readonly Step[] {
  return timed.retries.reduce<readonly Step[]>(
    (steps, retry, i) => timeRetry(steps, { ...timed, retry, number: i + 1 }, context),
    loop.steps,
  );
}

/** A retry in a loop: the steps that count and wait, and how long they wait. */
interface TimedRetry extends TimedLoop {
  readonly retry: Retry;
  /** From 1. */
  readonly number: number;
  readonly again: Assign;
  readonly wait: Delay | undefined;
  /** The delay with its jitter. */
  readonly varied: (seconds: Expression) => Expression;
  /** A call of the function that draws a random number, if there is one, with the id and the next step. */
  readonly draw: ((id: string, next: string) => Call) | undefined;
}

function timeRetry(
  steps: readonly Step[],
  timed: TimedLoop & Pick<TimedRetry, "retry" | "number">,
  context: RecoveryContext,
): readonly Step[] {
  const { retry, number } = timed;
  const again = steps.find(({ origin }) => origin.part === `again ${number}`);
  const found = steps.find(({ origin }) => origin.part === `wait ${number}`);
  const wait = found?.kind === "delay" ? found : undefined;
  const jitter = wait && hasJitter(retry.delay.jitter) ? retry.delay.jitter : undefined;
  if (again?.kind !== "assign" || (retry.within === undefined && !jitter)) return steps;
  const bind = jitter && isDrawn(jitter) ? context.names.variables.fresh("random") : undefined;
  const random = bind === undefined ? literal(0) : variable(bind);
  const one: TimedRetry = {
    ...timed,
    again,
    wait,
    varied: (seconds) => (jitter ? withJitter(seconds, jitter, random, context) : seconds),
    draw:
      bind === undefined || !wait
        ? undefined
        : (id, next) => callBuiltIn("random", { id, bind, next, origin: wait.origin, span: wait.span }, context),
  };
  return retry.within === undefined ? addJitter(steps, one, context) : limitTime(steps, one, context);
}

/**
 *   wait: wait for 10 s
 *   → wait: call random → n; wait/spread: wait for 10 + (n * 6 - 3) s
 */
function addJitter(
  steps: readonly Step[],
  { wait, varied, draw }: TimedRetry,
  { names }: RecoveryContext,
): readonly Step[] {
  if (!wait) return steps;
  const longer: Delay["wait"] = { kind: "for", seconds: varied(secondsOf(wait)) };
  if (!draw) return replaced(steps, wait, [{ ...wait, wait: longer }]);
  const id = names.steps.fresh(`${wait.id}/spread`);
  const waiting: Delay = { ...wait, id, origin: { ...wait.origin, entry: false }, wait: longer };
  return replaced(steps, wait, [draw(wait.id, id), waiting]);
}

/**
 *   again: count := $count + 1; wait: wait for 10 s
 *   → call clock → now; choose when $now - $began + 10 <= 60 then again, else errors; again: …
 */
function limitTime(steps: readonly Step[], timed: TimedRetry, context: RecoveryContext): readonly Step[] {
  const { retry, number, began, step, errors, again, wait, varied, draw } = timed;
  const { names } = context;
  const { span } = retry;
  const fresh = (part: string): string => names.steps.fresh(`${step.id}/${part} ${number}`);
  const now = names.variables.fresh(`${step.id} now`);
  const [clock, drawn, test] = [fresh("now"), fresh("jitter"), fresh("in time")];
  const seconds = wait ? secondsOf(wait) : literal(0);
  // Before the retry is counted.
  const next = substitute(seconds, new Map(again.values.map((each) => [each.variable, each.value])));
  const isLeft = isInTime(variable(now), variable(began!), varied(next), retry);
  const clockCall = { id: clock, bind: now, next: draw ? drawn : test, span };
  const choose: Choose = {
    kind: "choose",
    id: test,
    origin: derivedOrigin(step, `in time ${number}`),
    span,
    cases: [{ when: isLeft, next: { name: again.id, span }, span }],
    otherwise: { name: errors, span },
  };
  const checks: readonly Step[] = [
    callBuiltIn("clock", { ...clockCall, origin: derivedOrigin(step, `now ${number}`) }, context),
    ...(draw ? [draw(drawn, test)] : []),
    choose,
  ];
  const waiting = wait ? [{ ...wait, wait: { kind: "for", seconds: varied(seconds) } } as const] : [];
  const redirected = steps.map((each) => redirectChoice(each, again.id, clock));
  return replaced(replaced(redirected, wait, waiting), again, [...checks, again]);
}

const secondsOf = ({ wait }: Delay): Expression => (wait.kind === "for" ? wait.seconds : literal(0));

/** Whether a retry after `delay` seconds begins in time, in milliseconds. */
const isInTime = (now: Expression, began: Expression, delay: Expression, { within = 0 }: Retry): Expression =>
  binary(
    "<=",
    binary("+", call("round", binary("*", binary("-", now, began), literal(1000))), binary("*", delay, literal(1000))),
    binary("*", secondsExpression(within), literal(1000)),
  );

const replaced = (steps: readonly Step[], step: Step | undefined, by: readonly Step[]): readonly Step[] =>
  steps.flatMap((each) => (each.id === step?.id ? by : [each]));

const redirectChoice = (step: Step, from: string, to: string): Step =>
  step.kind === "choose"
    ? {
        ...step,
        cases: step.cases.map((each) =>
          each.next.name === from ? { ...each, next: { ...each.next, name: to } } : each,
        ),
      }
    : step;

const hasJitter = (jitter: Jitter | undefined): jitter is Jitter =>
  jitter !== undefined && (!("amount" in jitter) || jitter.amount !== 0);

/** Whether jitter depends on chance. */
const isDrawn = (jitter: Jitter): boolean => jitter.kind !== "range" || jitter.to > jitter.from;

/** A delay with jitter by a random number from 0 to 1, which is 0.5 in scenarios. */
function withJitter(
  seconds: Expression,
  jitter: Jitter,
  random: Expression,
  { wholeSeconds }: ExpandedRecovery,
): Expression {
  const distance = binary("-", binary("*", random, literal(2)), literal(1));
  const part = conditional(binary("<", distance, literal(0)), binary("-", literal(0), distance), distance);
  const most = (value: Expression, limit: Expression): Expression =>
    conditional(binary(">", value, limit), limit, value);
  if (jitter.kind === "full") {
    const share = binary("-", literal(1), part);
    if (!wholeSeconds) return binary("*", seconds, share);
    return most(call("floor", binary("*", share, binary("+", seconds, literal(1)))), seconds);
  }
  if (jitter.kind !== "range") {
    const share = binary("-", binary("*", random, literal(2 * jitter.amount)), literal(jitter.amount));
    return binary("+", seconds, jitter.kind === "spread" ? share : binary("*", seconds, share));
  }
  const { from, to } = jitter;
  const least = binary("+", seconds, literal(from));
  if (to <= from) return least;
  if (!wholeSeconds) return binary("+", least, binary("*", part, literal(to - from)));
  const drawn = call("floor", binary("*", part, literal(to - from + 1)));
  return binary("+", least, most(drawn, literal(to - from)));
}

/** The form that `buildRetryLoop` expects. */
function asAttempt(step: Step, tried: string): Attempt {
  const { id, origin, span } = step;
  const restore = step.kind === "attempt" ? restoredVariables(step) : [];
  const body: Scope = { entry: { name: tried, span }, variables: [], steps: [], span };
  return { kind: "attempt", id, origin, span, body, restore, retries: [], handlers: [], next: { name: tried, span } };
}

function reachableHandlers(handlers: readonly Handler[]): readonly Handler[] {
  const index = handlers.findIndex(isCatchAll);
  return index < 0 ? handlers : handlers.slice(0, index + 1);
}

const isCatchAll = ({ when }: Handler): boolean => when.kind === "literal" && when.value === true;
