import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { narrow } from "../../src/expressions/analysis/narrowing.ts";
import { infer, mayThrow } from "../../src/expressions/analysis/types.ts";
import type { Expression } from "../../src/expressions/core/ast.ts";
import {
  and,
  binary,
  bind,
  call,
  collect,
  conditional,
  identity,
  literal,
  member,
  or,
  pipe,
  variable,
} from "../../src/expressions/core/build.ts";
import { evaluateAll } from "../../src/expressions/interpreter/evaluate.ts";
import { EvaluationError } from "../../src/expressions/library/failure.ts";
import type { Json } from "../../src/json.ts";
import { fuelOf, storedType, typeOfValue, union } from "../../src/types/lattice.ts";
import { printType } from "../../src/types/print.ts";
import { any, type Type } from "../../src/types/type.ts";
import { fits } from "../types/fits.ts";
import { typed } from "../types/random-schema.ts";
import { schemaType } from "../types/schemas.ts";
import { core } from "./js/running.ts";

const seed = 20_261_126;

const key = fc.constantFrom("a", "b", "c", "__proto__");
const names = fc.array(key, { minLength: 1, maxLength: 2 });
const root: fc.Arbitrary<Expression> = fc.constantFrom(variable("data"), identity);

const step = (source: Expression, name: string): Expression => ({
  kind: "access",
  source,
  key: literal(name),
  optional: false,
});

const path = fc.tuple(root, names).map(([source, chain]) => member(source, ...chain));
const place: fc.Arbitrary<Expression> = fc.oneof(
  root,
  fc.tuple(root, names).map(([source, chain]) => chain.reduce(step, source)),
  path.map((nodes) => call("first", { kind: "comma", items: [nodes, literal(null)] })),
  fc
    .tuple(path, names)
    .map(([nodes, chain]) => chain.reduce(step, call("first", { kind: "comma", items: [nodes, literal(null)] }))),
);

const scalars: readonly Json[] = [null, false, true, 0, 1, 1.5, "", "a", "1"];
const constant = fc.constantFrom<Json>(...scalars, [], {}, { a: 1 }, ["a"]).map(literal);
const typeName = fc.constantFrom("null", "boolean", "number", "string", "array", "object").map(literal);
const comparison = fc.constantFrom(
  "==" as const,
  "!=" as const,
  "<" as const,
  "<=" as const,
  ">" as const,
  ">=" as const,
);
const switchOperators = [
  "exists notexists null notnull equals notequals lessthan lessthanorequals greaterthan greaterthanorequals",
].flatMap((text) => text.split(" "));

const mirrored = (operator: Parameters<typeof binary>[0]) =>
  fc
    .boolean()
    .map(
      (isMirrored) => (left: Expression, right: Expression) =>
        isMirrored ? binary(operator, right, left) : binary(operator, left, right),
    );

const check: fc.Arbitrary<Expression> = fc.oneof(
  place,
  fc.tuple(comparison.chain(mirrored), place, constant).map(([compare, left, right]) => compare(left, right)),
  fc
    .tuple(fc.constantFrom("==" as const, "!=" as const), place, typeName)
    .map(([operator, at, name]) => binary(operator, call("type", at), name)),
  fc.tuple(place, key).map(([at, name]) => call("has", at, literal(name))),
  fc.tuple(fc.constantFrom("exists", "truthy", "isEmpty"), path).map(([name, nodes]) => call(name, nodes)),
  fc
    .tuple(fc.constantFrom("compareInCondition", "comparesNodes"), path, comparison, constant, fc.boolean())
    .map(([name, nodes, operator, value, isMirrored]) =>
      isMirrored ? call(name, value, literal(operator), nodes) : call(name, nodes, literal(operator), value),
    ),
  fc
    .tuple(path, fc.constantFrom(...switchOperators), constant)
    .map(([nodes, operator, operand]) => call("switchCondition", collect(nodes), literal(operator), operand)),
);

const guard: fc.Arbitrary<Expression> = fc.letrec<{ guard: Expression }>((tie) => ({
  guard: fc.oneof(
    { depthSize: "small", maxDepth: 4 },
    check,
    check,
    tie("guard").map((inner) => call("not", inner)),
    fc.tuple(tie("guard"), tie("guard")).map(([left, right]) => and(left, right)),
    fc.tuple(tie("guard"), tie("guard")).map(([left, right]) => or(left, right)),
    fc.tuple(place, tie("guard")).map(([left, right]) => pipe(left, right)),
    fc.tuple(place, tie("guard")).map(([value, body]) => bind("data", value, body)),
  ),
})).guard;

/** A value and a type that it has: open, exact, or of a schema. */
const known: fc.Arbitrary<{ readonly value: Json; readonly type: Type }> = fc.oneof(
  fc
    .tuple(
      fc.letrec<{ value: Json }>((tie) => ({
        value: fc.oneof(
          { depthSize: "small", maxDepth: 3 },
          fc.constantFrom<Json>(...scalars),
          fc.dictionary(key, tie("value"), { maxKeys: 3, noNullPrototype: true }),
          fc.dictionary(key, tie("value"), { maxKeys: 3, noNullPrototype: true }),
          fc.array(tie("value"), { maxLength: 2 }),
        ),
      })).value,
      fc.constantFrom<Json>({ a: 1 }, { a: { b: "x" } }, { b: null, c: [] }, 1, null, { a: "a", b: true }),
      fc.integer({ min: 0, max: 2 }),
    )
    .map(([value, other, kind]) => ({
      value,
      type: [any, typeOfValue(value), union(typeOfValue(value), typeOfValue(other))][kind]!,
    })),
  typed.chain(({ schema, value }) => value.map((each) => ({ value: each, type: schemaType(schema) }))),
);

