import { assertNever } from "../../json.ts";
import type { Span } from "../../text/source.ts";
import {
  alternatives,
  any,
  anyArray,
  arrayOf,
  childOf,
  descendantOf,
  elementOf,
  type Fuel,
  fixpoint,
  fuelOf,
  isNever,
  type MemberType,
  memberOf,
  never,
  nullType,
  objectOf,
  spend,
  storedType,
  type Type,
  truthOf,
  truthyOf,
  typeNameOf,
  typeOfTruth,
  typeOfValue,
  union,
} from "../../types/index.ts";
import { builtinOf, type CallOutcome } from "../builtins/builtins.ts";
import type {
  Alternative,
  Call,
  Conditional,
  DialectProgram,
  Expression,
  Fold,
  Form,
  Logic,
  ObjectConstruction,
  Query,
  Segment,
  Selector,
  Try,
} from "../core/ast.ts";
import { formOf } from "../core/views.ts";
import type { JqTypeName } from "../library/types.ts";

import { inferAccess, inferIteration, inferRecursion, inferUpdate } from "./access-types.ts";
import { effectsOf } from "./effects.ts";
import { builtinMayFail, keyMayFail } from "./failures.ts";
import { narrow } from "./narrowing.ts";

/** The types of `.` and the variables in scope. */
export interface TypeEnvironment {
  readonly input: Type;
  readonly variables: VariableTypes;
}

/** Types by variable; a missing variable may be anything. */
export interface VariableTypes {
  get(name: string): Type | undefined;
}

/** Infers the type of all outputs; `.` is null. `watch` receives every path step. */
export const inferType = (expression: Expression, variables: VariableTypes, watch?: PathObserver): Type =>
  storedType(inferFreshly(expression, { input: nullType, variables }, watch).type);

/** Infers the type of a subexpression in its scope. */
export const inferTypeWithin = (expression: Expression, given: TypeEnvironment): Type =>
  inferFreshly(expression, given).type;

/** The type name of all outputs of a subexpression, if constant. */
export const inferTypeName = (expression: Expression, given: TypeEnvironment): JqTypeName | undefined =>
  typeNameOf(inferTypeWithin(expression, given));

/** Extends the scope by one variable. */
export const withVariable = ({ input, variables }: TypeEnvironment, name: string, type: Type): TypeEnvironment => ({
  input,
  variables: withType(variables, name, type),
});

/** Whether an expression may fail in a type environment, except by exceeding a limit. Conservative. */
export const mayThrow = (expression: Expression, given: TypeEnvironment): boolean =>
  effectsOf(expression).canFail && inferFreshly(expression, given).canFail;

/** Infers an outcome; deeper expressions may have any, because the inference recurses. */
const inferFreshly = (expression: Expression, given: TypeEnvironment, observe?: PathObserver): Outcome =>
  effectsOf(expression).weight.depth > maxInferredDepth
    ? { ...anyNumber(any), canFail: true }
    : infer(expression, { ...given, observe, fuel: fuelOf(maxInferredNodes) });

const maxInferredDepth = 500;

/** What is inferred of an expression: the type and number of its outputs, and whether it may fail. */
export interface Outcome extends CallOutcome {
  readonly canFail: boolean;
}

/** Infers an outcome, cached where possible. The parent may fail if the expression may. */
export function infer(expression: Expression, context: InferenceContext): Outcome {
  const outcome = context.cached ? context.cached(expression) : inferUncached(expression, context);
  if (outcome.canFail) fail(context);
  return outcome;
}

/** Infers an outcome, each expression once: to infer parts repeatedly takes exponential time. */
export function inferOnce(context: InferenceContext): (expression: Expression) => Outcome {
  const known = new Map<Expression, Outcome>();
  return (expression) => {
    const outcome = known.get(expression) ?? infer(expression, context);
    known.set(expression, outcome);
    return outcome;
  };
}

/** Infers an outcome from those of the children. */
export function inferUncached(expression: Expression, context: InferenceContext): Outcome {
  const failure = { isPossible: false };
  const { type, isNonEmpty: some } = inferOutputs(expression, { ...context, failure });
  return { type, isNonEmpty: some, canFail: failure.isPossible };
}

