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
  type Member,
  memberOf,
  never,
  nullType,
  objectOf,
  type PlainType,
  plainTypeName,
  spend,
  storedType,
  string,
  type Type,
  truthOf,
  truthyOf,
  typeNameOf,
  typeOfOperation,
  typeOfTruth,
  typeOfValue,
  union,
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

import { accessed, iterated, recursed, sliced, updated } from "./access-types.ts";

/** The types in scope: of the current value, `.`, and of the variables. */
export interface Given {
  readonly input: Type;
  readonly variables: VariableTypes;
}

/** Types by variable: a `Map` or a chain of scopes. A missing variable may be anything. */
export interface VariableTypes {
  get(name: string): Type | undefined;
}

/**
 * Infers the type of all outputs, given the types of the variables; `.` is null. Sound: every output of the interpreter
 * has this type. `watch` receives every step of the paths in the expression.
 */
export const inferType = (expression: Expression, variables: VariableTypes, watch?: Watch): Type =>
  storedType(infer(expression, { input: nullType, variables, watch, fuel: fuelOf(mostParts) }).type);

/** Infers the type of a subexpression in its scope. */
export const inferTypeWithin = (expression: Expression, given: Given): Type =>
  infer(expression, { ...given, fuel: fuelOf(mostParts) }).type;

/** The type name of all outputs of a subexpression, if it is always the same. */
export const inferTypeName = (expression: Expression, given: Given): TypeName | undefined =>
  typeNameOf(inferTypeWithin(expression, given));

/** The scope extended by one variable. */
export const withVariable = ({ input, variables }: Given, name: string, type: Type): Given => ({
  input,
  variables: withType(variables, name, type),
});

/** Infers type and cardinality, using the cache where the context has one. */
export function infer(expression: Expression, context: Context): Outcome {
  return context.known ? context.known(expression) : inferAnew(expression, context);
}

/** Infers type and cardinality from the children. */
export function inferAnew(expression: Expression, context: Context): Outcome {
  if (!spend(context.fuel)) return several(any);
  switch (expression.kind) {
    case "literal":
      return one(typeOfValue(expression.value));
    case "identity":
      return one(context.input);
    case "variable":
      return one(context.variables.get(expression.name) ?? any);
    case "query":
      return inferQuery(expression, context);
    case "object":
      return constructed(expression, context);
    case "array":
      return one(arrayOf(expression.items ? infer(expression.items, context).type : never));
    case "comma":
      return either(expression.items.map((item) => infer(item, context)));
    case "if":
      return conditional(expression, context);
    case "call":
      return called(expression, context);
    case "pipe": {
      const left = infer(expression.left, context);
      return after(left, infer(expression.right, inside(context, { input: left.type })));
    }
    case "let": {
      const value = infer(expression.value, context);
      const variables = withType(context.variables, expression.name, value.type);
      return after(value, infer(expression.body, inside(context, { variables })));
    }
    case "logic":
      return logic(infer(expression.left, context), infer(expression.right, context), expression.operator === "or");
    case "binary": {
      const [left, right] = [infer(expression.left, context), infer(expression.right, context)];
      return { type: typeOfOperation(expression.operator, left.type, right.type), some: left.some && right.some };
    }
    case "access":
      return accessed(expression, context);
    case "slice":
      return sliced(expression, context);
    case "iterate":
      return iterated(expression, context);
    case "recurse":
      return { type: recursed(expression.body, context), some: true };
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
      return several(infer(expression.body, context).type);
    case "break":
      return several(never);
    case "define":
      return infer(expression.rest, context);
    case "apply":
      return several(any);
    case "interpolation": {
      const parts = expression.parts.filter((part) => typeof part !== "string").map((part) => infer(part, context));
      return { type: string, some: parts.every(({ some }) => some) };
    }
    default:
      return assertNever(expression);
  }
}

/** A nested context. A context without assumptions stays the same, so that each node is inferred once. */
export const inside = (context: Context, changed: Partial<Context>): Context =>
  context.known ? context : { ...context, ...changed };

