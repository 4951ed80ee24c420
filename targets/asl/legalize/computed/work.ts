import { type Expression, literal } from "../../../../src/expressions/index.ts";
import { handlersOf, retriesOf } from "../../../../src/ir/walk.ts";
import type { Assign, Attempt, Call, Delay, Emit, End, ForEach, Invoke, Step } from "../../../../src/ir/workflow.ts";
import { assertNever } from "../../../../src/json.ts";
import { decisions } from "./decisions.ts";
import { freshId, inside, mayFail, type Site, to } from "./site.ts";
import { computeSome } from "./values.ts";

/** A step as steps in whose own work there is nothing that JSONata cannot say: what it says instead is computed just before. The first has its id. */
export function work(step: Step, site: Site): readonly Step[] {
  switch (step.kind) {
    case "assign":
      return assigned(step, site);
    case "choose":
      return decisions(step, site);
    case "call":
    case "invoke":
    case "foreach":
      return tried(step, site);
    case "delay":
    case "emit":
    case "end":
      return prepared(step, step.id, site) ?? [step];
    case "receive":
    case "fork":
    case "attempt":
      return [step];
    default:
      return assertNever(step);
  }
}

function assigned(step: Assign, site: Site): readonly Step[] {
  const expressions = step.values.map(({ value }) => value);
  const then = freshId(step.id, "then", site);
  const computed = computeSome(step.id, step, expressions, then, site.uncaught.has(step.id), site);
  if (!computed) return [step];
  const values = step.values.map((each, i) => ({ ...each, value: computed.values[i]! }));
  return [...computed.steps, { ...step, ...inside(step), id: then, values }];
}

/** Steps with one expression. */
type Single = Call | Invoke | ForEach | Delay | Emit | End;

/** A step after others that compute its expression; undefined where that stays. */
function prepared(step: Single, first: string, site: Site): readonly Step[] | undefined {
  const then = freshId(step.id, "then", site);
  const computed = computeSome(first, step, [expressionOf(step)], then, site.uncaught.has(step.id), site);
  return computed && [...computed.steps, { ...withExpression(step, computed.values[0]!), ...inside(step), id: then }];
}

/**
 * The same for a step whose retries and handlers take what its expression fails with: they are then around both, and computing is part of each attempt.
 */
function tried(step: Call | Invoke | ForEach, site: Site): readonly Step[] {
  const isTaken = retriesOf(step).length + handlersOf(step).length > 0 && mayFail(expressionOf(step));
  if (!isTaken) return prepared(step, step.id, site) ?? [step];
  const first = freshId(step.id, "expression", site);
  const done: End = {
    kind: "end",
    id: freshId(step.id, "done", site),
    outcome: "leave",
    extent: "scope",
    value: literal(null),
    ...inside(step),
  };
  const steps = prepared({ ...step, ...inside(step), retries: [], handlers: [], next: to(done.id, step) }, first, site);
  if (!steps) return [step];
  const { id, origin, span, retries, handlers, next } = step;
  const body = { entry: to(first, step), variables: [], steps: [...steps, done], span };
  const attempt: Attempt = { kind: "attempt", id, origin, span, body, restore: [], retries, handlers, next };
  return [attempt];
}

function expressionOf(step: Single): Expression {
  switch (step.kind) {
    case "call":
      return step.argument;
    case "invoke":
      return step.input;
    case "foreach":
      return step.items;
    case "delay":
      return step.wait.kind === "for" ? step.wait.seconds : step.wait.instant;
    case "emit":
      return step.data;
    case "end":
      return step.value;
    default:
      return assertNever(step);
  }
}

function withExpression(step: Single, value: Expression): Single {
  switch (step.kind) {
    case "call":
      return { ...step, argument: value };
    case "invoke":
      return { ...step, input: value };
    case "foreach":
      return { ...step, items: value };
    case "delay":
      return {
        ...step,
        wait: step.wait.kind === "for" ? { kind: "for", seconds: value } : { kind: "until", instant: value },
      };
    case "emit":
      return { ...step, data: value };
    case "end":
      return { ...step, value };
    default:
      return assertNever(step);
  }
}
