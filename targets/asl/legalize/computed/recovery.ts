import { type Expression, literal, substitute, variable } from "../../../../src/expressions/index.ts";
import type {
  Assign,
  Attempt,
  Call,
  ForEach,
  Fork,
  Handler,
  Invoke,
  Retry,
  Step,
} from "../../../../src/ir/workflow.ts";
import { dispatchSteps } from "../dispatch.ts";
import { loopSteps, loopVariables } from "../loop.ts";
import { errorsTaken } from "../match.ts";
import { effective } from "../restore.ts";
import { freshId, inexact, inside, mayFail, type Site, to } from "./site.ts";

/** Steps that others are tried again for, or have handlers. */
export type Recovering = Call | Fork | ForEach | Invoke | Attempt;

/** A step whose retries and handlers ask nothing that JSONata cannot, and the steps that ask it instead. */
export interface Recovered {
  readonly tried: Recovering;
  /** Those before and after it. */
  readonly before: readonly Step[];
  readonly after: readonly Step[];
}

/**
 * Conditions of retries and handlers are no place for a Task: from the first one on that is not JSONata that surely gives a value, the step fails to steps
 * that choose. What a condition fails with, and what no handler takes, goes outward from there, as it would from the step.
 */
export function recover(step: Recovering, site: Site): Recovered {
  const retries = effective(step.retries);
  const asSteps = retries.some(isOpen);
  const from = asSteps ? 0 : step.handlers.findIndex(isOpen);
  if (from < 0) return { tried: step, before: [], after: [] };
  const error = `${step.id} error'`;
  site.declare(error);
  site.errors.add(error);
  const over = <T extends Retry | Handler>(one: T): T => ({ ...one, when: renamed(one.when, error) });
  const errors = freshId(step.id, "handlers", site);
  site.taken.set(`${errors}/unhandled`, errors);
  const handling = dispatchSteps(errors, step, step.handlers.slice(from).map(over), undefined, error);
  const first = asSteps ? freshId(step.id, "failed", site) : errors;
  const taking: Handler = { when: literal(true), bind: error, next: to(first, step), span: step.span };
  const handlers = [...step.handlers.slice(0, from), taking];
  if (!asSteps) return { tried: { ...step, handlers }, before: [], after: handling };
  const id = freshId(step.id, "try", site);
  const tried = {
    ...step,
    ...inside(step),
    id,
    retries: [],
    handlers,
    ...("restore" in step ? { restore: [] } : {}),
  } as Recovering;
  const loop = attemptOf(step, id, retries.map(over));
  return { tried, before: [begin(loop, step, id, site)], after: [...loopSteps(loop, first, errors), ...handling] };
}

/** Whether a condition cannot be a condition of a state. */
const isOpen = ({ when }: Retry | Handler): boolean =>
  errorsTaken(when) === undefined && (inexact(when) !== undefined || mayFail(when));

const renamed = (when: Expression, error: string): Expression =>
  substitute(when, new Map([["error", variable(error)]]));

/** The loop around a step, as an attempt whose body begins with it. */
function attemptOf(step: Recovering, entry: string, retries: readonly Retry[]): Attempt {
  const { id, origin, span, next } = step;
  const body = { entry: to(entry, step), variables: [], steps: [], span };
  const restore = step.kind === "attempt" ? step.restore : [];
  return { kind: "attempt", id, origin, span, body, restore, retries, handlers: [], next };
}

/** The step with which the loop begins: it counts and saves. */
function begin(loop: Attempt, { id, origin, span }: Step, entry: string, site: Site): Assign {
  const values = loopVariables(loop);
  site.declare(...values.map((each) => each.variable));
  return { kind: "assign", id, origin, span, values, next: { name: entry, span } };
}
