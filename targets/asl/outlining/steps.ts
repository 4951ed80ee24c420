import { binary, conditional, type Expression, literal, variable } from "../../../src/expressions/index.ts";
import { handlersOf, retriesOf } from "../../../src/ir/walk.ts";
import type {
  Assign,
  Attempt,
  Call,
  Choose,
  ChooseCase,
  Delay,
  Emit,
  End,
  ForEach,
  Fork,
  Handler,
  Invoke,
  Retry,
  Step,
} from "../../../src/ir/workflow.ts";
import { assertNever } from "../../../src/json.ts";
import { buildRetryLoop, dispatchSteps, effectiveRetries, matchedErrors } from "../../../src/passes/index.ts";
import {
  type Computation,
  compute,
  computeIllegal,
  derivedBase,
  failsAt,
  freshId,
  illegalPart,
  mayFail,
  type OutlineContext,
  outlineReason,
  reference,
} from "./compute.ts";

/** Replaces a step by steps that compute its illegal expressions first. The first keeps its id. */
export function outlineWork(step: Step, context: OutlineContext): readonly Step[] {
  switch (step.kind) {
    case "assign":
      return outlineAssign(step, context);
    case "choose":
      return outlineChoice(step, context);
    case "call":
    case "invoke":
    case "foreach":
      return outlineInAttempt(step, context);
    case "delay":
    case "emit":
    case "end":
      return outlineOperand(step, step.id, context) ?? [step];
    case "receive":
    case "fork":
    case "attempt":
      return [step];
    default:
      return assertNever(step);
  }
}

function outlineAssign(step: Assign, context: OutlineContext): readonly Step[] {
  const expressions = step.values.map(({ value }) => value);
  const then = freshId(step.id, "then", context);
  const computed = computeIllegal(step.id, step, expressions, then, context.uncaught.has(step.id), context);
  if (!computed) return [step];
  const values = step.values.map((each, i) => ({ ...each, value: computed.values[i]! }));
  return [...computed.steps, { ...step, ...derivedBase(step), id: then, values }];
}

type OperandStep = Call | Invoke | ForEach | Delay | Emit | End;

/** Undefined if it stays. */
function outlineOperand(step: OperandStep, first: string, context: OutlineContext): readonly Step[] | undefined {
  const then = freshId(step.id, "then", context);
  const carried = step.kind === "emit" ? carriedValues(step) : [];
  const operands = [expressionOf(step), ...carried];
  const computed = computeIllegal(first, step, operands, then, context.uncaught.has(step.id), context);
  if (!computed) return undefined;
  const [value, ...others] = computed.values;
  const changed = withExpression(step, value!);
  const carrying = changed.kind === "emit" ? withCarriedValues(changed, others) : changed;
  return [...computed.steps, { ...carrying, ...derivedBase(step), id: then }];
}

/** The correlation value of an emitted event, and its attributes. */
const carriedValues = ({ correlation, attributes = {} }: Emit): readonly Expression[] => [
  ...(correlation ? [correlation] : []),
  ...Object.values(attributes),
];

function withCarriedValues(step: Emit, values: readonly Expression[]): Emit {
  const { correlation, attributes } = step;
  const given = correlation ? values.slice(1) : values;
  return {
    ...step,
    correlation: correlation && values[0],
    attributes: attributes && Object.fromEntries(Object.keys(attributes).map((name, i) => [name, given[i]!] as const)),
  };
}

/** If retries and handlers of a step cover its expression, they move to an attempt around both. */
function outlineInAttempt(step: Call | Invoke | ForEach, context: OutlineContext): readonly Step[] {
  const isTaken = retriesOf(step).length + handlersOf(step).length > 0 && failsAt(step, expressionOf(step), context);
  if (!isTaken) return outlineOperand(step, step.id, context) ?? [step];
  const first = freshId(step.id, "expression", context);
  const done: End = {
    kind: "end",
    id: freshId(step.id, "done", context),
    outcome: "leave",
    extent: "scope",
    value: literal(null),
    ...derivedBase(step),
  };
  const steps = outlineOperand(
    { ...step, ...derivedBase(step), retries: [], handlers: [], next: reference(done.id, step) },
    first,
    context,
  );
  if (!steps) return [step];
  const { id, origin, span, retries, handlers, next } = step;
  const body = { entry: reference(first, step), variables: [], steps: [...steps, done], span };
  const attempt: Attempt = { kind: "attempt", id, origin, span, body, restore: [], retries, handlers, next };
  return [attempt];
}

function expressionOf(step: OperandStep): Expression {
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
      return carriedBy(step) ?? step.value;
    default:
      return assertNever(step);
  }
}

/** The data of a constant error, which selection has to recognize. */
function carriedBy({ outcome, value }: End): Expression | undefined {
  if (outcome !== "fail" || value.kind !== "object") return undefined;
  const data = value.entries.find(({ key }) => isData(key));
  const others = value.entries.filter((entry) => entry !== data);
  return others.every(({ key, value: each }) => key.kind === "literal" && each.kind === "literal")
    ? data?.value
    : undefined;
}

const isData = (key: Expression): boolean => key.kind === "literal" && key.value === "data";

function withData(error: Expression, data: Expression): Expression {
  if (error.kind !== "object") return error;
  return { ...error, entries: error.entries.map((entry) => (isData(entry.key) ? { ...entry, value: data } : entry)) };
}

function withExpression(step: OperandStep, value: Expression): OperandStep {
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
      return { ...step, value: carriedBy(step) ? withData(step.value, value) : value };
    default:
      return assertNever(step);
  }
}

/** The maximum number of conditions that are computed together. */
const maxConditions = 16;

/**
 * Outlines a choice so that no condition is illegal or fails: those from the first such condition to the last are
 * computed together, up to the first that holds.
 */
