import { existsSync, readdirSync, readFileSync } from "node:fs";
import jsonata from "jsonata";
import { describe, expect, test } from "vitest";
import {
  collect,
  comma,
  type Expression,
  isParseError,
  type Jsonata,
  jsonataChildren,
  jsonataFreeVariables,
  object,
  parseJsonata,
  variable,
} from "../../../src/expressions/index.ts";
import type { Json } from "../../../src/json.ts";
import { type Case, evaluatedOutcome, isLimit, printedCode, printedOutcome, withVariable } from "./printed.ts";
import { document, randomIndexes, randomProgram } from "./programs.ts";
import { hasSuite, readDatasets, readSuite } from "./suite.ts";

/** What programs read in a state: `$x`, `$y` that may have no value, `$states`, the time and two UUIDs. */
const inputs: readonly (readonly [string, Expression])[] = [
  ["x", variable("x")],
  ["y[]", variable("y")],
  [
    "states",
    object([
      ["input", variable("input")],
      ["result", variable("result")],
      ["errorOutput", variable("errorOutput")],
      ["context", object([["State", variable("state")]])],
    ]),
  ],
  ["now()", variable("now")],
  ["uuid()", collect(comma(variable("id1"), variable("id2")))],
];

/** On one line. */
const code = (text: string): string | undefined =>
  printedCode(text, inputs)?.replaceAll(/\s+/g, " ").replaceAll("( ", "(").replaceAll(/,? \)/g, ")");

describe("printed as a person writes it", () => {
  test.each([
    ["$x", "return x;"],
    ["'Dear ' & $x & '!'", `return \`Dear \${textOf(x)}!\`;`],
    ["$x.state = 'done'", 'return path(x, "state") === "done";'],
    ["$x.state != 'done'", 'return unequal(path(x, "state"), "done");'],
    ["$count($x.items) > 0", 'return $count(path(x, "items")) > 0;'],
    ["$exists($x.a) and $not($x.b = 1)", 'return path(x, "a") !== undefined && path(x, "b") !== 1;'],
    ["{'id': $x, 'all': [$x.list, 1]}", 'return { id: x, all: [...itemsIn(path(x, "list")), 1] };'],
    ["{'id': $x.id}", 'return record({ id: path(x, "id") });'],
    ["$y ? 'yes' : 'no'", 'return truthy(path(y, 0)) ? "yes" : "no";'],
    ["[$uuid(), $now(), $uuid()]", "return [id1, $now(now), id2];"],
  ])("%s", (text, expected) => {
    expect(code(text)).toBe(expected);
  });

  test.each([
    ["$x[0].a[-1]", 'path(x, 0, "a", -1)'],
    ["$states.input.a", 'path(input, "a")'],
    ["$states.context.State.Name", 'path(state, "Name")'],
    ["$x.total > 100", '() => compare(path(x, "total"), ">", 100)'],
    ["$x.n + 1", '() => calculate(path(x, "n"), "+", 1)'],
    ["$x.a[b > 1].c", '() => path(x, "a", where((item) => compare(path(item, "b"), ">", 1)), "c")'],
    ["$x.a.{'id': b}", 'path(x, "a", objects((item) => record({ id: path(item, "b") })))'],
    ["$map($x, function($v, $i){ $v.a })", '$map(x, (v, i) => path(v, "a"))'],
    [
      "$sum($x.(price * count))",
      '() => $sum(path(x, (item) => calculate(path(item, "price"), "*", path(item, "count"))))',
    ],
    ["$x.a[]", 'pathList(x, "a")'],
  ])("%s, which may be nothing or fail", (text, expected) => {
    expect(code(text)).toBe(`return query(${JSON.stringify(text)}, ["Output", "S"], ${expected});`);
  });

  test("assignments are constants", () => {
    expect(code("($t := $x.n; $f := function($a){ $a * 2 }; $f($t))")).toContain(
      '() => { const t = path(x, "n"); const f = (a) => calculate(a, "*", 2); return f(t); }',
    );
  });
});

test.each([
  "$contains($x, /a/)",
  "$x ~> |$|{'a': 1}|",
  "$x.**",
  "$x^(a)",
  "$x{a: b}",
  "$x.a.%.b",
  "$x.[1, 2]",
  "$map($x, $uppercase)",
  "$map($x, function($v){ $filter($v, function($w){ $w > 1 }) })",
  "($f := function($n){ $f($n - 1) }; $f(1))",
  "($a := 1; $a := 2)",
  "$distinct($x.a)",
  "{$x: 1}",
  "$split($x, $y)",
  "$x.(a[])",
])("%s is left to the evaluator", (text) => {
  expect(code(text)).toBeUndefined();
});

test("names of the program are not those of functions", () => {
  expect(code("$map($x, function($path){ $path.a })")).toContain("(value) => path(value");
});