/** Notes that the expression being inferred may fail. */
export function fail({ failure }: InferenceContext): void {
  if (failure) failure.isPossible = true;
}

function inferOutputs(expression: Expression, context: InferenceContext): CallOutcome {
  if (!spend(context.fuel)) {
    fail(context);
    return anyNumber(any);
  }
  switch (expression.kind) {
    case "literal":
      return exactlyOne(typeOfValue(expression.value));
    case "identity":
      return exactlyOne(context.input);
    case "variable":
      return exactlyOne(context.variables.get(expression.name) ?? any);
    case "query":
      return inferQuery(expression, context);
    case "object":
      return inferObject(expression, context);
    case "array":
      return exactlyOne(arrayOf(expression.items ? infer(expression.items, context).type : never));
    case "comma":
      return either(expression.items.map((item) => infer(item, context)));
    case "if":
      return inferConditional(expression, context);
    case "call":
      return inferCall(expression, context);
    case "pipe": {
      const left = infer(expression.left, context);
      return forEachOutput(left, infer(expression.right, nestedContext(context, { input: left.type })));
    }
    case "let": {
      const value = infer(expression.value, context);
      const variables = withType(context.variables, expression.name, value.type);
      return forEachOutput(value, infer(expression.body, nestedContext(context, { variables })));
    }
    case "access":
      return inferAccess(expression, context);
    case "iterate":
      return inferIteration(expression, context);
    case "fold":
      return inferFoldOutputs(expression, context);
    case "try":
      return inferTry(expression, context);
    case "label":
      return anyNumber(infer(expression.body, context).type);
    case "break":
      fail(context);
      return anyNumber(never);
    case "define":
      return infer(expression.rest, context);
    case "dialect":
      return inferDialect(expression, context);
    default:
      return assertNever(expression);
  }
}

/** A nested context, the same without assumptions. */
export const nestedContext = (context: InferenceContext, changed: Partial<InferenceContext>): InferenceContext =>
  context.cached ? context : { ...context, ...changed };

/** Reports a path step that a user wrote. */
export function reportStep(
  within: Type,
  step: string | number,
  found: Type,
  span: Span | undefined,
  { observe: watch }: InferenceContext,
): void {
  if (span && watch && !isNever(within)) watch({ span, within, step, exists: !isNever(found) });
}

/** The state of one inference. */
export interface InferenceContext extends TypeEnvironment {
  readonly cached?: ((expression: Expression) => Outcome) | undefined;
  /** Whether the expression around may fail; absent: it does not matter. */
  readonly failure?: { isPossible: boolean } | undefined;
  /** Undefined while computing a fixpoint. */
  readonly observe?: PathObserver | undefined;
  readonly fuel: Fuel;
}

/** Receives each path step, once per context. */
export type PathObserver = (sighting: PathStep) => void;

/** One path step in the source. */
export interface PathStep {
  readonly span: Span;
  readonly within: Type;
  readonly step: string | number;
  readonly exists: boolean;
}

/** Exactly one output. */
export const exactlyOne = (type: Type): CallOutcome => ({ type, isNonEmpty: true });

/** Any number of outputs. */
export const anyNumber = (type: Type): CallOutcome => ({ type, isNonEmpty: false });

/** The maximum of nodes inferred per expression. */
export const maxInferredNodes = 20_000;

function forEachOutput(before: CallOutcome, { type, isNonEmpty: some }: CallOutcome): CallOutcome {
  return isNever(before.type)
    ? { type: never, isNonEmpty: before.isNonEmpty }
    : { type, isNonEmpty: before.isNonEmpty && some };
}

const either = (outcomes: readonly CallOutcome[]): CallOutcome => ({
  type: union(...outcomes.map(({ type }) => type)),
  isNonEmpty: outcomes.some(({ isNonEmpty: some }) => some),
});