/** Reports a path step that a user wrote. */
export function sight(
  within: Type,
  step: string | number,
  found: Type,
  span: Span | undefined,
  { watch }: Context,
): void {
  if (span && watch && !isNever(within)) watch({ span, within, step, exists: !isNever(found) });
}

/** The state of one inference. */
export interface Context extends Given {
  /** The cache for a context without assumptions. */
  readonly known?: ((expression: Expression) => Outcome) | undefined;
  /** Undefined while a fixpoint is being computed. */
  readonly watch?: Watch | undefined;
  readonly fuel: Fuel;
}

/** Receives each path step, once per context in which it is evaluated. */
export type Watch = (sighting: Sighting) => void;

/** One step of a path in the source. */
export interface Sighting {
  readonly span: Span;
  /** The type of the value that the step selects from. */
  readonly within: Type;
  readonly step: string | number;
  /** Whether the step can select anything. */
  readonly exists: boolean;
}

/** Exactly one output. */
export const one = (type: Type): Outcome => ({ type, some: true });

/** Any number of outputs. */
export const several = (type: Type): Outcome => ({ type, some: false });

/** Limits the nodes inferred per expression, counting repeats in folds; beyond it, everything may be anything. */
export const mostParts = 20_000;

/** Combines outcomes of expressions that run one for each output of the other. */
function after(before: Outcome, { type, some }: Outcome): Outcome {
  return isNever(before.type) ? { type: never, some: before.some } : { type, some: before.some && some };
}

const either = (outcomes: readonly Outcome[]): Outcome => ({
  type: union(...outcomes.map(({ type }) => type)),
  some: outcomes.some(({ some }) => some),
});

function conditional({ condition, then, otherwise }: Conditional, context: Context): Outcome {
  const decided = infer(condition, context);
  const truth = truthOf(decided.type);
  if (isNever(decided.type)) return { type: never, some: decided.some };
  const [yes, no] = [
    truth === "never" ? undefined : infer(then, where(condition, context)),
    truth === "always" ? undefined : infer(otherwise, context),
  ];
  const some = decided.some && (yes?.some ?? true) && (no?.some ?? true);
  return { type: union(yes?.type ?? never, no?.type ?? never), some };
}

/** Narrows types where a condition holds: `type($x) == "object"` narrows `$x`. */
export function where(condition: Expression, context: Context): Context {
  if (condition.kind === "logic" && condition.operator === "and")
    return where(condition.right, where(condition.left, context));
  if (condition.kind !== "binary" || condition.operator !== "==") return context;
  const { left, right } = condition;
  const [asked] = left.kind === "call" && left.name === "type" ? left.args : [];
  if (!asked || right.kind !== "literal") return context;
  const isOfType = (part: PlainType): boolean => plainTypeName(part) === right.value;
  const narrowed = (type: Type): Type => union(...alternatives(type).filter(isOfType));
  if (asked.kind === "identity") return inside(context, { input: narrowed(context.input) });
  if (asked.kind !== "variable") return context;
  const { name } = asked;
  const type = narrowed(context.variables.get(name) ?? any);
  return inside(context, { variables: withType(context.variables, name, type) });
}

function logic(left: Outcome, right: Outcome, decisive: boolean): Outcome {
  const truth = truthOf(left.type);
  const some = left.some && right.some;
  if (isNever(left.type)) return { type: never, some };
  if (truth === (decisive ? "always" : "never")) return { type: typeOfTruth(truth), some: left.some };
  const last = isNever(right.type) ? "maybe" : truthOf(right.type);
  const isKnown = truth !== "maybe" || last === (decisive ? "always" : "never");
  return { type: typeOfTruth(isKnown ? last : "maybe"), some };
}

/** A builtin over values yields nothing if an argument yields nothing. */
function called({ name, args }: Call, context: Context): Outcome {
  const outcomeOf = (argument: Expression) => infer(argument, context);
  const builtin = builtinOf(name, args.length);
  if (builtin?.kind === "stream") return builtin.infer(args, outcomeOf);
  const outcomes = args.map(outcomeOf);
  const types = outcomes.map(({ type }) => type);
  if (!builtin) return several(any);
  return {
    type: types.some(isNever) ? never : builtin.type(types, args),
    some: outcomes.every(({ some }) => some),
  };
}

