import type { Json } from "../../json.ts";
import { canFail, factsOf, isTotal, outputs } from "../analysis/effects.ts";
import { type Bindings, find, rebuild } from "../analysis/substitute.ts";
import { constantOf, isNothingIn, type Known } from "../builtins/builtin.ts";
import { type Builtin, builtinOf, negatedBy } from "../builtins/builtins.ts";
import type {
  Binary,
  Call,
  Comma,
  Conditional,
  Expression,
  Let,
  Logic,
  ObjectConstruction,
  Pipe,
  Query,
} from "../core/ast.ts";
import { call, conditional, literal } from "../core/build.ts";
import { equalExpressions } from "../core/equal.ts";
import { childrenOf } from "../core/walk.ts";
import { outputs as outputsIn } from "../interpreter/evaluate.ts";
import { EvaluationError } from "../interpreter/failure.ts";
import { isFiniteThroughout } from "../interpreter/values.ts";
import { isTrue } from "../library/types.ts";
import { comparedApart, comparedTwice } from "./comparisons.ts";

/**
 * Simplifies an expression in one pass without making it larger or changing its outputs and failures: folds constants,
 * removes decided branches, and inlines constants, aliases and variables used once.
 */
export function simplify(expression: Expression): Expression {
  return visit(expression, undefined);
}

/** The results of earlier simplifications, which are not simplified again. */
const simplified = new WeakSet<Expression>();

function visit(expression: Expression, bindings: Bindings): Expression {
  if (expression.kind === "literal") return expression;
  if (bindings !== undefined) return reduced(expression, bindings);
  if (simplified.has(expression)) return expression;
  const result = reduced(expression, undefined);
  simplified.add(result);
  return result;
}

function reduced(expression: Expression, bindings: Bindings): Expression {
  if (expression.kind === "variable") return find(bindings, expression.name) ?? expression;
  if (expression.kind !== "let") return reduceAlgebra(fold(rebuild(expression, bindings, visit)));
  const value = takesApart(expression.value)
    ? rebuild(expression.value, bindings, visit)
    : visit(expression.value, bindings);
  const without = withoutName(expression, value, bindings);
  if (without) return visit(expression.body, without.bindings);
  return rebuild(expression, bindings, (part, inside) => (inside === bindings ? value : visit(part, inside)));
}

/** The bindings that replace a `let`, or undefined if it must stay. */
function withoutName(
  expression: Let,
  value: Expression,
  bindings: Bindings,
): { readonly bindings: Bindings } | undefined {
  const { name, body } = expression;
  const inlined = { bindings: { name, meaning: value, outer: bindings } };
  if (value.kind === "literal" || value.kind === "variable") return inlined;
  if (!isTotal(value)) return undefined;
  const uses = factsOf(body).free.get(name) ?? 0;
  if (uses === 0) return { bindings: { name, meaning: undefined, outer: bindings } };
  return uses === 1 && !hasToStay(body, name) ? inlined : undefined;
}

/** Whether a variable is destructured, used under another `.`, or would be evaluated repeatedly. */
function hasToStay(expression: Expression, name: string): boolean {
  if (expression.kind === "let" && takesApart(expression.value, name)) return true;
  return childrenOf(expression).some(
    (child) =>
      child.binds !== name &&
      factsOf(child.expression).free.has(name) &&
      (child.rebinds || hasToStay(child.expression, name)),
  );
}

/** In path mode, jq takes an access to a variable or constant for a path step. */
const takesApart = (value: Expression, name?: string): boolean =>
  value.kind === "access" &&
  ((value.source.kind === "variable" && (name === undefined || value.source.name === name)) ||
    (value.source.kind === "literal" && name === undefined));

/** Folds an expression with constant children if it has exactly one output and does not fail. */
function fold(expression: Expression): Expression {
  const foldable =
    operations.has(expression.kind) &&
    childrenOf(expression).every((child) => child.rebinds || isConstant(child.expression));
  if (!foldable || isStep(expression) || factsOf(expression).free.size > 0 || searches(expression)) return expression;
  const values = valuesOf(expression);
  return values.length === 1 && isShort(values[0]!) && isFiniteThroughout(values[0]!)
    ? { kind: "literal", value: values[0]!, span: expression.span }
    : expression;
}

/** In path mode, `{a: 1}.a` is a step of the path, which starts where `.` is the same value, or fails. */
const isStep = ({ kind }: Expression): boolean => kind === "access" || kind === "slice";

/** Regular expressions may take unbounded time, so the compiler does not evaluate them. */
const searches = (expression: Expression): boolean =>
  (expression.kind === "call" && isSearch(builtinOf(expression.name, expression.args.length))) ||
  childrenOf(expression).some((child) => searches(child.expression));

const isSearch = (builtin: Builtin | undefined): boolean => builtin?.kind === "stream" && builtin.searches === true;

/** Folding a longer string, such as a repeated one, could make the program larger. */
const longestFolded = 100_000;

const isShort = (value: Json): boolean => typeof value !== "string" || value.length <= longestFolded;

/** Expressions that compute one value from the values of their children. */
const operations: ReadonlySet<Expression["kind"]> = new Set<Expression["kind"]>([
  "query",
  "object",
  "array",
  "if",
  "logic",
  "binary",
  "call",
  "access",
  "slice",
  "alternative",
  "interpolation",
]);

/** Also streams of constants that are written out. */
function isConstant(expression: Expression): boolean {
  if (expression.kind === "comma")
    return expression.items.every((item) => item.kind === "literal" || isConstantQuery(item));
  return expression.kind === "literal" || isConstantQuery(expression);
}

const isConstantQuery = (expression: Expression): boolean =>
  expression.kind === "query" && expression.source.kind === "literal" && factsOf(expression).free.size === 0;

