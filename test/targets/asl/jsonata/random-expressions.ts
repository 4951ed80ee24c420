import fc from "fast-check";
import { outputs } from "../../../../src/expressions/analysis/effects.ts";
import { substitute } from "../../../../src/expressions/analysis/substitute.ts";
import type { Binary, Expression, Segment, Selector } from "../../../../src/expressions/core/ast.ts";
import {
  and,
  binary,
  bind,
  call,
  collect,
  comma,
  conditional,
  firstOr,
  identity,
  literal,
  member,
  object,
  or,
  pipe,
  query,
  reduce,
  variable,
} from "../../../../src/expressions/core/build.ts";
import { simplify } from "../../../../src/expressions/simplify/simplify.ts";
import { type Json, setOwn } from "../../../../src/json.ts";

/** The variables of random expressions: JSON values, a small integer, and a string printed as a call. */
export const names = ["data", "x", "y", "tries", "id"] as const;

/** Member names, including ones that JavaScript, JSONata or JSON text could misread. */
const plainKeys = ["a", "b", "k", "name", "message", "value", "data"];
export const hostileKeys = [
  "",
  "a b",
  "ü",
  "and",
  "$",
  "$x",
  "`",
  '"',
  "{%",
  "%}",
  "\u2028",
  "\ud800",
  "0",
  "-1",
  "x".repeat(300),
  "waybill:",
].concat([
  "__proto__",
  "constructor",
  "hasOwnProperty",
  "toString",
  "length",
  "sequence",
  "cons",
  "keepSingleton",
  "then",
  "Ä",
]);
const key = fc.oneof(
  { weight: 5, arbitrary: fc.constantFrom(...plainKeys) },
  { weight: 1, arbitrary: fc.constantFrom(...hostileKeys) },
);

export const texts = [
  "",
  "a",
  "10.5",
  "9.5",
  "true",
  "null",
  "1e3",
  "-0",
  "2020-01-01T00:00:00Z",
  "2020-01-01T01:00:00+01:00",
  "2020-02-30T00:00:00Z",
].concat(["{% $x %}", "%}", "waybill:A: b", "😀", "\uffee", "\ud83d", "$1", "\n", "`", "{{x}} %41"]);
const numbers = [0, -0, 1, -1, 2, 0.1, 0.5, -2.5, 9.5, 1e21, 1e-7, 2 ** 53, 9.3e18, -9.3e18, 1e300, -1e300, 5e-324];
const scalar = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom<Json>(null, true, false, "", "a", 0, 1) },
  { weight: 1, arbitrary: fc.constantFrom<Json>(...texts) },
  { weight: 1, arbitrary: fc.constantFrom<Json>(...numbers) },
  { weight: 1, arbitrary: fc.integer({ min: -3, max: 12 }) },
);

const objectOf = (entries: readonly (readonly [string, Json])[]): Json => {
  const result: { [key: string]: Json } = {};
  for (const [name, value] of entries) setOwn(result, name, value);
  return result;
};

/** JSON values: nested and singleton arrays, empty values, objects with odd names. */
export const json: fc.Arbitrary<Json> = fc.letrec<{ value: Json }>((tie) => ({
  value: fc.oneof(
    { depthSize: "small", withCrossShrink: true },
    scalar,
    fc.array(tie("value"), { maxLength: 3 }),
    fc.array(fc.tuple(key, tie("value")), { maxLength: 4 }).map(objectOf),
    fc.array(fc.tuple(fc.constantFrom(...plainKeys), tie("value")), { maxLength: 4 }).map(objectOf),
  ),
})).value;

export const variableValues: fc.Arbitrary<ReadonlyMap<string, Json>> = fc
  .tuple(json, json, json, fc.integer({ min: 0, max: 1000 }))
  .map(
    ([data, x, y, tries]) =>
      new Map<string, Json>([
        ["data", data],
        ["x", x],
        ["y", y],
        ["tries", tries],
        ["id", "id-1"],
      ]),
  );

