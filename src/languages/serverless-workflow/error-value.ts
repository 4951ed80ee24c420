import {
  binary,
  type ConditionScope,
  call,
  childrenOf,
  conditional,
  type Expression,
  firstOr,
  literal,
  member,
  object,
  query,
  variable,
  withChildren,
} from "../../expressions/index.ts";
import { data } from "./data.ts";

const error = variable("error");
const trace = member(error, "data", "trace");

/** `trace` only if the error has one. */
const errorObject: Expression = call(
  "merge",
  object(["name", "message"].map((name) => [name, firstOr(member(error, name), literal(""))] as const)),
  firstOr(object([["trace", trace]]), object([])),
);

/** The members of an error. */
export const errorFields: ReadonlySet<string> = new Set(["name", "message", "trace"]);

/** Builds an expression of the error. */
export const withError = (build: (error: Expression) => Expression): Expression => substituteError(build(placeholder));

/** The names of the error in conditions. */
export const errorNames: readonly string[] = ["error", "exception"];

/** Whether a name in a condition is the error's. */
export const isErrorName = (name: string): boolean => errorNames.includes(name);

/** An object with the error under its names. */
export const errorMembers = (error: Expression): Expression => object(errorNames.map((name) => [name, error] as const));

/** Stands for the error until its uses are known. */
const placeholder: Expression = variable("the error");

/** What a condition of a handler sees: the data, and the error as `error` and `exception`. */
export function scopeOf(error: Expression): ConditionScope {
  const withError = conditional(
    binary("==", call("type", data), literal("object")),
    binary("+", data, errorMembers(error)),
    data,
  );
  return {
    root: withError,
    data: withError,
    member: (name) => (isErrorName(name) ? error : member(data, name)),
    identifier: (name) => {
      if (isErrorName(name)) return error;
      return errorFields.has(name) ? member(error, name) : undefined;
    },
    identifiers: ["error", "exception", ...errorFields],
  };
}

/** Fields come directly from the error value, the whole error as the language shows it. */
function substituteError(expression: Expression): Expression {
  if (expression === placeholder) return errorObject;
  if (expression.kind === "query" && expression.source === placeholder) return substituteInPath(expression);
  const parts = childrenOf(expression).map((child) => child.expression);
  if (expression.kind === "call" && parts.includes(placeholder))
    return substituteInCall(expression.name, parts) ?? substituteInParts(expression, parts);
  return substituteInParts(expression, parts);
}

const substituteInParts = (expression: Expression, parts: readonly Expression[]): Expression =>
  withChildren(expression, parts.map(substituteError));

function substituteInPath(path: Extract<Expression, { kind: "query" }>): Expression {
  const [first, ...rest] = path.segments;
  const selector = first?.descend || first?.selectors.length !== 1 ? undefined : first.selectors[0];
  const name = selector?.kind === "name" ? selector.name : undefined;
  const filtered = rest.some((segment) => segment.selectors.some(({ kind }) => kind === "filter"));
  if (name !== undefined && !errorFields.has(name)) return member(literal(null), name);
  if (name === "trace" && !filtered) return query(member(error, "data"), path.segments);
  if ((name === "name" || name === "message") && !filtered) return query(error, path.segments);
  return substituteInParts(
    path,
    childrenOf(path).map((child) => child.expression),
  );
}

/** The whole error is not null. */
function substituteInCall(name: string, args: readonly Expression[]): Expression | undefined {
  switch (name) {
    case "truthy":
      return literal(true);
    case "isEmpty":
      return literal(false);
    case "compareInCondition": {
      const [left, operator, right] = args as readonly [Expression, Expression, Expression];
      const other = left === placeholder ? right : left;
      if (other.kind !== "literal" || other.value !== null) return undefined;
      return literal(operator.kind === "literal" && operator.value === "!=");
    }
    default:
      return undefined;
  }
}
