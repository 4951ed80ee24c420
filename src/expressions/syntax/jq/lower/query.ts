import { assertNever } from "../../../../json.ts";
import { lookUp } from "../../../analysis/substitute.ts";
import type { Expression } from "../../../core/ast.ts";
import {
  access,
  alternative,
  binary,
  bind,
  call,
  collect,
  comma,
  concatenate,
  conditional,
  identity,
  iterate,
  literal,
  pipe,
  recurse,
  slice,
  update,
  variable,
} from "../../../core/build.ts";
import { roundedInteger } from "../../cursor.ts";
import type {
  AssignmentOperator,
  BinaryOperator,
  Index,
  Interpolation,
  Iteration,
  Jq,
  NumberLiteral,
  ObjectConstruction,
  ObjectEntry,
  Slice,
} from "../syntax.ts";
import { lowerCall, lowerDefinition } from "./functions.ts";
import { lowerBinding, lowerForeach, lowerReduce } from "./patterns.ts";
import { countQuery, freshName, type LoweringContext, type LoweringScope, reject, withFurtherUse } from "./scope.ts";

/** Lowers a query, with its span. */
export function lower(query: Jq, scope: LoweringScope, lowering: LoweringContext): Expression {
  countQuery(query, lowering);
  const expression = tailKinds.has(query.kind)
    ? lowerOperation(query as OperationQuery, scope, lowering)
    : lowerTerm(query, withFurtherUse(scope), lowering);
  const span = lowering.spanAt(query.start, query.end);
  return span === undefined || expression.span !== undefined || expression === identity
    ? expression
    : { ...expression, span };
}

/** Queries whose children in tail position inherit `isLast`. */
const tailKinds: ReadonlySet<Jq["kind"]> = new Set<Jq["kind"]>(["comma", "pipe", "if", "binding", "definition"]);

function lowerTerm(query: Jq, scope: LoweringScope, lowering: LoweringContext): Expression {
  switch (query.kind) {
    case "identity":
      return identity;
    case "recursion":
      return recurse(iterate(identity, true));
    case "number":
      return lowerNumber(query, lowering);
    case "string":
    case "constant":
      return literal(query.value);
    case "location":
      return literal({ file: "<top-level>", line: query.line });
    case "variable":
      return lookUp(scope.variables, query.name)!;
    case "format":
      return call("format", identity, literal(query.name));
    default:
      return lowerConstruction(query, scope, lowering);
  }
}

type LeafKind = "identity" | "recursion" | "number" | "string" | "constant" | "location" | "variable" | "format";

function lowerConstruction(
  query: Exclude<Jq, { kind: LeafKind }>,
  scope: LoweringScope,
  lowering: LoweringContext,
): Expression {
  switch (query.kind) {
    case "interpolation":
      return lowerInterpolation(query, scope, lowering);
    case "index":
    case "slice":
    case "iteration":
      return lowerAccess(query, scope, lowering);
    case "array":
      return collect(query.items && lower(query.items, withFurtherUse(scope, true), lowering));
    case "object":
      return lowerObject(query, scope, lowering);
    case "call":
      return lowerCall(query, scope, lowering);
    default:
      return lowerOperation(query, scope, lowering);
  }
}

type OperationQuery = Exclude<
  Jq,
  { kind: LeafKind | "interpolation" | "index" | "slice" | "iteration" | "array" | "object" | "call" }
>;