function inferConditional({ condition, then, otherwise }: Conditional, context: InferenceContext): CallOutcome {
  const decided = infer(condition, context);
  const truth = truthOf(decided.type);
  if (isNever(decided.type)) return { type: never, isNonEmpty: decided.isNonEmpty };
  const [yes, no] = [
    truth === "never" ? undefined : infer(then, narrow(condition, context)),
    truth === "always" ? undefined : infer(otherwise, narrow(condition, context, false)),
  ];
  const some = decided.isNonEmpty && (yes?.isNonEmpty ?? true) && (no?.isNonEmpty ?? true);
  return { type: union(yes?.type ?? never, no?.type ?? never), isNonEmpty: some };
}

function inferLogic({ name, args }: Logic, context: InferenceContext): CallOutcome {
  const decisive = name === "and" ? "never" : "always";
  const left = infer(args[0], context);
  const truth = truthOf(left.type);
  if (isNever(left.type)) return { type: never, isNonEmpty: left.isNonEmpty };
  if (truth === decisive) return { type: typeOfTruth(truth), isNonEmpty: left.isNonEmpty };
  const right = infer(args[1], narrow(args[0], context, name === "and"));
  const some = left.isNonEmpty && right.isNonEmpty;
  const last = isNever(right.type) ? "maybe" : truthOf(right.type);
  const isKnown = truth !== "maybe" || last === decisive;
  return { type: typeOfTruth(isKnown ? last : "maybe"), isNonEmpty: some };
}

function inferDialect({ dialect, text, inputs }: DialectProgram, context: InferenceContext): CallOutcome {
  const outcomes = inputs.map(({ name, value }) => [name, infer(value, context)] as const);
  if (outcomes.some(([, { type }]) => isNever(type))) return anyNumber(never);
  if (dialect.canFail(text)) fail(context);
  const type = dialect.type(text, new Map(outcomes.map(([name, outcome]) => [name, outcome.type])));
  const isNonEmpty = dialect.outputs(text) === "one" && outcomes.every(([, outcome]) => outcome.isNonEmpty);
  return { type, isNonEmpty };
}

function inferCall(call: Call, context: InferenceContext): CallOutcome {
  const { name, args, isLocal } = call;
  if (isLocal) {
    fail(context);
    return anyNumber(any);
  }
  const form = formOf(call);
  if (form) return inferForm(form, context);
  const outcomeOf = inferOnce(context);
  if (builtinMayFail(call, (argument) => outcomeOf(argument).type)) fail(context);
  const builtin = builtinOf(name, args.length);
  if (builtin?.kind === "stream") return builtin.infer(args, outcomeOf);
  const outcomes = args.map(outcomeOf);
  const types = outcomes.map(({ type }) => type);
  if (builtin?.kind !== "value") return anyNumber(any);
  return {
    type: types.some(isNever) ? never : builtin.type(types, args),
    isNonEmpty: outcomes.every(({ isNonEmpty: some }) => some),
  };
}

function inferForm(form: Form, context: InferenceContext): CallOutcome {
  switch (form.name) {
    case "and":
    case "or":
      return inferLogic(form, context);
    case "alternative":
      return inferAlternative(form, context);
    case "recurse":
      return { type: inferRecursion(form.args[0], context), isNonEmpty: true };
    case "path":
      fail(context);
      infer(form.args[0], context);
      return anyNumber(anyArray);
    case "update":
      return exactlyOne(inferUpdate(form, context));
    default:
      return assertNever(form);
  }
}

/** An unknown key may overwrite any earlier member. */
function inferObject({ entries }: ObjectConstruction, context: InferenceContext): CallOutcome {
  const members = new Map<string, MemberType>();
  let rest: Type = never;
  let some = true;
  for (const entry of entries) {
    const [key, value] = [infer(entry.key, context), infer(entry.value, context)];
    some &&= key.isNonEmpty && value.isNonEmpty;
    if (keyMayFail(key.type)) fail(context);
    if (isNever(key.type) || isNever(value.type)) return { type: never, isNonEmpty: some };
    if (key.type.kind === "literal" && typeof key.type.value === "string") {
      members.set(key.type.value, { type: value.type, required: true });
      continue;
    }
    for (const [name, member] of members) members.set(name, { ...member, type: union(member.type, value.type) });
    rest = union(rest, value.type);
  }
  return { type: objectOf(members, rest), isNonEmpty: some };
}

