import type { Json } from "../../json.ts";
import {
  alternatives,
  any,
  fuelOf,
  intersection,
  isNever,
  literal,
  memberOf,
  never,
  nullType,
  type PlainType,
  plainTypeName,
  type Type,
  truthyOf,
  typeOfRules,
  typeOfValue,
  union,
  withMember,
} from "../../types/index.ts";
import type { Binary, Call, Expression, Query } from "../core/ast.ts";
import { binary } from "../core/build.ts";
import { isBinary, isLogic } from "../core/views.ts";
import { typeOf } from "../library/types.ts";
import {
  type InferenceContext,
  infer,
  maxInferredNodes,
  nestedContext,
  type TypeEnvironment,
  withType,
} from "./types.ts";

/**
 * Narrows the types of variables, of `.` and of their members to what they may be where an output of a condition is
 * true, or if `holds` is false, where it is false or null.
 */
export function narrow(condition: Expression, context: InferenceContext, holds = true): InferenceContext {
  return context.cached ? context : assume(factsOf(condition, context, holds), context);
}

/**
 * The types that an output of a condition narrows, by variable; `undefined` is `.`. None if the output is impossible:
 * declared types are not enforced everywhere.
 */
export function narrowedTypes(
  condition: Expression,
  given: TypeEnvironment,
  holds: boolean,
): readonly (readonly [name: string | undefined, type: Type])[] {
  const facts = factsOf(condition, { ...given, fuel: fuelOf(maxInferredNodes) }, holds);
  return isImpossible(facts) ? [] : [...facts];
}

/** The types of roots where a condition holds. */
type Facts = ReadonlyMap<Root, Type>;

/** The name of a variable; undefined for `.`. */
type Root = string | undefined;

/** A variable, `.` or a member of them. */
interface Place {
  readonly root: Root;
  readonly steps: readonly MemberStep[];
}

/** A step to a member. */
interface MemberStep {
  readonly name: string;
  /** The value of a missing member. */
  readonly missing: "null" | "nothing";
  /** Whether values other than objects and null fail; otherwise they have no members. */
  readonly isStrict: boolean;
}

/** What is known of the value at a place. */
interface Finding {
  readonly narrow: (type: Type) => Type;
  /** Whether the place may have no value. */
  readonly admitsNothing: boolean;
}

const nothingKnown: Facts = new Map();

function assume(facts: Facts, context: InferenceContext): InferenceContext {
  let { input, variables } = context;
  for (const [root, type] of facts) {
    if (root === undefined) input = type;
    else variables = withType(variables, root, type);
  }
  return nestedContext(context, { input, variables });
}

function factsOf(condition: Expression, context: InferenceContext, holds: boolean): Facts {
  switch (condition.kind) {
    case "identity":
    case "variable":
    case "access":
      return factsAt(condition, present(holds ? truthyOf : falsyOf), context);
    case "call":
      if (isLogic(condition))
        return condition.name === (holds ? "and" : "or")
          ? factsOfBoth(...condition.args, context, holds)
          : factsOfEither(...condition.args, context, holds);
      if (isBinary(condition)) return factsOfComparison(condition.name, ...condition.args, context, holds);
      return factsOfCall(condition, context, holds);
    case "pipe":
      return isNegation(condition.right)
        ? factsOf(condition.left, context, !holds)
        : factsWithin(condition.left, undefined, condition.right, context, holds);
    case "let":
      return factsWithin(condition.value, condition.name, condition.body, context, holds);
    default:
      return nothingKnown;
  }
}

function factsOfBoth(left: Expression, right: Expression, context: InferenceContext, holds: boolean): Facts {
  const first = factsOf(left, context, holds);
  return new Map([...first, ...factsOf(right, assume(first, context), holds)]);
}

/** The right side is evaluated where the left one does not decide. */
function factsOfEither(left: Expression, right: Expression, context: InferenceContext, holds: boolean): Facts {
  const first = factsOf(left, context, holds);
  const undecided = factsOf(left, context, !holds);
  if (isImpossible(undecided)) return first;
  const second = new Map([...undecided, ...factsOf(right, assume(undecided, context), holds)]);
  if (isImpossible(first)) return second;
  const known: [Root, Type][] = [];
  for (const [root, type] of first) {
    const other = second.get(root);
    if (other) known.push([root, union(type, other)]);
  }
  return new Map(known);
}

