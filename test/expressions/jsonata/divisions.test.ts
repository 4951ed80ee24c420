import { expect, test } from "vitest";
import { isParseError, parseJsonata, riskyDivisions } from "../../../src/expressions/index.ts";

function divisorsOf(text: string): readonly string[] {
  const tree = parseJsonata(text);
  if (isParseError(tree)) throw new Error(tree.message);
  return riskyDivisions(tree, text).map(({ start, end, isZero }) => `${text.slice(start, end)}${isZero ? " = 0" : ""}`);
}

test.each([
  "$n / 100",
  "$n % (60 * 60)",
  "$d != 0 ? $n / $d : 0",
  "$d = 0 ? 0 : $n / $d",
  "$d ? $n / $d : 0",
  "0 < $d and $n / $d > 1",
  "$d <= 0 or $n / ($d) > 1",
  "$not($d = 0) ? $n / $d",
  "$count($l) >= 1 ? $sum($l) / $count( $l ) : 0",
  "$d != 0 ? $map($l, function($x) { $x / $d }) : []",
  "$d = 0 or $e = 0 ? 0 : 1 / $d / $e",
])("%s", (text) => expect(divisorsOf(text)).toEqual([]));

test.each([
  ["$n / $d", ["$d"]],
  ["1 / 0", ["0 = 0"]],
  ["5 % (2 - 2)", ["(2 - 2) = 0"]],
  ["$d != 1 ? $n / $d : 0", ["$d"]],
  ["$d > -1 ? $n / $d : 0", ["$d"]],
  ["$d = 0 ? $n / $d : 0", ["$d"]],
  ["$d = 0 and $e = 0 ? 0 : 1 / $d", ["$d"]],
  ["$e != 0 ? $n / $d : 0", ["$d"]],
  ["$d != 0 ? $map($l, function($d) { 1 / $d }) : []", ["$d"]],
  ["$l.(n != 0) ? $l.(1 / n)", ["n"]],
])("%s may fail", (text, divisors) => expect(divisorsOf(text)).toEqual(divisors));