const index = fc.integer({ min: -2, max: 2 });
const bound = fc.integer({ min: -3, max: 3 });
const simpleSelector: fc.Arbitrary<Selector> = fc.oneof(
  key.map((name) => ({ kind: "name" as const, name })),
  index.map((at) => ({ kind: "index" as const, index: at })),
  fc.constant({ kind: "wildcard" as const }),
  fc
    .record({ start: bound, end: bound, step: fc.constantFrom(-2, -1, 0, 1, 2) }, { requiredKeys: [] })
    .map((slice) => ({ kind: "slice" as const, ...slice })),
);

const step = (selector: Selector): Segment => ({ descend: false, selectors: [selector] });
const place = fc.array(
  fc.oneof(
    key.map((name) => step({ kind: "name", name })),
    index.map((at) => step({ kind: "index", index: at })),
  ),
  {
    minLength: 1,
    maxLength: 3,
  },
);
const members = fc.array(
  key.map((name) => step({ kind: "name", name })),
  { minLength: 1, maxLength: 3 },
);

/** Segments whose filters use `inner`. */
function segments(inner: fc.Arbitrary<Expression>): fc.Arbitrary<readonly Segment[]> {
  const selector = fc.oneof(
    { weight: 5, arbitrary: simpleSelector },
    { weight: 2, arbitrary: condition(inner).map((test) => ({ kind: "filter" as const, condition: test })) },
  );
  const segment = fc.record({
    descend: fc.constantFrom(false, false, false, true),
    selectors: fc.array(selector, { minLength: 1, maxLength: 2 }),
  });
  return fc.oneof(members, place, fc.array(segment, { minLength: 1, maxLength: 3 }));
}

const operator = fc.constantFrom<Binary["name"]>("+", "-", "*", "/", "%", "==", "!=", "<", "<=", ">", ">=");
const comparison = fc.constantFrom("==", "!=", "<", "<=", ">", ">=").map(literal);
const name = fc.constantFrom(...names);
const local = fc.constantFrom("x", "y", "z w", "sum", "get");

function condition(inner: fc.Arbitrary<Expression>): fc.Arbitrary<Expression> {
  const path = members.map((steps) => query(identity, steps));
  const side = fc.oneof(path, fc.constant(identity), json.map(literal), inner);
  return fc.oneof(
    fc
      .tuple(fc.constantFrom("compareInCondition", "comparesNodes"), side, comparison, side)
      .map(([called, left, sign, right]) => call(called, left, sign, right)),
    fc.tuple(fc.constantFrom("exists", "truthy", "isEmpty"), side).map(([called, arg]) => call(called, arg)),
    inner,
  );
}

const switchOperator = fc
  .constantFrom(
    "exists",
    "notexists",
    "null",
    "notnull",
    "equals",
    "notequals",
    "lessthan",
    "lessthanorequals",
    "greaterthan",
    "greaterthanorequals",
  )
  .map(literal);
const patternOperator = fc.constantFrom("matches", "notmatches").map(literal);
const pattern = fc
  .constantFrom(
    "a",
    "^a?$",
    "[()/]",
    "",
    "[0-9]+(?:\\.\\d+)?",
    "\\[|\\}",
    "/",
    "\\{%|%\\}",
    "^.{1,2}$",
    "waybill:a: |b",
    "\\u2028",
    "\ud800",
  )
  .map(literal);

type ExpressionNodes = { any: Expression; leaf: Expression; made: Expression; called: Expression };

const written: fc.Arbitrary<Expression> = fc.letrec<ExpressionNodes>((tie) => ({
  leaf: fc.oneof(
    json.map(literal),
    name.map(variable),
    name.map(variable),
    fc.constant(identity),
    fc.tuple(name, members).map(([from, path]) => query(variable(from), path)),
  ),
  made: fc.oneof(...constructs(tie("any"))),
  called: fc.oneof(...calls(tie("any"))),
  any: fc.oneof({ depthSize: "medium", maxDepth: 6 }, tie("leaf"), tie("made"), tie("called")),
})).any;

/** Random expressions, some with a variable substituted by an expression. */
export const expression: fc.Arbitrary<Expression> = fc.oneof(
  { weight: 2, arbitrary: written },
  {
    weight: 1,
    arbitrary: fc.tuple(written, name, written).map(([around, replaced, part]) => {
      const value = simplify(outputs(part) === "one" ? part : collect(part));
      return simplify(substitute(around, new Map([[replaced, value]])));
    }),
  },
);

