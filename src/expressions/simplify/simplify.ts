import type { Json } from "../../json.ts";
import { canFail, effectsOf, isTotal, outputs } from "../analysis/effects.ts";
import { lookUp, mapChildren, type Substitutions, substitute, withInput } from "../analysis/substitute.ts";
import { type Analysis, constantOf, isNothingIn } from "../builtins/builtin.ts";
import { type Builtin, builtinOf, negatedCondition } from "../builtins/builtins.ts";
import type {
  ArrayConstruction,
  Binary,
  Call,
  Comma,
  Conditional,
  Expression,
  Fold,
  Let,
  Logic,
  ObjectConstruction,
  Pipe,
  Query,
} from "../core/ast.ts";
import { bind, call, conditional, literal } from "../core/build.ts";
import { equalExpressions } from "../core/equal.ts";
import { isBinary, isLogic, readsInput } from "../core/views.ts";
import { childrenOf } from "../core/walk.ts";
import { outputs as outputsIn } from "../interpreter/evaluate.ts";
import { EvaluationError } from "../library/failure.ts";
import { isJsonExact } from "../library/json-value.ts";
import { isTrue } from "../library/types.ts";
import { compareDisjointTypes, mergeComparisons } from "./comparisons.ts";

/**
 * Simplifies an expression in one pass without making it larger or changing its outputs: folds constants, removes dead
 * branches, and inlines constants, aliases and variables used once.
 */
export function simplify(expression: Expression): Expression {
  return visit(expression, undefined);
}

const simplified = new WeakSet<Expression>();

function visit(expression: Expression, bindings: Substitutions): Expression {
  if (expression.kind === "literal") return expression;
  if (bindings !== undefined) return reduce(expression, bindings);
  if (simplified.has(expression)) return expression;
  const result = reduce(expression, undefined);
  simplified.add(result);
  return result;
}

function reduce(expression: Expression, bindings: Substitutions): Expression {
  if (expression.kind === "variable") return lookUp(bindings, expression.name) ?? expression;
  if (expression.kind !== "let") return applyIdentities(foldConstants(mapChildren(expression, bindings, visit)));
  const value = isPatternAccess(expression.value)
    ? mapChildren(expression.value, bindings, visit)
    : visit(expression.value, bindings);
  const without = inlineLet(expression, value, bindings);
  if (without) return visit(expression.body, without.bindings);
  return mapChildren(expression, bindings, (part, inside) => (inside === bindings ? value : visit(part, inside)));
}

function inlineLet(
  expression: Let,
  value: Expression,
  bindings: Substitutions,
): { readonly bindings: Substitutions } | undefined {
  const { name, body } = expression;
  const inlined = { bindings: { name, value, outer: bindings } };
  if (value.kind === "literal" || value.kind === "variable") return inlined;
  if (!isTotal(value) || isPatternAccess(value)) return undefined;
  const uses = effectsOf(body).free.get(name) ?? 0;
  if (uses === 0) return { bindings: { name, value: undefined, outer: bindings } };
  return uses === 1 && !isBlocked(body, name) ? inlined : undefined;
}

/** Destructured, used under another `.`, or evaluated repeatedly. */
function isBlocked(expression: Expression, name: string): boolean {
  if (expression.kind === "let" && isPatternAccess(expression.value, name)) return true;
  return childrenOf(expression).some(
    (child) =>
      child.boundVariable !== name &&
      effectsOf(child.expression).free.has(name) &&
      (child.rebindsInput || isBlocked(child.expression, name)),
  );
}

/** In path mode, jq takes such an access for a path step. */
const isPatternAccess = (value: Expression, name?: string): boolean =>
  value.kind === "access" &&
  ((value.source.kind === "variable" && (name === undefined || value.source.name === name)) ||
    (value.source.kind === "literal" && name === undefined));

function foldConstants(expression: Expression): Expression {
  const foldable =
    foldableKinds.has(expression.kind) &&
    !(expression.kind === "call" && readsInput(expression)) &&
    childrenOf(expression).every((child) => child.rebindsInput || isConstant(child.expression));
  if (!foldable || isPathStep(expression) || effectsOf(expression).free.size > 0 || usesRegex(expression))
    return expression;
  const values = evaluateConstant(expression);
  return values.length === 1 && isShort(values[0]!) && isJsonExact(values[0]!)
    ? { kind: "literal", value: values[0]!, span: expression.span }
    : expression;
}

