import { assertNever } from "../../json.ts";
import type { Span } from "../../text/source.ts";
import {
  alternatives,
  any,
  anyArray,
  arrayOf,
  calculatedShape,
  childOf,
  elementOf,
  type Fuel,
  fixpoint,
  fuelOf,
  isNever,
  type Member,
  memberOf,
  never,
  nullShape,
  objectOf,
  type PlainShape,
  type Shape,
  settled,
  shapeOfValue,
  spend,
  string,
  trueOf,
  truthOf,
  truthShape,
  typeOfPart,
  typeOfShape,
  union,
  withinOf,
} from "../../types/index.ts";
import { builtinOf, type Outcome } from "../builtins/builtins.ts";
import type {
  Alternative,
  Call,
  Conditional,
  Expression,
  Foreach,
  ObjectConstruction,
  Query,
  Reduce,
  Segment,
  Selector,
  Try,
} from "../core/ast.ts";
import type { TypeName } from "../library/types.ts";

import { accessed, iterated, recursed, sliced, updated } from "./path-types.ts";

/** What is known where an expression stands: the shapes of the current value, `.`, and of the variables. */
export interface Given {
  readonly input: Shape;
  readonly variables: Shapes;
}

/** Shapes by variable: a `Map`, or a chain of scopes. What has none can be anything. */
export interface Shapes {
  get(name: string): Shape | undefined;
}

/**
 * The shape of all values that an expression gives, given those of the variables; `.` is null. Sound: whatever values of these shapes the variables
 * have, every output of the evaluator is of this shape. `watch` hears of the steps of all paths in it.
 */
export const shapeOf = (expression: Expression, variables: Shapes, watch?: Watch): Shape =>
  settled(infer(expression, { input: nullShape, variables, watch, fuel: fuelOf(mostParts) }).shape);

/** The same for an expression within another one, where `.` and variables may have been bound. */
export const shapeWithin = (expression: Expression, given: Given): Shape =>
  infer(expression, { ...given, fuel: fuelOf(mostParts) }).shape;

/** The type of all outputs of an expression within another one, where it is known to be one. */
export const typeWithin = (expression: Expression, given: Given): TypeName | undefined =>
  typeOfShape(shapeWithin(expression, given));

/** What is given with one more variable. */
export const withVariable = ({ input, variables }: Given, name: string, shape: Shape): Given => ({
  input,
  variables: withShape(variables, name, shape),
});

/** What is known of the outputs of an expression in a context. */
export function infer(expression: Expression, context: Context): Outcome {
  return context.known ? context.known(expression) : inferAnew(expression, context);
}

/** The same, from what is known of its parts. */
export function inferAnew(expression: Expression, context: Context): Outcome {
  if (!spend(context.fuel)) return several(any);
  switch (expression.kind) {
    case "literal":
      return one(shapeOfValue(expression.value));
    case "identity":
      return one(context.input);
    case "variable":
      return one(context.variables.get(expression.name) ?? any);
    case "query":
      return inferQuery(expression, context);
    case "object":
      return constructed(expression, context);
    case "array":
      return one(arrayOf(expression.items ? infer(expression.items, context).shape : never));
    case "comma":
      return either(expression.items.map((item) => infer(item, context)));
    case "if":
      return conditional(expression, context);
    case "call":
      return called(expression, context);
    case "pipe": {
      const left = infer(expression.left, context);
      return after(left, infer(expression.right, inside(context, { input: left.shape })));
    }
    case "let": {
      const value = infer(expression.value, context);
      const variables = withShape(context.variables, expression.name, value.shape);
      return after(value, infer(expression.body, inside(context, { variables })));
    }
    case "logic":
      return logic(infer(expression.left, context), infer(expression.right, context), expression.operator === "or");
    case "binary": {
      const [left, right] = [infer(expression.left, context), infer(expression.right, context)];
      return { shape: calculatedShape(expression.operator, left.shape, right.shape), some: left.some && right.some };
    }
    case "access":
      return accessed(expression, context);
    case "slice":
      return sliced(expression, context);
    case "iterate":
      return iterated(expression, context);
    case "recurse":
      return { shape: recursed(expression.body, context), some: true };
    case "path":
      infer(expression.body, context);
      return several(anyArray);
    case "update":
      return one(updated(expression, context));
    case "reduce":
      return reduced(expression, context);
    case "foreach":
      return folded(expression, context);
    case "alternative":
      return alternative(expression, context);
    case "try":
      return attempted(expression, context);
    case "label":
      return several(infer(expression.body, context).shape);
    case "break":
      return several(never);
    case "define":
      return infer(expression.rest, context);
    case "apply":
      return several(any);
    case "interpolation": {
      const parts = expression.parts.filter((part) => typeof part !== "string").map((part) => infer(part, context));
      return { shape: string, some: parts.every(({ some }) => some) };
    }
    default:
      return assertNever(expression);
  }
}