function lowerOperation(query: OperationQuery, scope: LoweringScope, lowering: LoweringContext): Expression {
  const part = (inner: Jq) => lower(inner, withFurtherUse(scope), lowering);
  const last = (inner: Jq) => lower(inner, scope, lowering);
  switch (query.kind) {
    case "negation":
      return pipe(part(query.operand), call("_negate", identity));
    case "binary":
      return binary(query.operator, part(query.left), part(query.right));
    case "logic":
      return call(query.operator, part(query.left), part(query.right));
    case "alternative":
      return alternative(part(query.left), part(query.right));
    case "assignment":
      return assignment(query.operator, part(query.left), part(query.right), lowering);
    case "comma":
      return comma(...query.items.map(last));
    case "pipe":
      return pipe(part(query.left), last(query.right));
    case "try": {
      const labels = query.handler ? undefined : scope.labels;
      const body = lower(query.body, { ...withFurtherUse(scope), labels }, lowering);
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
      return lowerScoped(query, scope, lowering);
  }
}

type ScopedQuery = Exclude<
  OperationQuery,
  { kind: "negation" | "binary" | "logic" | "alternative" | "assignment" | "comma" | "pipe" | "try" | "if" }
>;

function lowerScoped(query: ScopedQuery, scope: LoweringScope, lowering: LoweringContext): Expression {
  switch (query.kind) {
    case "reduce":
      return lowerReduce(query, scope, lowering);
    case "foreach":
      return lowerForeach(query, scope, lowering);
    case "binding":
      return lowerBinding(query, scope, lowering);
    case "definition":
      return lowerDefinition(query, scope, lowering);
    case "label": {
      const name = freshName(query.name, lowering);
      const labels = { name: query.name, value: name, outer: scope.labels };
      return { kind: "label", name, body: lower(query.body, { ...scope, labels }, lowering) };
    }
    case "break": {
      const name = lookUp(scope.labels, query.name);
      if (name === undefined)
        reject("unsupported", query, "`break` out of `try … catch` is not supported: jq treats it as an error.");
      return { kind: "break", name };
    }
    default:
      return assertNever(query);
  }
}

function assignment(
  operator: AssignmentOperator,
  path: Expression,
  right: Expression,
  lowering: LoweringContext,
): Expression {
  if (operator === "|=") return update(path, right);
  const name = freshName("value", lowering);
  return bind(name, right, update(path, newValue(operator, variable(name))));
}

function newValue(operator: Exclude<AssignmentOperator, "|=">, right: Expression): Expression {
  if (operator === "=") return right;
  if (operator === "//=") return alternative(identity, right);
  return binary(operator.slice(0, -1) as BinaryOperator, identity, right);
}

function lowerAccess(query: Index | Slice | Iteration, scope: LoweringScope, lowering: LoweringContext): Expression {
  const part = (inner: Jq) => lower(inner, scope, lowering);
  const { optional } = query;
  const source = part(query.target);
  switch (query.kind) {
    case "index":
      return access(source, part(query.key), optional);
    case "slice":
      return slice(source, query.from && part(query.from), query.upTo && part(query.upTo), optional);
    case "iteration":
      return iterate(source, optional);
    default:
      return assertNever(query);
  }
}

/** As in jq, numbers beyond doubles are infinite. */
function lowerNumber({ text, start, end }: NumberLiteral, lowering: LoweringContext): Expression {
  const value = Number(text);
  if (!Number.isFinite(value)) return call("infinite");
  const kept = roundedInteger(text, value);
  if (kept !== undefined) lowering.warn(start, end, `Numbers are stored with 53 bits: this becomes ${kept}.`);
  return literal(value);
}

function lowerInterpolation(
  { format, parts }: Interpolation,
  scope: LoweringScope,
  lowering: LoweringContext,
): Expression {
  const text = (value: Expression) =>
    format === undefined ? call("tostring", value) : call("format", value, literal(format));
  return concatenate(
    parts.flatMap((part) => {
      if (typeof part !== "string") return text(lower(part, scope, lowering));
      return part === "" ? [] : literal(part);
    }),
  );
}

/** If a computed key has no value, the value is looked up under the key, so all are bound to variables. */
function lowerObject({ entries }: ObjectConstruction, scope: LoweringScope, lowering: LoweringContext): Expression {
  const part = (query: Jq) => lower(query, scope, lowering);
  const plain = entries.every((entry) => entry.value !== undefined || entry.key.kind === "string");
  if (!plain) return bindMembers(entries, part, lowering);
  const members = entries.map((entry) => {
    const key = part(entry.key);
    return { key, value: entry.value ? part(entry.value) : memberOf(key) };
  });
  return { kind: "object", entries: members };
}

const memberOf = (key: Expression): Expression => access(identity, key);

function bindMembers(
  entries: readonly ObjectEntry[],
  part: (query: Jq) => Expression,
  lowering: LoweringContext,
): Expression {
  const members = entries.map((entry) => {
    const [key, value] = [freshName("key", lowering), freshName("value", lowering)];
    return { key, value, keys: part(entry.key), values: entry.value ? part(entry.value) : memberOf(variable(key)) };
  });
  const object: Expression = {
    kind: "object",
    entries: members.map(({ key, value }) => ({ key: variable(key), value: variable(value) })),
  };
  return members.reduceRight<Expression>(
    (body, { key, value, keys, values }) => bind(key, keys, bind(value, values, body)),
    object,
  );
}
