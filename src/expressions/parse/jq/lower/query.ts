import { assertNever } from "../../../../json.ts";
import type { Expression } from "../../../core/ast.ts";
import { call, collect, comma, conditional, identity, literal, pipe } from "../../../core/build.ts";
import type { AssignmentOperator, BinaryOperator, Jq } from "../syntax.ts";
import { lowerAccess } from "./access.ts";
import { lowerCall, lowerDefinition } from "./definitions.ts";
import { countQuery, type Environment, find, followed, freshName, type Lowering, refuse } from "./environment.ts";
import { lowerNumber } from "./numbers.ts";
import { lowerBinding, lowerForeach, lowerReduce } from "./patterns.ts";
import { lowerInterpolation, lowerObject } from "./values.ts";

/** A query as an expression of the core, with its place. */
export function lower(query: Jq, environment: Environment, lowering: Lowering): Expression {
  countQuery(query, lowering);
  const expression = lastKinds.has(query.kind)
    ? lowerOperation(query as Operation, environment, lowering)
    : lowerTerm(query, followed(environment), lowering);
  const span = lowering.placeOf(query.start, query.end);
  return span === undefined || expression.span !== undefined || expression === identity
    ? expression
    : { ...expression, span };
}

/** The queries whose outputs are those of some of their parts, which are last where the whole is. */
const lastKinds: ReadonlySet<Jq["kind"]> = new Set<Jq["kind"]>(["comma", "pipe", "if", "binding", "definition"]);

function lowerTerm(query: Jq, environment: Environment, lowering: Lowering): Expression {
  switch (query.kind) {
    case "identity":
      return identity;
    case "recursion":
      return { kind: "recurse", body: { kind: "iterate", source: identity, optional: true } };
    case "number":
      return lowerNumber(query, lowering);
    case "string":
    case "constant":
      return literal(query.value);
    case "location":
      return literal({ file: "<top-level>", line: query.line });
    case "variable":
      return find(environment.variables, query.name)!;
    case "format":
      return call("format", identity, literal(query.name));
    default:
      return lowerConstruction(query, environment, lowering);
  }
}

type Leaf = "identity" | "recursion" | "number" | "string" | "constant" | "location" | "variable" | "format";

function lowerConstruction(
  query: Exclude<Jq, { kind: Leaf }>,
  environment: Environment,
  lowering: Lowering,
): Expression {
  switch (query.kind) {
    case "interpolation":
      return lowerInterpolation(query, environment, lowering);
    case "index":
    case "slice":
    case "iteration":
      return lowerAccess(query, environment, lowering);
    case "array":
      return collect(query.items && lower(query.items, followed(environment, true), lowering));
    case "object":
      return lowerObject(query, environment, lowering);
    case "call":
      return lowerCall(query, environment, lowering);
    default:
      return lowerOperation(query, environment, lowering);
  }
}

type Operation = Exclude<
  Jq,
  { kind: Leaf | "interpolation" | "index" | "slice" | "iteration" | "array" | "object" | "call" }
>;

function lowerOperation(query: Operation, environment: Environment, lowering: Lowering): Expression {
  const part = (inner: Jq) => lower(inner, followed(environment), lowering);
  const last = (inner: Jq) => lower(inner, environment, lowering);
  switch (query.kind) {
    case "negation":
      return call("_negate", part(query.operand));
    case "binary":
      return calculation(query.operator, part(query.left), part(query.right));
    case "logic":
      return { kind: "logic", operator: query.operator, left: part(query.left), right: part(query.right) };
    case "alternative":
      return { kind: "alternative", left: part(query.left), right: part(query.right) };
    case "assignment":
      return assignment(query.operator, part(query.left), part(query.right), lowering);
    case "comma":
      return comma(...query.items.map(last));
    case "pipe":
      return pipe(part(query.left), last(query.right));
    case "try": {
      const labels = query.handler ? undefined : environment.labels;
      const body = lower(query.body, { ...followed(environment), labels }, lowering);
      return { kind: "try", body, handler: query.handler && part(query.handler) };
    }
    case "if": {
      const otherwise = query.otherwise ? last(query.otherwise) : identity;
      return query.branches.reduceRight(
        (rest, branch) => conditional(part(branch.condition), last(branch.result), rest),
        otherwise,
      );
    }
    default:
      return lowerScoped(query, environment, lowering);
  }
}

type Scoped = Exclude<
  Operation,
  { kind: "negation" | "binary" | "logic" | "alternative" | "assignment" | "comma" | "pipe" | "try" | "if" }
>;

function lowerScoped(query: Scoped, environment: Environment, lowering: Lowering): Expression {
  switch (query.kind) {
    case "reduce":
      return lowerReduce(query, environment, lowering);
    case "foreach":
      return lowerForeach(query, environment, lowering);
    case "binding":
      return lowerBinding(query, environment, lowering);
    case "definition":
      return lowerDefinition(query, environment, lowering);
    case "label": {
      const name = freshName(query.name, lowering);
      const labels = { name: query.name, meaning: name, outer: environment.labels };
      return { kind: "label", name, body: lower(query.body, { ...environment, labels }, lowering) };
    }
    case "break": {
      const name = find(environment.labels, query.name);
      if (name === undefined)
        refuse("unsupported", query, "`break` out of `try … catch` is not supported: jq takes it for an error.");
      return { kind: "break", name };
    }
    default:
      return assertNever(query);
  }
}

const calculation = (operator: BinaryOperator, left: Expression, right: Expression): Expression => ({
  kind: "binary",
  operator,
  left,
  right,
});

/** The right side is evaluated with the input, once for all places. */
function assignment(operator: AssignmentOperator, path: Expression, right: Expression, lowering: Lowering): Expression {
  if (operator === "|=") return { kind: "update", path, value: right };
  const name = freshName("value", lowering);
  const variable: Expression = { kind: "variable", name };
  const body: Expression = { kind: "update", path, value: newValue(operator, variable) };
  return { kind: "let", name, value: right, body };
}

function newValue(operator: Exclude<AssignmentOperator, "|=">, right: Expression): Expression {
  if (operator === "=") return right;
  if (operator === "//=") return { kind: "alternative", left: identity, right };
  return calculation(operator.slice(0, -1) as BinaryOperator, identity, right);
}
