import fc from "fast-check";
import type { Binary, Expression, Segment, Selector } from "../../src/expressions/core/ast.ts";
import {
  and,
  binary,
  bind,
  call,
  collect,
  comma,
  conditional,
  identity,
  literal,
  or,
  pipe,
  query,
  reduce,
  variable,
} from "../../src/expressions/core/build.ts";
import type { Json } from "../../src/json.ts";

/** The variables of random expressions; all are defined outside and may be rebound. */
export const names = ["data", "x", "y"] as const;

const key = fc.constantFrom("a", "b", "__proto__", "a b", "ü", "k");
const scalar = fc.oneof(
  fc.constantFrom<Json>(null, true, false, "", "a", "10.5", "9.5", "2020-01-01T00:00:00Z", "2020-01-01T01:00:00+01:00"),
  fc.integer({ min: -3, max: 12 }),
);

/** Small JSON values with repeated keys, numeric strings and empty containers. */
export const json: fc.Arbitrary<Json> = fc.letrec<{ value: Json }>((tie) => ({
  value: fc.oneof(
    { depthSize: "small", withCrossShrink: true },
    scalar,
    fc.array(tie("value"), { maxLength: 3 }),
    fc.array(fc.tuple(key, tie("value")), { maxLength: 3 }).map((entries) => Object.fromEntries(entries) as Json),
  ),
})).value;

const simpleSelector: fc.Arbitrary<Selector> = fc.oneof(
  key.map((name) => ({ kind: "name" as const, name })),
  fc.integer({ min: -2, max: 2 }).map((index) => ({ kind: "index" as const, index })),
  fc.constant({ kind: "wildcard" as const }),
  fc
    .record(
      {
        start: fc.integer({ min: -3, max: 3 }),
        end: fc.integer({ min: -3, max: 3 }),
        step: fc.constantFrom(-2, -1, 0, 1, 2),
      },
      { requiredKeys: [] },
    )
    .map((slice) => ({ kind: "slice" as const, ...slice })),
);

/** Segments without filters. */
export const segments: fc.Arbitrary<readonly Segment[]> = fc.array(
  fc.record({
    descend: fc.constantFrom(false, false, false, true),
    selectors: fc.array(simpleSelector, { minLength: 1, maxLength: 2 }),
  }),
  { minLength: 1, maxLength: 3 },
);

const members: fc.Arbitrary<readonly Segment[]> = fc.array(
  key.map((name) => ({ descend: false, selectors: [{ kind: "name" as const, name }] })),
  { minLength: 1, maxLength: 2 },
);

const operator = fc.constantFrom<Binary["name"]>("+", "-", "*", "/", "%", "==", "!=", "<", "<=", ">", ">=");
const comparison = fc.constantFrom("==", "!=", "<", "<=", ">", ">=").map(literal);
const switchOperator = fc
  .constantFrom("exists", "notexists", "null", "notnull", "equals", "notequals", "lessthan", "greaterthanorequals")
  .map(literal);
const name = fc.constantFrom(...names);

type Nodes = { any: Expression; leaf: Expression; jq: Expression; dialect: Expression };

/** Random expressions: those that jq has, or all. */
export const { any: expression, jq: jqExpression } = fc.letrec<Nodes>((tie) => ({
  leaf: fc.oneof(json.map(literal), fc.constant(identity), name.map(variable)),
  jq: fc.oneof({ depthSize: "small", maxDepth: 4 }, tie("leaf"), ...shared(tie("jq"), members)),
  dialect: fc.oneof(...dialect(tie("any"))),
  any: fc.oneof(
    { depthSize: "small", maxDepth: 4 },
    tie("leaf"),
    ...shared(tie("any"), segments),
    tie("dialect"),
    tie("dialect"),
  ),
}));

/** jq 1.8 mishandles folds with several initial values. */
function shared(
  inner: fc.Arbitrary<Expression>,
  paths: fc.Arbitrary<readonly Segment[]>,
): readonly fc.Arbitrary<Expression>[] {
  const keyed = fc.oneof({ weight: 4, arbitrary: key.map(literal) }, { weight: 1, arbitrary: inner });
  return [
    fc.tuple(inner, paths).map(([source, path]) => query(source, path)),
    fc
      .array(fc.record({ key: keyed, value: inner }), { maxLength: 2 })
      .map((entries) => ({ kind: "object" as const, entries })),
    fc.option(inner, { nil: undefined }).map(collect),
    fc.array(inner, { maxLength: 3 }).map((items) => comma(...items)),
    fc.tuple(inner, inner).map(([left, right]) => pipe(left, right)),
    fc.tuple(name, inner, inner).map(([bound, value, body]) => bind(bound, value, body)),
    fc.tuple(inner, inner, inner).map(([a, b, c]) => conditional(a, b, c)),
    fc.tuple(inner, inner).map(([left, right]) => and(left, right)),
    fc.tuple(inner, inner).map(([left, right]) => or(left, right)),
    fc.tuple(operator, inner, inner).map(([sign, left, right]) => binary(sign, left, right)),
    fc
      .record({
        name,
        source: inner,
        initial: inner.map((initial) => call("first", comma(initial, literal(null)))),
        update: inner,
      })
      .map(({ name: bound, source, initial, update }) => reduce(source, bound, initial, update)),
    fc.tuple(fc.constantFrom("first", "not", "text", "type", "error"), inner).map(([called, arg]) => call(called, arg)),
  ];
}

function dialect(inner: fc.Arbitrary<Expression>): readonly fc.Arbitrary<Expression>[] {
  const path = fc.array(key, { maxLength: 2 }).map(literal);
  return [
    fc
      .tuple(inner, fc.array(inner, { maxLength: 1 }), json)
      .map(([first, rest, last]) => call("first", comma(first, ...rest, literal(last)))),
    fc.tuple(fc.constantFrom("exists", "truthy", "isEmpty"), inner).map(([called, arg]) => call(called, arg)),
    fc
      .tuple(fc.constantFrom("merge", "assign", "difference"), inner, inner)
      .map(([called, left, right]) => call(called, left, right)),
    fc
      .tuple(fc.constantFrom("mergeResult", "assignResult"), inner, inner, key)
      .map(([called, target, value, named]) => call(called, target, value, literal(named))),
    fc.tuple(inner, path, inner).map(([target, at, value]) => call("place", target, at, value)),
    fc
      .tuple(inner, switchOperator, inner)
      .map(([values, sign, operand]) => call("switchCondition", collect(values), sign, operand)),
    fc
      .tuple(fc.constantFrom("compareInCondition", "comparesNodes"), inner, comparison, inner)
      .map(([called, left, sign, right]) => call(called, left, sign, right)),
    fc.tuple(inner, key).map(([event, named]) => call("attribute", event, literal(named))),
    fc
      .tuple(inner, inner)
      .map(([source, condition]) =>
        query(source, [{ descend: false, selectors: [{ kind: "filter", condition: call("truthy", condition) }] }]),
      ),
  ];
}
