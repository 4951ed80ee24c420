import { expect, test } from "vitest";
import {
  compileJsonata,
  isParseError,
  type Jsonata,
  jsonataDocumentReads,
  jsonataFreeVariables,
  jsonataMayFail,
  jsonataType,
  jsonataYieldsNothing,
  parseJsonata,
} from "../../../src/expressions/index.ts";
import { document, randomIndexes, randomProgram } from "./programs.ts";

function parse(text: string): Jsonata {
  const tree = parseJsonata(text);
  if (isParseError(tree)) throw new Error(tree.message);
  return tree;
}

test.each([
  ["$a + $b.$a", ["a", "b"]],
  ["$ & $$ & name", []],
  ["($x := $y; $x + $z)", ["y", "z"]],
  ["($x; $x := 1)", ["x"]],
  ["[($x := 1; $x), $x]", ["x"]],
  ["(c ? ($x := 1) : 2; $x)", ["x"]],
  ["(c ? $x := 1 : 2; $x)", ["x"]],
  ["($even := function($n){ $odd($n) }; $odd := function($n){ $even($n) }; $odd(1))", []],
  ["function($x, $y){ $x + $y + $z }", ["z"]],
  ["a@$x.b#$i[$x = $i].{'k': $x, 'v': $j}", ["j"]],
  ["[a@$x.b, $x]", ["x"]],
  ["a ~> |$p|{'b': $u}, $d|", ["p", "u", "d"]],
  ["$map(a, $f)", ["map", "f"]],
])("the free variables of %s", (text, names) => {
  expect(jsonataFreeVariables(parse(text))).toEqual(names);
});

test.each([
  ["$states.input.a", []],
  ["$states.input[a = $]", []],
  ["$map($states.input, function($v){ $v & a })", []],
  ["a + $.b & $$.c", ["a", "$", "$$"]],
  ["$f(a[b], *.c)", ["a", "*"]],
  ["{'k': 'a'.b}", ["'a'"]],
  ["$x^(a){b: c}", []],
])("the document reads of %s", (text, parts) => {
  expect(jsonataDocumentReads(parse(text)).map(({ start, end }) => text.slice(start, end))).toEqual(parts);
});

test("types and failures hold for random programs", () => {
  const random = randomIndexes(11);
  const counts = { typed: 0, safe: 0 };
  for (let count = 0; count < 3000; count++) {
    const text = randomProgram(random, 3);
    const program = compileJsonata(text);
    if (isParseError(program)) continue;
    const limits = { steps: 20_000, depth: 500, sequence: 100_000 };
    const result = program.evaluate(document, { now: 0, random: () => 0.5, limits });
    const hasFunction = /function|\$[a-z]{2,}/.test(text);
    if (!jsonataMayFail(program.tree) && !hasFunction) {
      counts.safe += 1;
      expect([text, result.kind]).toEqual([text, "value"]);
    }
    if (result.kind === "value" && !jsonataYieldsNothing(program.tree))
      expect([text, result.value === undefined]).toEqual([text, false]);
    const type = jsonataType(program.tree);
    if (type === undefined || result.kind === "error" || result.value === undefined) continue;
    counts.typed += 1;
    expect([text, typeOf(result.value)]).toEqual([text, type]);
  }
  expect(counts.typed).toBeGreaterThan(200);
  expect(counts.safe).toBeGreaterThan(200);
});

function typeOf(value: unknown): string {
  if (value === null) return "null";
  return Array.isArray(value) ? "array" : typeof value;
}