/** `| not` */
const isNegation = (expression: Expression): boolean =>
  expression.kind === "call" && expression.name === "not" && expression.args[0]?.kind === "identity";

const isImpossible = (facts: Facts): boolean => [...facts.values()].some(isNever);

/** The facts of a body whose `.` or variable has the value of a place. */
function factsWithin(
  value: Expression,
  bound: Root,
  body: Expression,
  context: InferenceContext,
  holds: boolean,
): Facts {
  const { type } = infer(value, { ...context, observe: undefined });
  const inner =
    bound === undefined
      ? nestedContext(context, { input: type })
      : nestedContext(context, { variables: withType(context.variables, bound, type) });
  const facts = factsOf(body, inner, holds);
  const found = facts.get(bound);
  const outer = new Map(facts);
  outer.delete(bound);
  if (!found) return outer;
  const narrowed = factsAt(
    value,
    present(() => found),
    assume(outer, context),
  );
  return new Map([...outer, ...narrowed]);
}

function factsOfComparison(
  operator: Binary["name"],
  left: Expression,
  right: Expression,
  context: InferenceContext,
  holds: boolean,
): Facts {
  const [value, other, isMirrored] = right.kind === "literal" ? [right, left, false] : [left, right, true];
  if (value.kind !== "literal") return nothingKnown;
  if (other.kind === "pipe") {
    const comparison = isMirrored ? binary(operator, left, other.right) : binary(operator, other.right, right);
    return factsWithin(other.left, undefined, comparison, context, holds);
  }
  const constant = value.value;
  const isEqual = operator === "==" || operator === "!=";
  if (isEqual) return factsOfEquality(other, constant, context, (operator === "==") === holds);
  const bound = boundOf(operator, isMirrored, holds);
  return bound ? factsAt(other, present(within(bound, constant)), context) : nothingKnown;
}

function factsOfEquality(expression: Expression, value: Json, context: InferenceContext, equals: boolean): Facts {
  if (expression.kind === "call" && expression.name === "schemaViolation")
    return value === null && equals ? factsOfSchema(expression, context) : nothingKnown;
  const [inner] = expression.kind === "call" && expression.name === "type" ? expression.args : [];
  if (!inner) return factsAt(expression, present(equals ? equalTo(value) : unequalTo(value)), context);
  return factsAt(inner, present(where((part) => (plainTypeName(part) === value) === equals)), context);
}

/** The facts where a value fits the rules of a schema. */
function factsOfSchema({ args }: Call, context: InferenceContext): Facts {
  const [value, schema] = args;
  const rules = schema && constantOf(schema);
  return value && Array.isArray(rules)
    ? factsAt(
        value,
        present((type) => intersection(type, typeOfRules(rules))),
        context,
      )
    : nothingKnown;
}

function factsOfCall(condition: Call, context: InferenceContext, holds: boolean): Facts {
  const { name, args } = condition;
  const [first, second] = args;
  if (condition.isLocal) return nothingKnown;
  switch (`${name}/${args.length}`) {
    case "not/1":
      return factsOf(first!, context, !holds);
    case "has/2":
      return second!.kind === "literal" && typeof second!.value === "string"
        ? factsAt(first!, present(holds ? withKey(second!.value) : withoutKey(second!.value)), context)
        : nothingKnown;
    case "first/1":
      return placeOf(condition)
        ? factsAt(condition, present(holds ? truthyOf : falsyOf), context)
        : factsOf(first!, context, holds);
    case "exists/1":
      return first!.kind === "query" ? factsAt(first!, holds ? found : missing, context) : nothingKnown;
    case "truthy/1":
      return factsAt(first!, holds ? present(truthyOf) : maybe(falsyOf), context);
    case "isEmpty/1":
      return holds ? nothingKnown : factsAt(first!, present(isNotNull), context);
    case "compareInCondition/3":
    case "comparesNodes/3":
      return factsOfNodes(args, context, holds);
    case "switchCondition/3":
      return factsOfSwitch(args, context, holds);
    default:
      return nothingKnown;
  }
}

