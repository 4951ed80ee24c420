import fc from "fast-check";
import { expect, test } from "vitest";
import { freeVariables } from "../../../../src/expressions/analysis/effects.ts";
import type { Expression } from "../../../../src/expressions/core/ast.ts";
import { call, firstOr, literal, member, variable } from "../../../../src/expressions/core/build.ts";
import { simplify } from "../../../../src/expressions/simplify/simplify.ts";
import { readJq } from "../../../../src/expressions/syntax/jq/lower.ts";
import { printTypeScript } from "../../../../targets/typescript/expressions/print.ts";
import { expression, names } from "../../../expressions/random.ts";
import { program, wideProgram } from "../../../expressions/random-jq.ts";
import { haveSources, realPrograms } from "../../../expressions/real-programs.ts";
import { programFolder, typeErrors } from "../program.ts";
import { isReadable } from "./readability.ts";
import { printed } from "./running.ts";

const readable = (text: string): Expression | undefined => {
  const named = [...text.matchAll(/\$(\w+)/g)].map(([, name]) => name!);
  const read = readJq(text, { variables: named, now: variable("now") });
  return "expression" in read ? simplify(read.expression) : undefined;
};

const real = realPrograms().flatMap((text) => readable(text) ?? []);

test("printed expressions pass the type checker", { timeout: 120_000 }, async () => {
  const jq = [...fc.sample(program, { seed: 51, numRuns: 250 }), ...fc.sample(wideProgram, { seed: 52, numRuns: 250 })];
  const trees = [
    ...real,
    ...jq.flatMap((text) => readable(text) ?? []),
    ...fc.sample(expression, { seed: 53, numRuns: 250 }),
  ];
  const files: Record<string, string> = {};
  for (const [i, tree] of trees.entries()) {
    const program = printTypeScript(tree, [...new Set([...names, ...freeVariables(tree)])]);
    if ("code" in program) files[`program${i}.ts`] = program.code;
  }
  const folder = programFolder(files);
  expect(Object.keys(files).length).toBeGreaterThan(200);
  expect(await typeErrors(folder, Object.keys(files))).toBe("");
});

test("the type checker accepts comparisons that never hold, and comparisons of other types than numbers", {
  timeout: 60_000,
}, async () => {
  const programs = [
    'nan == "a"',
    "[.a] == 0",
    "[.a] != null",
    '(.a | length) == "a"',
    '(.a | keys) == "x"',
    "(.a == 1) == 1",
    '(.a | type) == "foo"',
    '"foo" == (.a | type)',
    ".a == nan",
    '"a\\(.b)" == 1',
    '(if .a then 1 else 2 end) == "x"',
  ];
  const files = Object.fromEntries(programs.map((text, i) => [`program${i}.ts`, printed(readable(text)!, []).code]));
  expect(await typeErrors(programFolder(files), Object.keys(files))).toBe("");
});

test("the type checker accepts comparisons with values that earlier conditions excluded", {
  timeout: 60_000,
}, async () => {
  const isDefaulted = (name: string) => `(${name} == null or ${name} == false or ${name} == "" or ${name} == 0)`;
  const programs = [
    `.a as $x | (if ${isDefaulted("$x")} then 3 else $x end) as $y | 0 == (if ${isDefaulted("$y")} then 3 else $y end)`,
    ".a as $x | (if $x == false then 0 else $x end) == false",
    ".a as $x | (if $x then 1 else 2 end) as $y | [$y == 3, $y]",
    '.a as $x | (if $x == null then $x else "" end) as $y | if $y == false then 1 else $y end',
    ".a as $x | if $x == true then 0 != $x else $x == true end",
    '.a as $x | .b as $y | (if $x then "" else $y != "a" end) as $z | if $y == "" then 1 elif $z == 3 then $z else 2 end',
    'true as $x | (if $x == [] then 0 else $x end) as $y | "a" == (if .a == 3 then $y else false end)',
    ".a | 3 as $x | if $x == 0 then . else $x end",
    "([] as $x | if $x == {} then .a else $x end) == []",
  ];
  const files = Object.fromEntries(programs.map((text, i) => [`program${i}.ts`, printed(readable(text)!, []).code]));
  expect(await typeErrors(programFolder(files), Object.keys(files))).toBe("");
});

test("results of functions are asserted to be present", { timeout: 60_000 }, async () => {
  const found = firstOr(member(variable("data"), "hasOwnProperty"), literal([]));
  const { code } = printed(call("text", found), ["data"]);
  expect(code).toContain('memberOf(data, "hasOwnProperty")!');
  expect(await typeErrors(programFolder({ "program.ts": code }), ["program.ts"])).toBe("");
});

test.runIf(haveSources)("almost all real programs have a readable form", () => {
  const programs = real.filter((tree) => isReadable(printed(tree, [...freeVariables(tree)])));
  expect(programs.length / real.length).toBeGreaterThan(0.95);
});

test("the type checker knows that the first of several outputs exists", { timeout: 60_000 }, async () => {
  const programs = [
    "first(.a[], 1) as $x | [.[] | . + $x]",
    "first(.a[], .b, error) as $x | .c |= map(select(. == $x) | $x)",
    "def f: first(.a[], 1) as $x | [.[] | f, $x]; f",
    "[.[] | first(.a[], error) | {a: ., b: [limit(3; .[])]}]",
    "first(.a[], 1) as $x | reduce .[] as $y ($x; . + $y + $x)",
    "try first(.a[], error) catch .",
    'first(first(.a[], .b?), .c?, error("x")) as $q | path(.a[] | select(. == $q))',
    "first(.a[], 1) as $x | def g(f): [f, f]; g(. + $x)",
  ];
  const files = Object.fromEntries(programs.map((text, i) => [`program${i}.ts`, printed(readable(text)!, []).code]));
  expect(await typeErrors(programFolder(files), Object.keys(files))).toBe("");
});
