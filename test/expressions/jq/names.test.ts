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

// Name errors are drawn in `errors/names.txt`.

const oracle = await loadOracle();

const errorsOf = (text: string, globals?: readonly string[]) => {
  const query = parseJq(text);
  return isParseError(query) ? query : checkNames(query, globals);
};

test("every function of jq is supported or rejected", () => {
  const known: unknown = JSON.parse(oracle.run("builtins | sort", "null"));
  expect([...builtins, ...unsupportedFunctions.keys()].sort()).toEqual(known);
  const all = [...builtins, ...unlistedFunctions, ...unsupportedFunctions.keys(), ...internalFunctions];
  expect(new Set(all).size).toBe(all.length);
});

test("jq has every function listed as internal or unlisted", () => {
  const calls = [...internalFunctions, ...unlistedFunctions]
    .map((signature) => signature.split("/"))
    .map(([name, count]) => call(name!, Number(count)));
  expect(calls.filter((program) => !oracle.compiles(program))).toEqual([]);
});

const call = (name: string, count: number): string =>
  count === 0 ? name : `${name}(${Array.from({ length: count }, () => ".").join("; ")})`;

test.each(programs)("%s has no name errors", (program) => {
  expect(errorsOf(program, ["given", "a::b"])).toEqual([]);
});

test("predefined variables are in scope everywhere unless shadowed", () => {
  expect(errorsOf("$a, (def f: $a; f), (. as $a | $a), $a", ["a"])).toEqual([]);
  expect(errorsOf("$a")).toMatchObject([{ category: "unknown", from: 0, to: 2 }]);
});

test("suggestions for thousands of unknown names are fast", () => {
  const text = Array.from({ length: 20_000 }, (_, i) => `nmae${i}, $nmae${i}, break $nmae${i}`).join(", ");
  const started = cpuTime();
  expect(errorsOf(text)).toHaveLength(60_000);
  expect(cpuTime() - started).toBeLessThan(5000);
});