/** The last of equal keys wins; an unknown key may overwrite any earlier member. */
function constructed({ entries }: ObjectConstruction, context: Context): Outcome {
  const members = new Map<string, Member>();
  let rest: Type = never;
  let some = true;
  for (const entry of entries) {
    const [key, value] = [infer(entry.key, context), infer(entry.value, context)];
    some &&= key.some && value.some;
    if (isNever(key.type) || isNever(value.type)) return { type: never, some };
    if (key.type.kind === "literal" && typeof key.type.value === "string") {
      members.set(key.type.value, { type: value.type, required: true });
      continue;
    }
    for (const [name, member] of members) members.set(name, { ...member, type: union(member.type, value.type) });
    rest = union(rest, value.type);
  }
  return { type: objectOf(members, rest), some };
}

/** The type of a fold's accumulator; it is null after an update without output. */
export function stateOf({ source, name, initial, update }: Reduce | Foreach, context: Context) {
  const variables = withType(context.variables, name, infer(source, context).type);
  const start = infer(initial, context);
  const next = (input: Type, watch: Context["watch"]): Outcome =>
    infer(update, inside(context, { input, variables, watch }));
  const state = fixpoint(start.type, (type) => {
    const { type: after, some } = next(type, undefined);
    return some ? after : union(after, nullType);
  });
  return { start, state, variables, updated: next(state, context.watch).type };
}

function reduced(expression: Reduce, context: Context): Outcome {
  const { start, state } = stateOf(expression, context);
  return { type: state, some: start.some };
}

function folded(expression: Foreach, context: Context): Outcome {
  const { updated, variables } = stateOf(expression, context);
  return several(infer(expression.extract, inside(context, { input: updated, variables })).type);
}

function alternative({ left, right }: Alternative, context: Context): Outcome {
  const first = infer(left, context);
  if (first.some && truthOf(first.type) === "always") return first;
  const second = infer(right, context);
  return { type: union(truthyOf(first.type), second.type), some: second.some };
}

/** A caught error may be any value. */
function attempted({ body, handler }: Try, context: Context): Outcome {
  const tried = infer(body, context);
  if (!handler) return several(tried.type);
  const caught = infer(handler, inside(context, { input: any }));
  return { type: union(tried.type, caught.type), some: tried.some && caught.some };
}

/** A JSONPath surely selects something only if it is a chain of names that all values have. */
function inferQuery({ source, segments, span }: Query, context: Context): Outcome {
  return segments.reduce((nodes, segment) => segmentNodes(nodes, segment, span, context), infer(source, context));
}

function segmentNodes(
  nodes: Outcome,
  { descend, selectors }: Segment,
  span: Span | undefined,
  context: Context,
): Outcome {
  const within = descend ? descendantOf(nodes.type) : nodes.type;
  if (isNever(within)) return { type: never, some: nodes.some && false };
  const found = selectors.map((selector) => selected(within, selector, span, context));
  const some = !descend && nodes.some && found.some((each) => each.some);
  return { type: union(...found.map(({ type }) => type)), some };
}

function selected(within: Type, selector: Selector, span: Span | undefined, context: Context): Outcome {
  switch (selector.kind) {
    case "name": {
      const { type, presence } = memberOf(within, selector.name);
      sight(within, selector.name, type, selector.span ?? span, context);
      return { type, some: presence === "always" };
    }
    case "index": {
      const type = elementOf(within);
      sight(within, selector.index, type, selector.span ?? span, context);
      return several(type);
    }
    case "slice":
      return several(elementOf(within));
    case "wildcard":
      return several(childOf(within));
    case "filter": {
      const type = childOf(within);
      if (!isNever(type)) infer(selector.condition, inside(context, { input: type }));
      return several(type);
    }
    default:
      return assertNever(selector);
  }
}

const withType = (variables: VariableTypes, name: string, type: Type): VariableTypes => ({
  get: (wanted) => (wanted === name ? type : variables.get(wanted)),
});
