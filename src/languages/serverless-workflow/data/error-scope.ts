import {
  type BooleanEnvironment,
  binary,
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
} from "../../../expressions/index.ts";
import type { Context } from "../context.ts";
import type { Condition } from "../definition.ts";
import { readCondition } from "./conditions.ts";
import { data } from "./paths.ts";

const error = variable("error");
const trace = member(error, "data", "trace");

/** The error as the language shows it: `{ name, message, trace }`, the trace only where the error has one. */
const errorObject: Expression = call(
  "merge",
  object(["name", "message"].map((name) => [name, firstOr(member(error, name), literal(""))] as const)),
  firstOr(object([["trace", trace]]), object([])),
);

/** The members that the language's error object can have. */
export const errorMembers: ReadonlySet<string> = new Set(["name", "message", "trace"]);

/** An expression over the error as the language shows it. */
export const overError = (build: (error: Expression) => Expression): Expression => resolve(build(placeholder));

/** The condition in `owner.expression` after an error: `error`, `exception` and their members `name`, `message` and `trace` are that error's. */
export const conditionOnError = (context: Context, owner: { readonly expression?: Condition }): Expression =>
  overError((error) => readCondition(context, owner, environmentOf(error)));

/** The same after success: the error is null, its members are missing. Reports nothing, as the condition has been read before. */
export const conditionOnSuccess = (context: Context, owner: { readonly expression?: Condition }): Expression =>
  readCondition({ ...context, report: () => {} }, owner, environmentOf(literal(null)));

/** Stands for the error until it is known what a path takes from it. No variable has such a name. */
const placeholder: Expression = variable("the error");

function environmentOf(error: Expression): BooleanEnvironment {
  const withError = conditional(
    binary("==", call("type", data), literal("object")),
    binary("+", data, object(["error", "exception"].map((name) => [name, error] as const))),
    data,
  );
  const isError = (name: string) => name === "error" || name === "exception";
  return {
    root: withError,
    data: withError,
    member: (name) => (isError(name) ? error : member(data, name)),
    identifier: (name) => {
      if (isError(name)) return error;
      return errorMembers.has(name) ? member(error, name) : undefined;
    },
    identifiers: ["error", "exception", ...errorMembers],
  };
}

/** Puts the error into a condition: its members straight from the error value, the whole as the language shows it. */
function resolve(expression: Expression): Expression {
  if (expression === placeholder) return errorObject;
  if (expression.kind === "query" && expression.source === placeholder) return resolvePath(expression);
  const parts = childrenOf(expression).map((child) => child.expression);
  if (expression.kind === "call" && parts.includes(placeholder))
    return resolveCall(expression.name, parts) ?? rebuilt(expression, parts);
  return rebuilt(expression, parts);
}

const rebuilt = (expression: Expression, parts: readonly Expression[]): Expression =>
  withChildren(expression, parts.map(resolve));

function resolvePath(path: Extract<Expression, { kind: "query" }>): Expression {
  const [first, ...rest] = path.segments;
  const selector = first?.descend || first?.selectors.length !== 1 ? undefined : first.selectors[0];
  const name = selector?.kind === "name" ? selector.name : undefined;
  const filtered = rest.some((segment) => segment.selectors.some(({ kind }) => kind === "filter"));
  if (name !== undefined && !errorMembers.has(name)) return member(literal(null), name);
  if (name === "trace" && !filtered) return query(member(error, "data"), path.segments);
  if ((name === "name" || name === "message") && !filtered) return query(error, path.segments);
  return rebuilt(
    path,
    childrenOf(path).map((child) => child.expression),
  );
}

/** What is certain because there is an error: it is not null. */
function resolveCall(name: string, args: readonly Expression[]): Expression | undefined {
  switch (name) {
    case "truthy":
      return literal(true);
    case "isEmpty":
      return literal(false);
    case "relates": {
      const [left, operator, right] = args as readonly [Expression, Expression, Expression];
      const other = left === placeholder ? right : left;
      if (other.kind !== "literal" || other.value !== null) return undefined;
      return literal(operator.kind === "literal" && operator.value === "!=");
    }
    default:
      return undefined;
  }
}