/** The first two outputs of a constant expression (it may have infinitely many); none if it fails. */
function valuesOf(expression: Expression): readonly Json[] {
  try {
    const found: Json[] = [];
    for (const value of outputsIn(expression, { input: null, variables: new Map() }, 0))
      if (found.push(value) > 1) break;
    return found;
  } catch (error) {
    if (error instanceof EvaluationError || error instanceof RangeError) return [];
    throw error;
  }
}

/** Applies algebraic identities at the root of an expression whose children are simplified. */
function reduceAlgebra(expression: Expression): Expression {
  switch (expression.kind) {
    case "query":
      return query(expression);
    case "comma":
      return flat(expression);
    case "pipe":
      return pipe(expression);
    case "if":
      return choice(expression);
    case "logic":
      return logic(expression);
    case "binary":
      return comparedApart(expression) ?? comparedWithTruth(expression) ?? expression;
    case "call":
      return builtin(expression);
    default:
      return expression;
  }
}

const isBoolean = (expression: Expression): boolean => factsOf(expression).type === "boolean";

/** `c == true` is c, and `c == false` is its negation, if c is a boolean. */
function comparedWithTruth({ operator, left, right }: Binary): Expression | undefined {
  const truth = constantOf(right);
  if ((operator !== "==" && operator !== "!=") || typeof truth !== "boolean" || !isBoolean(left)) return undefined;
  return truth === (operator === "==") ? left : reduceAlgebra(call("not", left));
}

const isNothing = (expression: Expression): boolean => isNothingIn(known, expression);

/** Joins nested paths and selects members of object constructions. */
function query(expression: Query): Expression {
  const { source, segments } = expression;
  if (segments.length === 0) return source;
  if (source.kind === "query")
    return { ...expression, source: source.source, segments: [...source.segments, ...segments] };
  const made = source.kind === "object" ? madeMember(source, expression) : undefined;
  if (!made) return expression;
  const rest = segments.slice(1);
  return rest.length === 0 ? made : query({ ...expression, source: made, segments: rest });
}

function madeMember(source: ObjectConstruction, { segments: [first] }: Query): Expression | undefined {
  const [selector] = first?.selectors ?? [];
  if (!first || first.descend || first.selectors.length !== 1 || selector?.kind !== "name") return undefined;
  const keys = source.entries.map((entry) => constantOf(entry.key));
  const index = keys.lastIndexOf(selector.name);
  const others = source.entries.filter((_, i) => i !== index);
  return keys.every((key) => typeof key === "string") && others.every((entry) => isTotal(entry.value))
    ? source.entries[index]?.value
    : undefined;
}

/** Flattens nested commas and drops empty items. */
function flat(expression: Comma): Expression {
  const items = expression.items.flatMap((item) =>
    item.kind === "comma" ? item.items : isNothing(item) ? [] : [item],
  );
  if (items.length === 1) return items[0]!;
  return items.length === expression.items.length && items.every((item, i) => item === expression.items[i])
    ? expression
    : { ...expression, items };
}

/** `E | .` and `. | E` are E; the left side is dropped if it is total and unused. */
function pipe(expression: Pipe): Expression {
  const { left, right } = expression;
  if (right.kind === "identity") return left;
  if (left.kind === "identity") return right;
  if (right.kind === "query" && right.source.kind === "identity") return query({ ...right, source: left });
  const led = ledFrom(right, left);
  if (led) return led;
  return isTotal(left) && !factsOf(right).usesInput ? right : expression;
}

/** `E | .a[0][]` is `E.a[0][]`, unless keys depend on the input. */
function ledFrom(way: Expression, start: Expression): Expression | undefined {
  if (way.kind !== "access" && way.kind !== "iterate" && way.kind !== "slice") return undefined;
  const keys = childrenOf(way).slice(1);
  if (keys.some(({ expression }) => !isTotal(expression) || factsOf(expression).usesInput)) return undefined;
  const source = way.source.kind === "identity" ? start : ledFrom(way.source, start);
  return source && { ...way, source };
}

/** A decided condition selects its branch; `if c then true else false` is c. */
function choice(expression: Conditional): Expression {
  const { condition, then, otherwise } = expression;
  if (condition.kind === "literal") return isTrue(condition.value) ? then : otherwise;
  const negated = negatedBy(condition);
  if (negated) return reduceAlgebra({ ...conditional(negated, otherwise, then), span: expression.span });
  if (isTotal(condition) && equalExpressions(then, otherwise)) return then;
  if (!isBoolean(condition)) return expression;
  if (constantOf(then) === true && constantOf(otherwise) === false) return condition;
  if (constantOf(then) === false && constantOf(otherwise) === true) return call("not", condition);
  return expression;
}

/** A constant operand decides, or leaves the other one. */
function logic(expression: Logic): Expression {
  const { left, right } = expression;
  const decisive = expression.operator === "or";
  if (left.kind === "literal") {
    if (isTrue(left.value) === decisive) return literal(decisive);
    return isBoolean(right) ? right : expression;
  }
  if (right.kind !== "literal") {
    const isTwice = isTotal(left) && isBoolean(left) && equalExpressions(left, right);
    return isTwice ? left : (comparedTwice(expression) ?? expression);
  }
  if (isTrue(right.value) === decisive) return isTotal(left) ? literal(decisive) : expression;
  return isBoolean(left) ? left : expression;
}

const builtin = (expression: Call): Expression =>
  builtinOf(expression.name, expression.args.length)?.simplified?.(expression.args, known) ?? expression;

const known: Known = { typeOf: (expression) => factsOf(expression).type, outputsOf: outputs, canFail };