/** A context within another one. Where nothing is known of `.` and the variables nothing is known within, so that each part is looked at once. */
export const inside = (context: Context, changed: Partial<Context>): Context =>
  context.known ? context : { ...context, ...changed };

/** Tells of a step of a path, if somebody wrote it. */
export function sight(
  within: Shape,
  step: string | number,
  found: Shape,
  span: Span | undefined,
  { watch }: Context,
): void {
  if (span && watch && !isNever(within)) watch({ span, within, step, exists: !isNever(found) });
}

/** What an expression is looked at in: the shapes of the current value and of the variables. */
export interface Context extends Given {
  /** What is known of each expression whatever `.` and the variables are; absent where something is known of those. */
  readonly known?: ((expression: Expression) => Outcome) | undefined;
  /** Hears of what paths look for; absent while that is not settled. */
  readonly watch?: Watch | undefined;
  readonly fuel: Fuel;
}

/** Hears of each step of a path, in each context that it is evaluated in. */
export type Watch = (sighting: Sighting) => void;

/** One step of a path that a person wrote. */
export interface Sighting {
  /** Where it is written. */
  readonly span: Span;
  /** What it looks into. */
  readonly within: Shape;
  readonly step: string | number;
  /** Whether anything can be there. */
  readonly exists: boolean;
}

/** Exactly one output. */
export const one = (shape: Shape): Outcome => ({ shape, some: true });

/** Any number of outputs. */
export const several = (shape: Shape): Outcome => ({ shape, some: false });

/** How many parts of one expression are looked at, those in folds several times; the rest can be anything. */
export const mostParts = 20_000;

/** What the one gives for each output of the other: where the other has none, nothing. */
function after(before: Outcome, { shape, some }: Outcome): Outcome {
  return isNever(before.shape) ? { shape: never, some: before.some } : { shape, some: before.some && some };
}

const either = (outcomes: readonly Outcome[]): Outcome => ({
  shape: union(...outcomes.map(({ shape }) => shape)),
  some: outcomes.some(({ some }) => some),
});

function conditional({ condition, then, otherwise }: Conditional, context: Context): Outcome {
  const decided = infer(condition, context);
  const truth = truthOf(decided.shape);
  if (isNever(decided.shape)) return { shape: never, some: decided.some };
  const [yes, no] = [
    truth === "never" ? undefined : infer(then, where(condition, context)),
    truth === "always" ? undefined : infer(otherwise, context),
  ];
  const some = decided.some && (yes?.some ?? true) && (no?.some ?? true);
  return { shape: union(yes?.shape ?? never, no?.shape ?? never), some };
}

/** What is known where a condition holds: `type($x) == "object"` tells the type of `$x`. */
export function where(condition: Expression, context: Context): Context {
  if (condition.kind === "logic" && condition.operator === "and")
    return where(condition.right, where(condition.left, context));
  if (condition.kind !== "binary" || condition.operator !== "==") return context;
  const { left, right } = condition;
  const [asked] = left.kind === "call" && left.name === "type" ? left.args : [];
  if (!asked || right.kind !== "literal") return context;
  const isOfType = (part: PlainShape): boolean => typeOfPart(part) === right.value;
  const narrowed = (shape: Shape): Shape => union(...alternatives(shape).filter(isOfType));
  if (asked.kind === "identity") return inside(context, { input: narrowed(context.input) });
  if (asked.kind !== "variable") return context;
  const { name } = asked;
  const shape = narrowed(context.variables.get(name) ?? any);
  return inside(context, { variables: withShape(context.variables, name, shape) });
}

function logic(left: Outcome, right: Outcome, decisive: boolean): Outcome {
  const truth = truthOf(left.shape);
  const some = left.some && right.some;
  if (isNever(left.shape)) return { shape: never, some };
  if (truth === (decisive ? "always" : "never")) return { shape: truthShape(truth), some: left.some };
  const last = isNever(right.shape) ? "maybe" : truthOf(right.shape);
  const isKnown = truth !== "maybe" || last === (decisive ? "always" : "never");
  return { shape: truthShape(isKnown ? last : "maybe"), some };
}