/** A comparison of JSONPaths. One that selects nothing may equal null, but no other constant. */
function factsOfNodes(args: readonly Expression[], context: InferenceContext, holds: boolean): Facts {
  const [left, { operator }, right] = [args[0]!, { operator: constantOf(args[1]!) }, args[2]!];
  const [value, other] = right.kind === "literal" ? [right.value, left] : [constantOf(left), right];
  if (value === undefined) return nothingKnown;
  if (operator === "==" && holds && value !== null) return factsAt(other, present(equalTo(value)), context);
  if (operator === "==" || operator === "!=")
    return factsAt(other, maybe((operator === "==") === holds ? equalTo(value) : unequalTo(value)), context);
  return holds && (typeof value === "number" || typeof value === "string")
    ? factsAt(other, present(isOrdered), context)
    : nothingKnown;
}

function factsOfSwitch([values, operator, operand]: readonly Expression[], context: InferenceContext, holds: boolean) {
  const path = values!.kind === "array" ? values!.items : undefined;
  if (path?.kind !== "query") return nothingKnown;
  const finding = findingOfSwitch(constantOf(operator!), constantOf(operand!), holds);
  return finding ? factsAt(path, finding, context) : nothingKnown;
}

function findingOfSwitch(operator: Json | undefined, operand: Json | undefined, holds: boolean): Finding | undefined {
  switch (operator) {
    case "exists":
    case "notexists":
      return (operator === "exists") === holds ? found : missing;
    case "null":
      return holds ? present(equalTo(null)) : maybe(isNotNull);
    case "notnull":
      return holds ? present(isNotNull) : maybe(equalTo(null));
    case "equals":
      if (typeof operand === "string" || operand === undefined) return holds ? present(isScalar) : undefined;
      return holds ? present(equalTo(operand)) : maybe(unequalTo(operand));
    case "notequals":
      return holds ? present(isNotNull) : undefined;
    case "matches":
    case "notmatches":
      return holds ? present(where((part) => plainTypeName(part) === "string")) : undefined;
    default:
      return holds ? present(isOrdered) : undefined;
  }
}

const constantOf = (expression: Expression): Json | undefined =>
  expression.kind === "literal" ? expression.value : undefined;

/** The narrowed type of a place's root. */
function factsAt(expression: Expression, finding: Finding, context: InferenceContext): Facts {
  const place = placeOf(expression);
  if (!place) return nothingKnown;
  const type = place.root === undefined ? context.input : (context.variables.get(place.root) ?? any);
  const narrowed = narrowAt(type, place.steps, finding);
  return narrowed === type ? nothingKnown : new Map([[place.root, narrowed]]);
}

function placeOf(expression: Expression): Place | undefined {
  switch (expression.kind) {
    case "identity":
      return { root: undefined, steps: [] };
    case "variable":
      return { root: expression.name, steps: [] };
    case "access": {
      const { source, key } = expression;
      const within = source.kind === "query" ? undefined : placeOf(source);
      return within && key.kind === "literal" && typeof key.value === "string"
        ? { ...within, steps: [...within.steps, { name: key.value, missing: "null", isStrict: true }] }
        : undefined;
    }
    case "query":
      return placeOfQuery(expression, "nothing");
    case "call": {
      const [items] = expression.args;
      if (expression.name !== "first" || items?.kind !== "comma" || items.items.length !== 2) return undefined;
      const [path, otherwise] = items.items;
      return path!.kind === "query" && otherwise!.kind === "literal" && otherwise!.value === null
        ? placeOfQuery(path, "null")
        : undefined;
    }
    default:
      return undefined;
  }
}

function placeOfQuery({ source, segments }: Query, missing: MemberStep["missing"]): Place | undefined {
  const within = source.kind === "query" ? undefined : placeOf(source);
  if (!within) return undefined;
  const steps: MemberStep[] = [...within.steps];
  for (const { descend, selectors } of segments) {
    const [selector] = selectors;
    if (descend || selectors.length !== 1 || selector?.kind !== "name") return undefined;
    steps.push({ name: selector.name, missing, isStrict: false });
  }
  return { ...within, steps };
}

