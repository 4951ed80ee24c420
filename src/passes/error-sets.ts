import { comparisonOf, type Expression, isBinary, isLogic, negatedCondition, simplify } from "../expressions/index.ts";
import type { Json } from "../json.ts";

/** Errors that a condition matches by name only: those listed, or all others. */
export interface ErrorSet {
  readonly all: boolean;
  readonly names: ReadonlySet<ErrorName>;
}

/**
 * Errors of a name, whatever raised them, or timeouts of steps, which differ from an error `Timeout` that a function
 * throws.
 */
export type ErrorName = string | typeof timeouts;

/** Errors of steps that exceeded their timeout. */
export const timeouts: unique symbol = Symbol("timeouts of steps");

const nothing: ErrorSet = { all: false, names: new Set() };
const everything: ErrorSet = { all: true, names: new Set() };

/** The errors for which a condition over `$error` holds; undefined unless their names decide. */
export const matchedErrors = (when: Expression): ErrorSet | undefined => matchCondition(simplify(when));

/** Whether a set contains every error. */
export const matchesAll = (errors: ErrorSet | undefined): boolean => errors?.all === true && errors.names.size === 0;

function matchCondition(when: Expression): ErrorSet | undefined {
  if (when.kind === "literal") return when.value === true ? everything : nothing;
  if (isLogic(when)) {
    const [left, right] = when.args.map(matchCondition);
    return (
      left &&
      right &&
      (when.name === "or" ? union(left, right) : complement(union(complement(left), complement(right))))
    );
  }
  if (isBinary(when)) return matchComparison(when.args[0], when.name, when.args[1]);
  if (when.kind !== "call") return undefined;
  const [first] = when.args;
  const negated = negatedCondition(when);
  const errors = negated && matchCondition(negated);
  if (negated) return errors && complement(errors);
  if (when.name === "truthy" && first) return errorPart(first) === undefined ? undefined : everything;
  const comparison = comparisonOf(when);
  return comparison && matchComparison(comparison.left, comparison.operator, comparison.right);
}

function matchComparison(left: Expression, operator: Json, right: Expression): ErrorSet | undefined {
  if (operator !== "==" && operator !== "!=") return undefined;
  const [subject, constant] = left.kind === "literal" ? [right, left] : [left, right];
  const part = errorPart(subject);
  if (part === undefined || constant.kind !== "literal") return undefined;
  const equal = matchEqual(part, constant.value);
  return equal && (operator === "==" ? equal : complement(equal));
}

function matchEqual(part: "error" | "name" | "message" | "origin", value: Json): ErrorSet | undefined {
  if (typeof value !== "string") return nothing;
  if (part === "error") return nothing;
  if (part === "message") return undefined;
  if (part === "origin") return value === "timeout" ? { all: false, names: new Set([timeouts]) } : undefined;
  return { all: false, names: new Set(value === "Timeout" ? [timeouts, "Timeout"] : [value]) };
}

/** The error itself, or a member that every error has. */
function errorPart(expression: Expression): "error" | "name" | "message" | "origin" | undefined {
  if (expression.kind === "variable") return expression.name === "error" ? "error" : undefined;
  if (expression.kind === "call" && expression.name === "first")
    return expression.args[0] && errorPart(expression.args[0]);
  if (expression.kind !== "query" || expression.source.kind !== "variable" || expression.source.name !== "error")
    return undefined;
  const [segment] = expression.segments;
  const [selector] = segment?.selectors ?? [];
  if (
    expression.segments.length !== 1 ||
    segment?.descend ||
    segment?.selectors.length !== 1 ||
    selector?.kind !== "name"
  )
    return undefined;
  const { name } = selector;
  return name === "name" || name === "message" || name === "origin" ? name : undefined;
}

const complement = ({ all, names }: ErrorSet): ErrorSet => ({ all: !all, names });

function union(a: ErrorSet, b: ErrorSet): ErrorSet {
  if (a.all && b.all) return { all: true, names: new Set([...a.names].filter((name) => b.names.has(name))) };
  if (!a.all && !b.all) return { all: false, names: new Set([...a.names, ...b.names]) };
  const [excluding, including] = a.all ? [a, b] : [b, a];
  return { all: true, names: new Set([...excluding.names].filter((name) => !including.names.has(name))) };
}