/** A function of values gives nothing where an argument gives nothing. */
function called({ name, args }: Call, context: Context): Outcome {
  const outcomeOf = (argument: Expression) => infer(argument, context);
  const builtin = builtinOf(name, args.length);
  if (builtin?.kind === "stream") return builtin.infer(args, outcomeOf);
  const outcomes = args.map(outcomeOf);
  const shapes = outcomes.map(({ shape }) => shape);
  if (!builtin) return several(any);
  return {
    shape: shapes.some(isNever) ? never : builtin.shape(shapes, args),
    some: outcomes.every(({ some }) => some),
  };
}

/** Of equal keys the last wins; a key that is not known may be any of those before it. */
function constructed({ entries }: ObjectConstruction, context: Context): Outcome {
  const members = new Map<string, Member>();
  let rest: Shape = never;
  let some = true;
  for (const entry of entries) {
    const [key, value] = [infer(entry.key, context), infer(entry.value, context)];
    some &&= key.some && value.some;
    if (isNever(key.shape) || isNever(value.shape)) return { shape: never, some };
    if (key.shape.kind === "literal" && typeof key.shape.value === "string") {
      members.set(key.shape.value, { shape: value.shape, required: true });
      continue;
    }
    for (const [name, member] of members) members.set(name, { ...member, shape: union(member.shape, value.shape) });
    rest = union(rest, value.shape);
  }
  return { shape: objectOf(members, rest), some };
}

/** The value so far, at any time: without an output of the update it is null. */
export function stateOf({ source, name, initial, update }: Reduce | Foreach, context: Context) {
  const variables = withShape(context.variables, name, infer(source, context).shape);
  const start = infer(initial, context);
  const next = (input: Shape, watch: Context["watch"]): Outcome =>
    infer(update, inside(context, { input, variables, watch }));
  const state = fixpoint(start.shape, (shape) => {
    const { shape: after, some } = next(shape, undefined);
    return some ? after : union(after, nullShape);
  });
  return { start, state, variables, updated: next(state, context.watch).shape };
}

function reduced(expression: Reduce, context: Context): Outcome {
  const { start, state } = stateOf(expression, context);
  return { shape: state, some: start.some };
}

function folded(expression: Foreach, context: Context): Outcome {
  const { updated, variables } = stateOf(expression, context);
  return several(infer(expression.extract, inside(context, { input: updated, variables })).shape);
}

function alternative({ left, right }: Alternative, context: Context): Outcome {
  const first = infer(left, context);
  if (first.some && truthOf(first.shape) === "always") return first;
  const second = infer(right, context);
  return { shape: union(trueOf(first.shape), second.shape), some: second.some };
}

/** What it fails with can be anything. */
function attempted({ body, handler }: Try, context: Context): Outcome {
  const tried = infer(body, context);
  if (!handler) return several(tried.shape);
  const caught = infer(handler, inside(context, { input: any }));
  return { shape: union(tried.shape, caught.shape), some: tried.some && caught.some };
}

/** The nodes that a JSONPath selects: some for certain where it is a chain of names that all values have. */
function inferQuery({ source, segments, span }: Query, context: Context): Outcome {
  return segments.reduce((nodes, segment) => segmentNodes(nodes, segment, span, context), infer(source, context));
}

function segmentNodes(
  nodes: Outcome,
  { descend, selectors }: Segment,
  span: Span | undefined,
  context: Context,
): Outcome {
  const within = descend ? withinOf(nodes.shape) : nodes.shape;
  if (isNever(within)) return { shape: never, some: nodes.some && false };
  const found = selectors.map((selector) => selected(within, selector, span, context));
  const some = !descend && nodes.some && found.some((each) => each.some);
  return { shape: union(...found.map(({ shape }) => shape)), some };
}

function selected(within: Shape, selector: Selector, span: Span | undefined, context: Context): Outcome {
  switch (selector.kind) {
    case "name": {
      const { shape, presence } = memberOf(within, selector.name);
      sight(within, selector.name, shape, selector.span ?? span, context);
      return { shape, some: presence === "always" };
    }
    case "index": {
      const shape = elementOf(within);
      sight(within, selector.index, shape, selector.span ?? span, context);
      return several(shape);
    }
    case "slice":
      return several(elementOf(within));
    case "wildcard":
      return several(childOf(within));
    case "filter": {
      const shape = childOf(within);
      if (!isNever(shape)) infer(selector.condition, inside(context, { input: shape }));
      return several(shape);
    }
    default:
      return assertNever(selector);
  }
}

/** Variables with one more in front. */
const withShape = (variables: Shapes, name: string, shape: Shape): Shapes => ({
  get: (wanted) => (wanted === name ? shape : variables.get(wanted)),
});