/** In path mode, `{a: 1}.a` is a path step or fails. */
const isPathStep = ({ kind }: Expression): boolean => kind === "access";

/** Not evaluated here, as they may take unbounded time. */
const usesRegex = (expression: Expression): boolean =>
  (expression.kind === "call" && isRegexBuiltin(builtinOf(expression.name, expression.args.length))) ||
  childrenOf(expression).some((child) => usesRegex(child.expression));

const isRegexBuiltin = (builtin: Builtin | undefined): boolean =>
  builtin?.kind === "stream" && builtin.usesRegex === true;

const maxFoldedLength = 100_000;

const isShort = (value: Json): boolean => typeof value !== "string" || value.length <= maxFoldedLength;

const foldableKinds: ReadonlySet<Expression["kind"]> = new Set<Expression["kind"]>([
  "query",
  "object",
  "array",
  "if",
  "call",
  "access",
]);

function isConstant(expression: Expression): boolean {
  if (expression.kind === "comma")
    return expression.items.every((item) => item.kind === "literal" || isConstantQuery(item));
  return expression.kind === "literal" || isConstantQuery(expression);
}

const isConstantQuery = (expression: Expression): boolean =>
  expression.kind === "query" && expression.source.kind === "literal" && effectsOf(expression).free.size === 0;

