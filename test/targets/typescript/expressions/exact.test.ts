import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { freeVariables } from "../../../../src/expressions/analysis/effects.ts";
import type { Expression } from "../../../../src/expressions/core/ast.ts";
import {
  binary,
  call,
  collect,
  comma,
  conditional,
  firstOr,
  literal,
  member,
  object,
  query,
  variable,
} from "../../../../src/expressions/core/build.ts";
import { simplify } from "../../../../src/expressions/simplify/simplify.ts";
import { readJq } from "../../../../src/expressions/syntax/jq/lower.ts";
import type { Json } from "../../../../src/json.ts";
import { expression, jqExpression, json, names } from "../../../expressions/random.ts";
import { input as document, program, wideProgram } from "../../../expressions/random-jq.ts";
import { isLimited, prepareBoth } from "./running.ts";

/** Compares a printed expression with the reference for some inputs. Returns whether it has a readable form. */
function compare(
  tree: Expression,
  variables: readonly string[],
  inputs: readonly (readonly [Json, readonly Json[]])[],
): boolean {
  const made = prepareBoth(tree, variables);
  if (!made) return false;
  for (const [input, values] of inputs) {
    const expected = made.expected(input, values);
    if (isLimited(expected)) continue;
    const got = made.run(input, values);
    if (got !== expected) expect({ got, code: made.program.code, input, values }).toEqual({ got: expected });
  }
  return true;
}

/** The percentage of random programs with a readable form. */
function share(
  programs: fc.Arbitrary<readonly [Expression, readonly string[], readonly (readonly [Json, readonly Json[]])[]]>,
  seed: number,
  numRuns: number,
) {
  let [readable, all] = [0, 0];
  fc.assert(
    fc.property(programs, ([tree, variables, inputs]) => {
      all += 1;
      if (compare(tree, variables, inputs)) readable += 1;
    }),
    { seed, numRuns },
  );
  return (100 * readable) / all;
}

const trees = (source: fc.Arbitrary<Expression>) =>
  fc
    .tuple(
      source,
      fc.boolean(),
      fc.array(fc.tuple(json, fc.array(json, { minLength: names.length, maxLength: names.length })), {
        minLength: 3,
        maxLength: 3,
      }),
    )
    .map(([tree, isSimplified, inputs]) => [isSimplified ? simplify(tree) : tree, names, inputs] as const);

const programs = (source: fc.Arbitrary<string>) =>
  fc
    .tuple(source, fc.boolean(), fc.array(document, { minLength: 4, maxLength: 4 }))
    .map(([text, isSimplified, inputs]) => {
      const read = readJq(text, { now: variable("now") });
      if (!("expression" in read)) throw new Error(text);
      const tree = isSimplified ? simplify(read.expression) : read.expression;
      const variables = [...freeVariables(tree)];
      return [tree, variables, inputs.map((input) => [input, variables.map(() => 0)] as const)] as const;
    });

describe("printed expressions behave like the reference interpreter", () => {
  test("random expressions with the functions of the dialects and JSONPath", { timeout: 120_000 }, () => {
    expect(share(trees(expression), 11, 2500)).toBeGreaterThan(40);
  });

  test("random expressions of jq", { timeout: 120_000 }, () => {
    expect(share(trees(jqExpression), 12, 2000)).toBeGreaterThan(40);
  });

  test("random common programs of jq", { timeout: 120_000 }, () => {
    expect(share(programs(program), 13, 1200)).toBeGreaterThan(50);
  });

  test("random programs with all of jq", { timeout: 120_000 }, () => {
    expect(share(programs(wideProgram), 14, 1500)).toBeGreaterThan(20);
  });
});

const error = variable("error");
const at = (index: number) => [{ descend: false, selectors: [{ kind: "index", index }] }] as const;
const state = collect(member(variable("data"), "state"));

describe("common operations are single calls", () => {
  const values: readonly Json[] = [null, false, true, 0, 5, "", "5", "done", [], [1], {}, { name: "Busy" }];
  const inside: readonly Json[] = [
    ...values,
    ...values.flatMap((value) => [{ state: value }, { name: value, message: value, data: value }]),
    ...values.map((value) => ({ name: "Busy", message: "no", data: { trace: value } })),
  ];
  test.each<[Expression, string, string]>([
    [
      call(
        "merge",
        object([
          ["name", firstOr(member(error, "name"), literal(""))],
          ["message", firstOr(member(error, "message"), literal(""))],
        ]),
        firstOr(object([["trace", member(error, "data", "trace")]]), object([])),
      ),
      "error",
      "errorData(error)",
    ],
    [
      conditional(
        binary("==", call("type", variable("items")), literal("array")),
        variable("items"),
        call("error", literal({ name: "DataError" })),
      ),
      "items",
      'listIn(items, { name: "DataError" })',
    ],
    [
      firstOr(member(variable("data"), "state"), call("error", literal({ name: "DataError" }))),
      "data",
      'required(memberOf(data, "state"), { name: "DataError" })',
    ],
    [
      call("place", object([]), literal(["state"]), firstOr(member(variable("data"), "state"), variable("data"))),
      "data",
      'assignMember({}, "state", data)',
    ],
    [
      call("place", variable("data"), literal(["state"]), firstOr(member(variable("data"), "state"), variable("data"))),
      "data",
      'assignMember(data, "state", data)',
    ],
    [
      firstOr(
        member(variable("data"), "state", "aVeryLongNameOfAMember", "andAnotherOneInsideOfIt"),
        member(variable("data"), "state"),
      ),
      "data",
      "withDefault(\n",
    ],
    [
      firstOr(query(collect(comma(variable("data"), literal(1))), at(0)), call("error", literal("no"))),
      "data",
      "=> data",
    ],
    [
      firstOr(query(collect(comma(variable("data"), literal(1))), at(2)), call("error", literal("no"))),
      "data",
      'required(elementOf([data, 1], 2), "no")',
    ],
    [call("switchCondition", state, literal("equals"), literal("done")), "data", 'memberOf(data, "state") === "done"'],
    [call("switchCondition", state, literal("equals"), literal("5")), "data", 'equals(memberOf(data, "state"), "5")'],
    [
      call("switchCondition", state, literal("notequals"), literal("5")),
      "data",
      'notEquals(memberOf(data, "state"), "5")',
    ],
    [call("switchCondition", state, literal("lessthan"), literal(5)), "data", 'isBelow(memberOf(data, "state"), 5)'],
    [
      call("switchCondition", state, literal("greaterthanorequals"), literal("5")),
      "data",
      'isAtLeast(memberOf(data, "state"), "5")',
    ],
    [call("switchCondition", state, literal("matches"), literal("o")), "data", 'matches(memberOf(data, "state"), "o")'],
    [
      call("switchCondition", state, literal("notmatches"), literal("o")),
      "data",
      'notMatches(memberOf(data, "state"), "o")',
    ],
    [
      call("switchCondition", state, literal("notnull"), literal(null)),
      "data",
      '(memberOf(data, "state") ?? null) !== null',
    ],
  ])("%#: $2", (tree, name, code) => {
    const inputs = inside.map((value) => [null, [value]] as const);
    expect(compare(tree, [name], inputs)).toBe(true);
    expect(prepareBoth(tree, [name])!.program.code).toContain(code);
  });
});