function constructs(inner: fc.Arbitrary<Expression>): readonly fc.Arbitrary<Expression>[] {
  const keyed = fc.oneof({ weight: 6, arbitrary: key.map(literal) }, { weight: 1, arbitrary: inner });
  return [
    fc.tuple(inner, segments(inner)).map(([source, path]) => query(source, path)),
    fc.tuple(inner, members).map(([source, path]) => firstOr(query(source, path), literal(null))),
    fc
      .array(fc.record({ key: keyed, value: inner }), { maxLength: 3 })
      .map((entries) => ({ kind: "object" as const, entries })),
    fc.option(inner, { nil: undefined }).map(collect),
    fc.array(inner, { maxLength: 3 }).map((items) => comma(...items)),
    fc.array(inner, { maxLength: 3 }).map((items) => collect(comma(...items))),
    fc.tuple(inner, inner).map(([left, right]) => pipe(left, right)),
    fc.tuple(local, inner, inner).map(([bound, value, body]) => bind(bound, value, body)),
    fc.tuple(inner, inner, inner).map(([a, b, c]) => conditional(a, b, c)),
    fc.tuple(fc.constantFrom(and, or), inner, inner).map(([join, left, right]) => join(left, right)),
    fc.tuple(operator, inner, inner).map(([sign, left, right]) => binary(sign, left, right)),
    fc
      .record({ name: local, source: inner, initial: inner, update: inner })
      .map(({ name: bound, source, initial, update }) => reduce(source, bound, initial, update)),
  ];
}

function calls(inner: fc.Arbitrary<Expression>): readonly fc.Arbitrary<Expression>[] {
  return [
    ...mergers(inner),
    ...tests(inner),
    fc
      .tuple(inner, fc.array(inner, { maxLength: 1 }), json)
      .map(([first, rest, last]) => call("first", comma(first, ...rest, literal(last)))),
    fc
      .tuple(fc.constantFrom("first", "not", "text", "type", "exists", "truthy", "isEmpty"), inner)
      .map(([called, arg]) => call(called, arg)),
    fc.tuple(key, key, inner).map(([a, b, value]) =>
      call(
        "error",
        object([
          [a, value],
          [b, member(variable("x"), a)],
        ]),
      ),
    ),
    inner.map((value) => call("error", value)),
  ];
}

function mergers(inner: fc.Arbitrary<Expression>): readonly fc.Arbitrary<Expression>[] {
  const path = fc.array(key, { maxLength: 3 }).map(literal);
  const small = fc.tuple(key, inner).map(([named, value]) => object([[named, value]]));
  return [
    fc
      .tuple(fc.constantFrom("merge", "assign", "difference"), inner, inner)
      .map(([called, left, right]) => call(called, left, right)),
    fc.tuple(inner, small).map(([target, value]) => call("merge", target, value)),
    fc.tuple(inner, small).map(([target, value]) => call("assign", target, value)),
    fc
      .tuple(fc.constantFrom("mergeResult", "assignResult"), inner, inner, key)
      .map(([called, target, value, named]) => call(called, target, value, literal(named))),
    fc.tuple(inner, path, inner).map(([target, at, value]) => call("place", target, at, value)),
  ];
}

function tests(inner: fc.Arbitrary<Expression>): readonly fc.Arbitrary<Expression>[] {
  const values = fc.oneof(
    inner.map(collect),
    fc.tuple(name, segments(inner)).map(([from, steps]) => collect(query(variable(from), steps))),
    inner,
  );
  return [
    fc
      .tuple(values, switchOperator, inner)
      .map(([list, sign, operand]) => call("switchCondition", list, sign, operand)),
    fc
      .tuple(values, patternOperator, pattern)
      .map(([list, sign, operand]) => call("switchCondition", list, sign, operand)),
    fc
      .tuple(fc.constantFrom("compareInCondition", "comparesNodes"), inner, comparison, inner)
      .map(([called, left, sign, right]) => call(called, left, sign, right)),
    fc.tuple(inner, key).map(([event, named]) => call("attribute", event, literal(named))),
  ];
}
