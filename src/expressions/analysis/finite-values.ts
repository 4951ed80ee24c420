import { alternatives, any, fuelOf, plainTypeName, type Type } from "../../types/index.ts";
import { typeOfName } from "../builtins/builtin.ts";
import type { Binary, Call, Expression, Let } from "../core/ast.ts";
import { call, conditional } from "../core/build.ts";
import { isBinary, isUpdate } from "../core/views.ts";
import { childrenOf, withChildren } from "../core/walk.ts";
import { hasFiniteNumbers } from "../library/json-value.ts";
import { effectsOf } from "./effects.ts";
import { narrow } from "./narrowing.ts";
import {
  type InferenceContext,
  infer,
  inferFold,
  maxInferredNodes,
  nestedContext,
  type VariableTypes,
  withType,
} from "./types.ts";

/**
 * Gives an expression outputs that JSON can carry: where a value is bound, NaN becomes null, and numbers beyond a
 * double's range the largest ones. Only the parts that may compute such numbers are converted, by `finite`.
 */
export function toFiniteValues(expression: Expression, variables: VariableTypes = new Map()): Expression {
  if (!mayBeInfinite(expression)) return expression;
  const types = { input: any, variables, fuel: fuelOf(maxInferredNodes) };
  return convertParts(expression, { types, unconverted: new Set() });
}

interface ConversionScope {
  readonly types: InferenceContext;
  /** Variables whose values are not converted; `.` for the input. */
  readonly unconverted: ReadonlySet<string>;
}

function convertParts(expression: Expression, scope: ConversionScope): Expression {
  if (!isUnconverted(expression, scope)) return expression;
  const inner = (part: Expression): Expression => convertParts(part, scope);
  switch (expression.kind) {
    case "object":
      return { ...expression, entries: expression.entries.map(({ key, value }) => ({ key, value: inner(value) })) };
    case "array":
      return { ...expression, items: expression.items && inner(expression.items) };
    case "comma":
      return { ...expression, items: expression.items.map(inner) };
    case "if": {
      const { condition, then, otherwise, span } = expression;
      const where = (holds: boolean) => ({ ...scope, types: narrow(condition, scope.types, holds) });
      return {
        ...conditional(condition, convertParts(then, where(true)), convertParts(otherwise, where(false))),
        span,
      };
    }
    case "pipe":
      return { ...expression, right: convertParts(expression.right, bound(scope, ".", expression.left)) };
    case "let":
      return convertLet(expression, scope);
    case "call":
      return convertCall(expression, scope);
    default:
      return convert(expression);
  }
}

const convert = (expression: Expression): Expression => call("finite", expression);

/** Converts the value itself if the body only puts it into its outputs. */
function convertLet(expression: Let, scope: ConversionScope): Expression {
  const { name, value, body } = expression;
  const inner = bound(scope, name, value);
  const converted = convertParts(body, inner);
  return inner.unconverted.has(name) && countConversions(converted, name) === effectsOf(body).free.get(name)
    ? { ...expression, value: convertParts(value, scope), body: withoutConversions(converted, name) }
    : { ...expression, body: converted };
}

function countConversions(expression: Expression, name: string): number {
  if (!effectsOf(expression).free.has(name)) return 0;
  if (isConversionOf(expression, name)) return 1;
  return childrenOf(expression).reduce((sum, child) => sum + countConversions(child.expression, name), 0);
}

function withoutConversions(expression: Expression, name: string): Expression {
  if (!effectsOf(expression).free.has(name)) return expression;
  if (isConversionOf(expression, name)) return expression.args[0]!;
  const parts = childrenOf(expression).map((child) => withoutConversions(child.expression, name));
  return withChildren(expression, parts);
}

const isConversionOf = (expression: Expression, name: string): expression is Call =>
  isConverted(expression) && isVariable(expression.args[0]!, name);

const isVariable = (expression: Expression, name: string): boolean =>
  expression.kind === "variable" && expression.name === name;

/** The scope of what follows a value, where it is `.` or a variable. */
function bound({ types, unconverted }: ConversionScope, name: string, value: Expression): ConversionScope {
  const names = new Set(unconverted);
  if (isUnconverted(value, { types, unconverted })) names.add(name);
  else names.delete(name);
  return { types: withValue(types, name, value), unconverted: names };
}

function withValue(types: InferenceContext, name: string, value: Expression): InferenceContext {
  const { type } = infer(value, types);
  return nestedContext(types, name === "." ? { input: type } : { variables: withType(types.variables, name, type) });
}

function convertCall(expression: Call, scope: ConversionScope): Expression {
  if (isUpdate(expression)) {
    const [path, value] = expression.args;
    if (!isMemberPath(path) || scope.unconverted.has(".")) return convert(expression);
    const types = nestedContext(scope.types, { input: any });
    return { ...expression, args: [path, convertParts(value, { ...scope, types })] };
  }
  return isConstructor(expression)
    ? { ...expression, args: expression.args.map((part) => convertParts(part, scope)) }
    : convert(expression);
}

/** Functions that put their arguments together without a look at numbers. */
const isConstructor = ({ name, args, isLocal }: Call): boolean =>
  !isLocal && constructors.has(`${name}/${args.length}`);

const constructors: ReadonlySet<string> = new Set(
  "first/1 merge/2 mergeResult/3 assign/2 assignResult/3 place/3 mergeOutput/2".split(" "),
);

const isMemberPath = (path: Expression): boolean =>
  path.kind === "identity" || (path.kind === "access" && path.key.kind === "literal" && isMemberPath(path.source));