function narrowAt(type: Type, [step, ...others]: readonly MemberStep[], finding: Finding): Type {
  if (!step) return finding.narrow(type);
  const mayBeMissing = step.missing === "nothing" ? finding.admitsNothing : !isNever(finding.narrow(nullType));
  return mapParts(type, (part) => {
    if (part.kind !== "object") return mayBeMissing && (!step.isStrict || part.kind === "null") ? part : never;
    const { type: member, presence } = memberOf(part, step.name);
    const mayLack = mayBeMissing && presence !== "always";
    if (presence === "never") return mayLack ? part : never;
    const narrowed = narrowAt(member, others, finding);
    if (narrowed === member && (mayLack || presence === "always")) return part;
    return isNever(narrowed) && !mayLack ? never : withMember(part, step.name, narrowed, !mayLack);
  });
}

const present = (narrow: Finding["narrow"]): Finding => ({ narrow, admitsNothing: false });

const maybe = (narrow: Finding["narrow"]): Finding => ({ narrow, admitsNothing: true });

const found = present((type) => type);

const missing = maybe(() => never);

/** The same type, unless a part changes. A value that still may have any kind of type may be anything. */
function mapParts(type: Type, change: (part: PlainType) => Type): Type {
  const parts = alternatives(type);
  const changed = parts.map(change);
  const isSame = type.kind === "any" ? !changed.some(isNever) : changed.every((part, i) => part === parts[i]);
  return isSame ? type : union(...changed);
}

const where =
  (isPossible: (part: PlainType) => boolean) =>
  (type: Type): Type =>
    mapParts(type, (part) => (isPossible(part) ? part : never));

const isNotNull = where(({ kind }) => kind !== "null");

const isScalar = where((part) => ["boolean", "number", "string"].includes(plainTypeName(part)));

const isOrdered = where((part) => ["number", "string"].includes(plainTypeName(part)));

const falsyOf = (type: Type): Type =>
  mapParts(type, (part) => {
    if (part.kind === "boolean") return literal(false);
    return part.kind === "null" || (part.kind === "literal" && part.value === false) ? part : never;
  });

const equalTo =
  (value: Json) =>
  (type: Type): Type =>
    mapParts(type, (part) => {
      if (plainTypeName(part) !== typeOf(value)) return never;
      if (part.kind === "literal") return part.value === value ? part : never;
      if (part.kind === "number" && part.integer && !Number.isInteger(value)) return never;
      return value === null ? part : typeOfValue(value);
    });

const unequalTo =
  (value: Json) =>
  (type: Type): Type =>
    mapParts(type, (part) => {
      if (part.kind === "boolean" && typeof value === "boolean") return literal(!value);
      const isSame = part.kind === "null" ? value === null : part.kind === "literal" && part.value === value;
      return isSame ? never : part;
    });

const withKey =
  (name: string) =>
  (type: Type): Type =>
    narrowAt(type, [{ name, missing: "nothing", isStrict: true }], found);

const withoutKey =
  (name: string) =>
  (type: Type): Type =>
    narrowAt(type, [{ name, missing: "nothing", isStrict: true }], missing);

/** Values that jq orders not below a constant, or not above it. */
const within = (bound: "least" | "most", value: Json) =>
  where((part) => {
    const rank = rankOf(value);
    return bound === "least" ? greatestRank(part) >= rank : leastRank(part) <= rank;
  });

function boundOf(operator: string, isMirrored: boolean, holds: boolean): "least" | "most" | undefined {
  if (!["<", "<=", ">", ">="].includes(operator)) return undefined;
  return operator.startsWith("<") === (isMirrored === holds) ? "least" : "most";
}

const ranks = { null: 0, boolean: 1, number: 3, string: 4, array: 5, object: 6 };

const rankOf = (value: Json): number => ranks[typeOf(value)] + Number(value === true);

const leastRank = (part: PlainType): number =>
  part.kind === "literal" ? rankOf(part.value) : ranks[plainTypeName(part)];

const greatestRank = (part: PlainType): number => leastRank(part) + Number(part.kind === "boolean");
