import { expect, test } from "vitest";
import { isFault } from "../../../src/expressions/syntax/cursor.ts";
import { builtins, checkNames, internals, refused, unlisted } from "../../../src/expressions/syntax/jq/names.ts";
import { parseJq } from "../../../src/expressions/syntax/jq/parse.ts";
import { cpuTime } from "../../cpu.ts";
import { loadOracle } from "./oracle.ts";
import { programs } from "./programs.ts";

// What is wrong with names is drawn in `faults/names.txt`.

const oracle = await loadOracle();

const faultsOf = (text: string, globals?: readonly string[]) => {
  const query = parseJq(text);
  return isFault(query) ? query : checkNames(query, globals);
};

test("every function of jq is there or refused", () => {
  const known: unknown = JSON.parse(oracle.run("builtins | sort", "null"));
  expect([...builtins, ...refused.keys()].sort()).toEqual(known);
  const all = [...builtins, ...unlisted, ...refused.keys(), ...internals];
  expect(new Set(all).size).toBe(all.length);
});

test("jq itself has every function that is called internal to it, or that it does not list", () => {
  const calls = [...internals, ...unlisted]
    .map((signature) => signature.split("/"))
    .map(([name, count]) => call(name!, Number(count)));
  expect(calls.filter((program) => !oracle.compiles(program))).toEqual([]);
});

const call = (name: string, count: number): string =>
  count === 0 ? name : `${name}(${Array.from({ length: count }, () => ".").join("; ")})`;

test.each(programs)("no name is wrong in %s", (program) => {
  expect(faultsOf(program, ["given", "a::b"])).toEqual([]);
});

test("variables from outside are there everywhere, unless they are hidden", () => {
  expect(faultsOf("$a, (def f: $a; f), (. as $a | $a), $a", ["a"])).toEqual([]);
  expect(faultsOf("$a")).toMatchObject([{ fault: "unknown", from: 0, to: 2 }]);
});

test("a suggestion costs no time even where thousands of names are wrong", () => {
  const text = Array.from({ length: 20_000 }, (_, i) => `nmae${i}, $nmae${i}, break $nmae${i}`).join(", ");
  const started = cpuTime();
  expect(faultsOf(text)).toHaveLength(60_000);
  expect(cpuTime() - started).toBeLessThan(5000);
});