function isUnconverted(expression: Expression, { types, unconverted }: ConversionScope): boolean {
  if (mayBeInfiniteIn(expression, types)) return true;
  if (unconverted.size === 0 || isExact(expression)) return false;
  const { free, usesInput } = effectsOf(expression);
  return [...unconverted].some((name) => (name === "." ? usesInput : free.has(name)));
}

/** Whether an output may contain NaN or an infinity. Variables contain none. */
export function mayBeInfinite(expression: Expression): boolean {
  if (expression.kind === "variable" || expression.kind === "identity") return false;
  if (expression.kind === "literal") return !hasFiniteNumbers(expression.value);
  const known = cache.get(expression);
  if (known !== undefined) return known;
  const found =
    (producesInfinite(expression, typeOfAnything) ||
      childrenOf(expression).some((child) => mayBeInfinite(child.expression))) &&
    !isExact(expression);
  cache.set(expression, found);
  return found;
}

const cache = new WeakMap<Expression, boolean>();

const typeOfAnything = (expression: Expression): Type => typeOfName(effectsOf(expression).type);

/** The same with what guards establish. */
function mayBeInfiniteIn(expression: Expression, types: InferenceContext): boolean {
  if (!mayBeInfinite(expression)) return false;
  switch (expression.kind) {
    case "if": {
      const { condition, then, otherwise } = expression;
      return (
        mayBeInfiniteIn(then, narrow(condition, types)) || mayBeInfiniteIn(otherwise, narrow(condition, types, false))
      );
    }
    case "pipe":
      return (
        mayBeInfiniteIn(expression.left, types) ||
        mayBeInfiniteIn(expression.right, withValue(types, ".", expression.left))
      );
    case "let":
      return (
        mayBeInfiniteIn(expression.value, types) ||
        mayBeInfiniteIn(expression.body, withValue(types, expression.name, expression.value))
      );
    case "fold": {
      const { source, initial, update, extract } = expression;
      if (mayBeInfiniteIn(source, types) || mayBeInfiniteIn(initial, types)) return true;
      const { state, updated, variables } = inferFold(expression, types);
      const within = (input: Type) => nestedContext(types, { input, variables });
      return mayBeInfiniteIn(update, within(state)) || (!!extract && mayBeInfiniteIn(extract, within(updated)));
    }
    case "define":
      return true;
    default:
      return (
        producesInfinite(expression, (part) => infer(part, types).type) ||
        childrenOf(expression).some((child) =>
          mayBeInfiniteIn(child.expression, child.rebindsInput ? nestedContext(types, { input: any }) : types),
        )
      );
  }
}

function isExact(expression: Expression): boolean {
  if (isConverted(expression)) return true;
  if (["null", "boolean", "string"].includes(effectsOf(expression).type ?? "any")) return true;
  if (expression.kind === "pipe") return isExact(expression.right);
  return expression.kind === "let" && isExact(expression.body);
}

const isConverted = (expression: Expression): expression is Call =>
  expression.kind === "call" && expression.name === "finite" && !expression.isLocal;

function producesInfinite(expression: Expression, typeOf: (operand: Expression) => Type): boolean {
  if (expression.kind === "literal") return !hasFiniteNumbers(expression.value);
  if (expression.kind === "dialect") return expression.dialect.yieldsFinite !== true;
  if (expression.kind !== "call" || expression.isLocal) return false;
  return isBinary(expression) ? mayOverflow(expression, typeOf) : !finiteFunctions.has(expression.name);
}

function mayOverflow({ name, args }: Binary, typeOf: (operand: Expression) => Type): boolean {
  const mayBeNumber = (type: Type) => alternatives(type).some((part) => plainTypeName(part) === "number");
  if (!args.every((operand) => mayBeNumber(typeOf(operand)))) return false;
  const sizes = args.map(sizeOf);
  switch (name) {
    case "+":
    case "-":
      return !sizes.some((size) => size < halfLargestGap);
    case "*":
      return !sizes.some((size) => size <= 1);
    case "/":
      return !(sizes[1]! >= 1 && sizes[1]! < Number.POSITIVE_INFINITY);
    default:
      return false;
  }
}

/** The absolute value of a constant number; otherwise infinity. */
const sizeOf = (expression: Expression): number =>
  expression.kind === "literal" && typeof expression.value === "number"
    ? Math.abs(expression.value)
    : Number.POSITIVE_INFINITY;

/** Sums with a smaller number are finite: the two largest doubles are 2⁹⁷¹ apart. */
const halfLargestGap = 2 ** 970;

/** Functions that do not compute numbers beyond a double's range, but may return parts of their arguments. */
const finiteFunctions: ReadonlySet<string> = new Set(
  `abs alternative assign assignEvent assignResult attribute bsearch ceil combinations delpaths difference error explode first flatten _flatten floor
   evaluateJsonata from_entries fromdate fromdateiso8601 getpath _group_by_impl index indices keys keys_unsorted last length limit
   ltrim ltrimstr max _max_by_impl merge mergeEvent mergeOutput mergeResult min _min_by_impl mktime _negate nodeCount
   nodeLength nodeValue not now omit nth path place range recurse reverse rindex round rtrim rtrimstr setpath skip sort
   _sort_by_impl split _strindices strptime text to_entries tostream transpose trim trimstr trunc type unique
   _unique_by_impl update utf8bytelength _between _captured _match _replaced _scanned`.split(/\s+/),
);