function outputsOf(expression: Expression, input: Json, data: Json): readonly Json[] | undefined {
  try {
    return evaluateAll(expression, { input, variables: new Map([["data", data]]) });
  } catch (error) {
    if (!(error instanceof EvaluationError)) throw error;
    return undefined;
  }
}

const contextOf = (input: Type, data: Type) => ({
  input,
  variables: new Map([["data", data]]),
  fuel: fuelOf(20_000),
});

const isTruthy = (value: Json): boolean => value !== null && value !== false;

test("values have the types that their guards leave", () => {
  fc.assert(
    fc.property(guard, known, known, (condition, dot, data) => {
      const context = contextOf(dot.type, data.type);
      for (const output of outputsOf(condition, dot.value, data.value) ?? []) {
        const narrowed = narrow(condition, context, isTruthy(output));
        expect(fits(dot.value, narrowed.input), `. is ${printType(narrowed.input)}`).toBe(true);
        const type = narrowed.variables.get("data") ?? any;
        expect(fits(data.value, type), `$data is ${printType(type)}`).toBe(true);
      }
    }),
    { seed, numRuns: 6_000 },
  );
}, 60_000);

const use: fc.Arbitrary<Expression> = fc.oneof(
  place,
  path,
  fc.tuple(place, place).map(([left, right]) => binary("+", left, right)),
  fc.tuple(place, constant).map(([left, right]) => binary("*", left, right)),
  place.map((at) => ({ kind: "iterate" as const, source: at, optional: false })),
  place.map((at) => call("length", at)),
  place.map((at) => call("floor", at)),
  place.map((at) => call("keys", at)),
);

test("branches have the inferred types and fail only where they may", () => {
  fc.assert(
    fc.property(guard, use, use, known, known, (condition, then, otherwise, dot, data) => {
      const expression = conditional(condition, then, otherwise);
      const context = contextOf(dot.type, data.type);
      const outputs = outputsOf(expression, dot.value, data.value);
      if (!mayThrow(expression, context)) expect(outputs).toBeDefined();
      const type = storedType(infer(expression, context).type);
      for (const output of outputs ?? [])
        expect(fits(output, type), `${JSON.stringify(output)}: ${printType(type)}`).toBe(true);
    }),
    { seed, numRuns: 6_000 },
  );
}, 60_000);

describe("behind guards", () => {
  const order = schemaType({
    type: "object",
    properties: {
      id: { type: ["integer", "null"] },
      name: { type: "string" },
      kind: { enum: ["a", "b", null] },
      more: { type: "object", properties: { note: { type: ["string", "null"] } }, additionalProperties: false },
    },
    required: ["id"],
    additionalProperties: false,
  });
  const typeOf = (program: string, input: Type = order): string =>
    printType(storedType(infer(core(program), contextOf(input, any)).type));
  const throws = (program: string, input: Type = any): boolean => mayThrow(core(program), contextOf(input, any));

  test.each([
    ["if .id != null then .id else 0 end", "integer"],
    ["if .id == null then .id else 0 end", "null | 0"],
    ["if .id then .id else 0 end", "integer"],
    ["if .id | not then 0 else .id end", "integer"],
    ['if .kind == "a" then .kind else 1 end', '1 | "a"'],
    ['if .kind != "a" then .kind else null end', 'null | "b"'],
    ['if type == "object" and has("name") then .name else "" end', "string"],
    ["if .more.note != null then .more.note else 1 end", "1 | string"],
    ["if .id == null or .name == null then 1 else [.id, .name] end", "1 | (integer | string)[]"],
    ['if (.id | type) == "number" then .id else 1 end', "integer"],
    [".id as $n | if $n != null then $n else 1 end", "integer"],
    ["if .id > 0 then .id else 1 end", "integer"],
    ["if .id <= 0 then .id else 1 end", "null | integer"],
    ["[.] | map(select(.id != null) | .id)", "integer[]"],
  ])("%s is %s", (program, type) => {
    expect(typeOf(program)).toBe(type);
  });

  test.each([
    ['if type == "object" then .a else 1 end', false],
    ['if type == "object" then 1 else .a end', true],
    ['if type != "object" then 1 else .a end', false],
    ['if type == "object" and .n == null then 1 else .n end', true],
    ['if type == "object" and (.n | type) == "number" then .n + 1 else 1 end', false],
    ['if (type == "object" or type == "null") | not then 1 else .n end', false],
    ['type == "number" and . > 3 and (. * 2 | floor) == 1', false],
    ['type != "array" or (.[] | true)', false],
    ['type != "array" or (map(1) == [])', false],
  ])("%s may fail: %s", (program, fails) => {
    expect(throws(program)).toBe(fails);
  });
});
