import { describe, expect, test } from "vitest";
import { evaluateAll } from "../../../src/expressions/interpreter/evaluate.ts";
import { equalValues } from "../../../src/expressions/library/order.ts";
import type { Json } from "../../../src/json.ts";
import { loadOracle } from "../jq/oracle.ts";
import { core, run } from "./running.ts";

const oracle = await loadOracle();

/** The outputs of jq. */
const answersOf = (program: string, input: string): readonly Json[] =>
  oracle
    .run(program, input)
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as Json);

/** Programs that once differed from jq, evaluated or compiled, with their inputs. */
describe.each([
  ["[reduce .[] as {(.k): $v} (0; . + $v)]", '[{"k":"a","a":1},{"k":"b","b":2}]'],
  [". as {d: {(.b): $v}} | $v", '{"d":{"b":"x","x":5,"y":6},"b":"y"}'],
  ['. as {"k\\(.m)": $x} | $x', '{"m":1,"k1":7}'],
  [".a as {b: {(.c): $x}} ?// $x | [$x]", '{"a":{"b":{"c":"d","d":3}}}'],
  ["[foreach .[] as {(.k): $v} (0; . + $v)]", '[{"k":"a","a":1},{"k":"b","b":2}]'],
  [". as [{(.a, .b): $x}] | [$x]", '[{"a":"c","b":"d","c":1,"d":2}]'],
  ["[.[] | finites]", '["a",1,null,[]]'],
  ["[nan | finites]", "null"],
  ["[range(null; 3; 1)]", "null"],
  ['[range("a"; "aab"; "b")]', "null"],
  ["[limit(2; range(nan; 3; 1))]", "null"],
  ['[limit(3; range(0; "a"; 1))]', "null"],
  ["[range(0, 1; 3, 4; 1, 2)]", "null"],
  ["[range(5; 0; -2)], [range(0; .; 3)]", "10"],
  ["(foreach (1, 2) as $i (.; .; .a)) |= 5", '{"a":1}'],
  ["[path(foreach (1, 2) as $i (.; .; .a))]", '{"a":1}'],
  ["foreach (1, 2) as $x (.; .; .) |= .", "2"],
  ["[path(foreach (1, 2) as $x (.; .; .))]", "1"],
  ["INDEX(.[]?)", '{"key":null}'],
  ["INDEX(.[]; .a, .b)", '[{"a":"x","b":"y"}]'],
  ['[. * {b: 1}, (. + {b: 1} | del(.b)), with_entries(.), (.["__proto__"] |= 2)]', '{"__proto__":{"x":1}}'],
  ["INDEX(.[]; .id), group_by(.id), (map({(.id): 1}) | add)", '[{"id":"__proto__"},{"id":"constructor"}]'],
  ["[foreach (1, 2) as $v (0; . + $v)]", "null"],
  ["[reduce . as {a: $u} (.; path($u))]", "null"],
  ["reduce .[] as [$k, $n] ({}; .[$k] += $n)", '[["x",2],["y",4],["x",1]]'],
  ["[.[] | . * . |= .]", "[{}]"],
  ["null.a = 1", "null"],
  ["[foreach ([1], [2]) as $i (0; $i)]", "null"],
])("%s of %s", (program, input) => {
  const expected = answersOf(program, input);

  test("is evaluated as in jq", () => {
    const given = evaluateAll(core(program), { input: JSON.parse(input) as Json, variables: new Map() });
    expect(equalValues([...given], [...expected]) || given).toBe(true);
  });

  test("is compiled to an equivalent program", () => {
    const outcome = run(core(program), JSON.parse(input) as Json);
    expect(JSON.parse(JSON.stringify(outcome))).toEqual({ outputs: expected });
  });
});

test("an assignment inside of a path is not supported", () => {
  expect(() => evaluateAll(core("path(. |= .)"), { input: 1, variables: new Map() })).toThrow(
    "An assignment inside of a path is not supported.",
  );
  expect(run(core("path(. |= .)"), 1)).toEqual({ refused: "An assignment inside of a path is not supported." });
});

test("only the start of an endless constant stream is precomputed", () => {
  expect(run(core("first(range(1e9))"), null)).toEqual({ outputs: [0] });
  expect(run(core("[limit(2; range(1e9))] | length"), null)).toEqual({ outputs: [2] });
});
