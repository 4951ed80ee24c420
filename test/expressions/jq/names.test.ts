import { expect, test } from "vitest";
import { isParseError } from "../../../src/expressions/syntax/cursor.ts";
import {
  builtins,
  checkNames,
  internalFunctions,
  unlistedFunctions,
  unsupportedFunctions,
} from "../../../src/expressions/syntax/jq/names.ts";
import { parseJq } from "../../../src/expressions/syntax/jq/parse.ts";
import { cpuTime } from "../../cpu.ts";
import { loadOracle } from "./oracle.ts";
import { programs } from "./programs.ts";

// What is wrong with names is drawn in `errors/names.txt`.

const oracle = await loadOracle();

const errorsOf = (text: string, globals?: readonly string[]) => {
  const query = parseJq(text);
  return isParseError(query) ? query : checkNames(query, globals);
};

test("every function of jq is there or refused", () => {
  const known: unknown = JSON.parse(oracle.run("builtins | sort", "null"));
  expect([...builtins, ...unsupportedFunctions.keys()].sort()).toEqual(known);
  const all = [...builtins, ...unlistedFunctions, ...unsupportedFunctions.keys(), ...internalFunctions];
  expect(new Set(all).size).toBe(all.length);
});

test("jq itself has every function that is called internal to it, or that it does not list", () => {
  const calls = [...internalFunctions, ...unlistedFunctions]
    .map((signature) => signature.split("/"))
    .map(([name, count]) => call(name!, Number(count)));
  expect(calls.filter((program) => !oracle.compiles(program))).toEqual([]);
});

const call = (name: string, count: number): string =>
  count === 0 ? name : `${name}(${Array.from({ length: count }, () => ".").join("; ")})`;

test.each(programs)("no name is wrong in %s", (program) => {
  expect(errorsOf(program, ["given", "a::b"])).toEqual([]);
});

test("variables from outside are there everywhere, unless they are hidden", () => {
  expect(errorsOf("$a, (def f: $a; f), (. as $a | $a), $a", ["a"])).toEqual([]);
  expect(errorsOf("$a")).toMatchObject([{ category: "unknown", from: 0, to: 2 }]);
});

test("a suggestion costs no time even where thousands of names are wrong", () => {
  const text = Array.from({ length: 20_000 }, (_, i) => `nmae${i}, $nmae${i}, break $nmae${i}`).join(", ");
  const started = cpuTime();
  expect(errorsOf(text)).toHaveLength(60_000);
  expect(cpuTime() - started).toBeLessThan(5000);
});