/** None if it fails; there may be infinitely many. */
function evaluateConstant(expression: Expression): readonly Json[] {
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

function applyIdentities(expression: Expression): Expression {
  switch (expression.kind) {
    case "query":
      return simplifyQuery(expression);
    case "comma":
      return flattenComma(expression);
    case "pipe":
      return simplifyPipe(expression);
    case "if":
      return simplifyConditional(expression);
    case "call":
      return simplifyCall(expression);
    case "fold":
      return simplifyFold(expression);
    default:
      return expression;
  }
}

const isBoolean = (expression: Expression): boolean => effectsOf(expression).type === "boolean";

/** If `c` is a boolean: `c == true` → `c`, `c == false` → its negation. */
function simplifyBooleanComparison({ name: operator, args: [left, right] }: Binary): Expression | undefined {
  const truth = constantOf(right);
  if ((operator !== "==" && operator !== "!=") || typeof truth !== "boolean" || !isBoolean(left)) return undefined;
  return truth === (operator === "==") ? left : applyIdentities(call("not", left));
}

const isNothing = (expression: Expression): boolean => isNothingIn(analysis, expression);

function simplifyQuery(expression: Query): Expression {
  const { source, segments } = expression;
  if (segments.length === 0) return source;
  if (source.kind === "query")
    return { ...expression, source: source.source, segments: [...source.segments, ...segments] };
  const made =
    source.kind === "object"
      ? constructedMember(source, expression)
      : source.kind === "array"
        ? constructedElements(source, expression)
        : undefined;
  if (!made) return expression;
  const rest = segments.slice(1);
  return rest.length === 0 ? made : simplifyQuery({ ...expression, source: made, segments: rest });
}

function constructedMember(source: ObjectConstruction, { segments: [first] }: Query): Expression | undefined {
  const [selector] = first?.selectors ?? [];
  if (!first || first.descend || first.selectors.length !== 1 || selector?.kind !== "name") return undefined;
  const keys = source.entries.map((entry) => constantOf(entry.key));
  const index = keys.lastIndexOf(selector.name);
  const others = source.entries.filter((_, i) => i !== index);
  return keys.every((key) => typeof key === "string") && others.every((entry) => isTotal(entry.value))
    ? source.entries[index]?.value
    : undefined;
}

/** `[a, b][0]` → `a`, and `[a][]` → `a`, if computing the others has no effect. */
function constructedElements({ items }: ArrayConstruction, { segments: [first] }: Query): Expression | undefined {
  const [selector] = first?.selectors ?? [];
  if (!items || !first || first.descend || first.selectors.length !== 1 || !selector) return undefined;
  const elements = items.kind === "comma" ? items.items : [items];
  if (!elements.every(isTotal)) return undefined;
  if (selector.kind === "index") return elements[selector.index];
  return selector.kind === "wildcard" && elements.length === 1 ? elements[0] : undefined;
}

/** `reduce a as $x (i; U)` → `a as $x | i | U`, for one output of each. */
function simplifyFold(expression: Fold): Expression {
  const { source, name, initial, update, extract } = expression;
  const isOnce = extract === undefined && [source, initial, update].every((each) => outputs(each) === "one");
  if (!isOnce || (initial.kind !== "literal" && initial.kind !== "variable")) return expression;
  if (effectsOf(initial).free.has(name)) return expression;
  const body = substitute(withInput(update, accumulator), new Map([[accumulator, initial]]));
  return visit(bind(name, source, body), undefined);
}

/** No variable has this name. */
const accumulator = "accumulator'";

function flattenComma(expression: Comma): Expression {
  const items = expression.items.flatMap((item) =>
    item.kind === "comma" ? item.items : isNothing(item) ? [] : [item],
  );
  if (items.length === 1) return items[0]!;
  return items.length === expression.items.length && items.every((item, i) => item === expression.items[i])
    ? expression
    : { ...expression, items };
}

/** `E | .` and `. | E` → `E`; a total, unused left side is dropped. */
function simplifyPipe(expression: Pipe): Expression {
  const { left, right } = expression;
  if (right.kind === "identity") return left;
  if (left.kind === "identity") return right;
  if (right.kind === "query" && right.source.kind === "identity") return simplifyQuery({ ...right, source: left });
  const led = rebasePath(right, left);
  if (led) return led;
  return isTotal(left) && !isPathStep(left) && !effectsOf(right).usesInput ? right : expression;
}

/** `E | .a[0][]` → `E.a[0][]`, unless keys depend on the input. */
function rebasePath(path: Expression, start: Expression): Expression | undefined {
  if (path.kind !== "access" && path.kind !== "iterate") return undefined;
  const keys = childrenOf(path).slice(1);
  if (keys.some(({ expression }) => !isTotal(expression) || effectsOf(expression).usesInput)) return undefined;
  const source = path.source.kind === "identity" ? start : rebasePath(path.source, start);
  return source && { ...path, source };
}

/** `if c then true else false` → `c`. */
function simplifyConditional(expression: Conditional): Expression {
  const { condition, then, otherwise } = expression;
  if (condition.kind === "literal") return isTrue(condition.value) ? then : otherwise;
  const negated = negatedCondition(condition);
  if (negated) return applyIdentities({ ...conditional(negated, otherwise, then), span: expression.span });
  if (isTotal(condition) && equalExpressions(then, otherwise)) return then;
  if (!isBoolean(condition)) return expression;
  if (constantOf(then) === true && constantOf(otherwise) === false) return condition;
  if (constantOf(then) === false && constantOf(otherwise) === true) return call("not", condition);
  return expression;
}

function simplifyLogic(expression: Logic): Expression {
  const [left, right] = expression.args;
  const decisive = expression.name === "or";
  if (left.kind === "literal") {
    if (isTrue(left.value) === decisive) return literal(decisive);
    return isBoolean(right) ? right : expression;
  }
  if (right.kind !== "literal") {
    const isTwice = isTotal(left) && isBoolean(left) && equalExpressions(left, right);
    return isTwice ? left : (mergeComparisons(expression) ?? expression);
  }
  if (isTrue(right.value) === decisive) return isTotal(left) ? literal(decisive) : expression;
  return isBoolean(left) ? left : expression;
}

function simplifyCall(expression: Call): Expression {
  if (isLogic(expression)) return simplifyLogic(expression);
  if (isBinary(expression))
    return compareDisjointTypes(expression) ?? simplifyBooleanComparison(expression) ?? expression;
  return builtinOf(expression.name, expression.args.length)?.simplify?.(expression.args, analysis) ?? expression;
}

const analysis: Analysis = { typeOf: (expression) => effectsOf(expression).type, outputsOf: outputs, canFail };