export function outlineChoice(step: Choose, context: OutlineContext, id: string = step.id): readonly Step[] {
  const fails = (when: Expression): boolean =>
    context.open.has(step.id) ? mayFail(when) : failsAt(step, when, context);
  const isOpen = ({ when }: ChooseCase): boolean => illegalPart(when) !== undefined || fails(when);
  const from = step.cases.findIndex(isOpen);
  if (from < 0) return [{ ...step, id }];
  const near = step.cases.slice(0, from + maxConditions);
  const upTo = near.findLastIndex(isOpen) + 1;
  const first = from > 0 ? freshId(id, "else", context) : id;
  const then = freshId(first, "then", context);
  const computation = computeChoice(first, step, step.cases.slice(from, upTo), then, context);
  if (!computation) return [{ ...step, id }];
  const head: readonly Step[] =
    from > 0 ? [{ ...step, id, cases: step.cases.slice(0, from), otherwise: reference(first, step) }] : [];
  const cases = testChoice(computation.value, step.cases.slice(from, upTo));
  const rest = step.cases.slice(upTo);
  const tail: Choose = { ...step, ...derivedBase(step, from > 0 ? "else" : step.origin.part), id: then, cases };
  if (!rest.some(isOpen)) return [...head, ...computation.steps, { ...tail, cases: [...cases, ...rest] }];
  const other = freshId(then, "else", context);
  const others = outlineChoice({ ...step, ...derivedBase(step, "else"), cases: rest }, context, other);
  return [...head, ...computation.steps, { ...tail, otherwise: reference(other, step) }, ...others];
}

/** The index of the first case that holds, or null; with only one case, whether it holds. */
function computeChoice(
  id: string,
  step: Choose,
  cases: readonly ChooseCase[],
  next: string,
  context: OutlineContext,
): Computation | undefined {
  const expression = cases.length === 1 ? holds(cases[0]!) : firstThatHolds(cases);
  const parts = cases.flatMap(({ when, span }) => outlineReason(when, span, context.uncaught.has(id)) ?? []);
  if (parts.length > 0 || illegalPart(expression) !== undefined)
    return compute(id, step, expression, parts, next, context);
  const name = context.names.variables.fresh(`${id} value`);
  context.declare(name);
  const assign: Step = {
    kind: "assign",
    id,
    ...derivedBase(step),
    values: [{ variable: name, value: expression }],
    next: reference(next, step),
  };
  return { steps: [assign], value: variable(name) };
}

const holds = ({ when }: ChooseCase): Expression => binary("==", when, literal(true));

const firstThatHolds = (cases: readonly ChooseCase[]): Expression =>
  cases.reduceRight((otherwise, each, i) => conditional(holds(each), literal(i), otherwise), literal(null));

const testChoice = (value: Expression, cases: readonly ChooseCase[]): readonly ChooseCase[] =>
  cases.map((each, i) => ({ ...each, when: binary("==", value, literal(cases.length === 1 ? true : i)) }));

/** A step with retries or handlers. */
export type RecoveringStep = Call | Fork | ForEach | Invoke | Attempt;

/** Legal retries and handlers, and the steps that replace the others. */
export interface OutlinedRecovery {
  readonly tried: RecoveringStep;
  readonly before: readonly Step[];
  readonly after: readonly Step[];
}

/**
 * Retry and handler conditions cannot call a function: from the first that is illegal or may fail, errors go to steps
 * that choose. Errors of a condition, and unhandled ones, leave the step as before.
 */
export function outlineRecovery(step: RecoveringStep, context: OutlineContext): OutlinedRecovery {
  const retries = effectiveRetries(step.retries);
  const asSteps = retries.some(isOpen);
  const from = asSteps ? 0 : step.handlers.findIndex(isOpen);
  if (from < 0) return { tried: step, before: [], after: [] };
  const error = context.names.variables.fresh(`${step.id} error`);
  context.declare(error);
  context.errors.add(error);
  const errors = freshId(step.id, "handlers", context);
  const handling = dispatchSteps(errors, step, step.handlers.slice(from), undefined, error, context.names);
  const first = asSteps ? freshId(step.id, "failed", context) : errors;
  const catching: Handler = { when: literal(true), bind: error, next: reference(first, step), span: step.span };
  const handlers = [...step.handlers.slice(0, from), catching];
  if (!asSteps) return { tried: { ...step, handlers }, before: [], after: handling };
  const id = freshId(step.id, "try", context);
  const tried = {
    ...step,
    ...derivedBase(step),
    id,
    retries: [],
    handlers,
    ...("restore" in step ? { restore: [] } : {}),
  } as RecoveringStep;
  const loop = buildRetryLoop(attemptOf(step, id, retries), { failed: first, errors, error }, context.names);
  context.declare(...loop.initial.map((each) => each.variable));
  return { tried, before: [beginLoop(step, loop.initial, id)], after: [...loop.steps, ...handling] };
}

const isOpen = ({ when }: Retry | Handler): boolean =>
  matchedErrors(when) === undefined && (illegalPart(when) !== undefined || mayFail(when));

function attemptOf(step: RecoveringStep, entry: string, retries: readonly Retry[]): Attempt {
  const { id, origin, span, next } = step;
  const body = { entry: reference(entry, step), variables: [], steps: [], span };
  const restore = step.kind === "attempt" ? step.restore : [];
  return { kind: "attempt", id, origin, span, body, restore, retries, handlers: [], next };
}

/** It initializes counters and copies. */
const beginLoop = ({ id, origin, span }: Step, values: Assign["values"], entry: string): Assign => ({
  kind: "assign",
  id,
  origin,
  span,
  values,
  next: { name: entry, span },
});