/** Compares both; whether the program is printed. */
function compare(given: Case, policy?: "readable" | "exact"): boolean {
  const printed = printedOutcome(given, policy);
  if (!printed) return false;
  const evaluated = evaluatedOutcome(given);
  if (!isLimit(evaluated)) expect([given.text, printed]).toEqual([given.text, evaluated]);
  return true;
}

test.skipIf(!hasSuite)("JSONata's suite has the same results and messages (skipped without ../shared)", () => {
  const datasets = readDatasets();
  let printed = 0;
  for (const { expr, data, dataset, bindings } of readSuite()) {
    const input = dataset ? datasets[dataset] : data;
    if (input === undefined || isParseError(parseJsonata(expr))) continue;
    const variables = Object.entries(bindings ?? {});
    const changed = withVariable(expr);
    if (changed !== undefined && compare({ text: changed, inputs: new Map([...variables, ["doc", input]]) }))
      printed += 1;
    if (!Array.isArray(input) && compare({ text: expr, inputs: new Map([...variables, ["$", input]]) })) printed += 1;
  }
  expect(printed).toBeGreaterThan(1000);
});

test("random programs have the same results and messages, and the package's results", {
  timeout: 900_000,
}, async () => {
  const random = randomIndexes(Number(process.env.SEED ?? 23));
  const total = Number(process.env.PROGRAMS ?? 300);
  let printed = 0;
  for (let count = 0; count < total; count++) {
    const text = randomProgram(random);
    if (isParseError(parseJsonata(text))) continue;
    const policy = count % 2 === 0 ? "readable" : "exact";
    const changed = withVariable(text);
    if (changed !== undefined && compare({ text: changed, inputs: new Map([["doc", document]]) }, policy)) printed += 1;
    const given = { text, inputs: new Map([["$", document]]) };
    if (!compare(given, policy)) continue;
    printed += 1;
    const outcome = printedOutcome(given)!;
    if ("value" in outcome) expect([text, outcome.value]).toEqual([text, await theirs(text)]);
  }
  expect(printed).toBeGreaterThan(total / 4);
});

const theirs = async (text: string): Promise<Json> =>
  JSON.parse(JSON.stringify(await jsonata(text).evaluate(structuredClone(document)))) as Json;

// Expressions that users wrote and AWS ran.

const folder = new URL("../../../../shared/", import.meta.url);
const hasExpressions = existsSync(new URL("cases/asl/", folder));

/** The expressions in machines, once each. */
function writtenExpressions(): readonly string[] {
  const cases = ["recordings", "test-state", "recorded-on-aws"].map((name) => `cases/asl/${name}.jsonl`);
  const examples = readdirSync(new URL("examples/asl/", folder)).map((name) => `examples/asl/${name}`);
  const found = [...cases, ...examples].flatMap((path) =>
    Array.from(readFileSync(new URL(path, folder), "utf8").matchAll(/\{%(.*?)%\}/gs), ([, text]) =>
      text!.replaceAll(/\\+"/g, '"').replaceAll(/\\n/g, "\n").trim(),
    ),
  );
  return [...new Set(found)].filter((text) => !isParseError(parseJsonata(text)));
}

/** The most that an expression uses. */
function classOf(node: Jsonata): string {
  const kinds = new Set<string>();
  const visit = (each: Jsonata): void => {
    kinds.add(each.kind);
    for (const child of jsonataChildren(each)) visit(child);
  };
  visit(node);
  const has = (...names: readonly string[]): boolean => names.some((name) => kinds.has(name));
  if (has("regex", "transform", "sort", "group", "focus", "index", "parent", "descendants")) return "other";
  if (has("lambda", "block", "assign")) return "functions";
  if (has("call", "chain")) return "calls";
  return has("operation", "if", "array", "object", "negation", "wildcard") ? "operators" : "path";
}

test.skipIf(!hasExpressions)("expressions that users wrote (skipped without ../shared/cases/asl)", () => {
  const counts: { [name: string]: { readonly printed: number; readonly all: number } } = {};
  for (const text of writtenExpressions()) {
    const tree = parseJsonata(text) as Jsonata;
    const names = jsonataFreeVariables(tree).filter((name) => /^[a-z]*[A-Z_]|^(?:states|x|var|answer)$/.test(name));
    const known = names.filter((name) => name !== "states").map((name) => [name, variable(name)] as const);
    const { printed, all } = counts[classOf(tree)] ?? { printed: 0, all: 0 };
    const isPrinted = printedCode(text, [...inputs, ...known]) !== undefined;
    counts[classOf(tree)] = { printed: printed + Number(isPrinted), all: all + 1 };
  }
  expect(counts).toEqual({
    // `states.input`, which lacks its `$`.
    path: { printed: 127, all: 128 },
    operators: { printed: 29, all: 29 },
    // `$now` with a picture.
    calls: { printed: 26, all: 27 },
    // An expression that gives a function.
    functions: { printed: 3, all: 4 },
    // Regular expressions.
    other: { printed: 0, all: 4 },
  });
});