/** The type of a fold's accumulator; may be null. */
export function inferFold({ source, name, initial, update }: Fold, context: InferenceContext) {
  const variables = withType(context.variables, name, infer(source, context).type);
  const start = infer(initial, context);
  const state = fixpoint(start.type, (input) => {
    const unobserved = { input, variables, observe: undefined, failure: undefined };
    const { type: after, isNonEmpty: some } = infer(update, nestedContext(context, unobserved));
    return some ? after : union(after, nullType);
  });
  return { start, state, variables, updated: infer(update, nestedContext(context, { input: state, variables })).type };
}

function inferFoldOutputs(expression: Fold, context: InferenceContext): CallOutcome {
  const { start, state, updated, variables } = inferFold(expression, context);
  const { extract } = expression;
  if (!extract) return { type: state, isNonEmpty: start.isNonEmpty };
  return anyNumber(infer(extract, nestedContext(context, { input: updated, variables })).type);
}

function inferAlternative({ args: [left, right] }: Alternative, context: InferenceContext): CallOutcome {
  const first = infer(left, context);
  if (first.isNonEmpty && truthOf(first.type) === "always") return first;
  const second = infer(right, context);
  return { type: union(truthyOf(first.type), second.type), isNonEmpty: second.isNonEmpty };
}

function inferTry({ body, handler }: Try, context: InferenceContext): CallOutcome {
  const tried = infer(body, { ...context, failure: undefined });
  if (!handler) return anyNumber(tried.type);
  if (!tried.canFail) return tried;
  const caught = infer(handler, nestedContext(context, { input: any }));
  return { type: union(tried.type, caught.type), isNonEmpty: tried.isNonEmpty && caught.isNonEmpty };
}

/** Other paths may select nothing. */
function inferQuery({ source, segments, span }: Query, context: InferenceContext): CallOutcome {
  return segments.reduce<CallOutcome>(
    (nodes, segment) => inferSegment(nodes, segment, span, context),
    infer(source, context),
  );
}

function inferSegment(
  nodes: CallOutcome,
  { descend, selectors }: Segment,
  span: Span | undefined,
  context: InferenceContext,
): CallOutcome {
  const within = descend ? descendantOf(nodes.type) : nodes.type;
  if (isNever(within)) return { type: never, isNonEmpty: nodes.isNonEmpty && false };
  const found = selectors.map((selector) => inferSelector(within, selector, span, context));
  const some = !descend && nodes.isNonEmpty && found.some((each) => each.isNonEmpty);
  return { type: union(...found.map(({ type }) => type)), isNonEmpty: some };
}

function inferSelector(
  within: Type,
  selector: Selector,
  span: Span | undefined,
  context: InferenceContext,
): CallOutcome {
  switch (selector.kind) {
    case "name": {
      const { type, presence } = memberOf(within, selector.name);
      reportStep(within, selector.name, type, selector.span ?? span, context);
      return { type, isNonEmpty: presence === "always" };
    }
    case "index": {
      const type = elementOf(within);
      reportStep(within, selector.index, type, selector.span ?? span, context);
      return { type, isNonEmpty: isEnd(selector.index) && isFilled(within) };
    }
    case "slice":
      return anyNumber(elementOf(within));
    case "wildcard":
      return anyNumber(childOf(within));
    case "filter": {
      const type = childOf(within);
      const inner = nestedContext(context, { input: type });
      if (!isNever(type)) infer(selector.condition, inner);
      const { input: selected } = context.cached ? inner : narrow(selector.condition, inner);
      return anyNumber(context.cached || isNever(selected) ? type : selected);
    }
    default:
      return assertNever(selector);
  }
}

/** Whether each array with elements has an element at an index. */
const isEnd = (index: number): boolean => index === 0 || index === -1;

const isFilled = (type: Type): boolean => {
  const parts = alternatives(type);
  return parts.length > 0 && parts.every((part) => part.kind === "array" && part.isFilled);
};

/** Adds a variable, or replaces it. */
export const withType = (variables: VariableTypes, name: string, type: Type): VariableTypes => ({
  get: (wanted) => (wanted === name ? type : variables.get(wanted)),
});
