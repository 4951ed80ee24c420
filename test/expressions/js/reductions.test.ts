import { describe, expect, test } from "vitest";
import { javaScriptText } from "../../../src/expressions/js/compile.ts";
import type { Json } from "../../../src/json.ts";
import { prepareBoth } from "../../targets/typescript/expressions/running.ts";
import { compiled, core, prepare } from "./running.ts";

// Loops that reduce, count, group and convert values without the arrays and exceptions of their definition.

/** Arrays of `{ a }`, or `null` for an element that fails. */
const arrays: readonly (readonly Json[])[] = [
  [],
  [1, 2, 3],
  [-0],
  [0, -0],
  [-0, 0],
  [Number.NaN, 1, Number.NaN, 0],
  [1, Number.NaN],
  [Number.POSITIVE_INFINITY, 1],
  [0.1, 0.2, 0.3],
  [null, 1],
  [1, null, 2],
  [1, "a"],
  ["a", "b", "a"],
  ["a", 1, "b"],
  [1, "b", true],
  [[1], [2], [1]],
  [{ b: 1 }, { c: 2 }, { b: 1 }],
  [true, false, null, "10", 10, "x", "-1.5", "nan", " 1"],
];

const inputs: readonly Json[] = [
  ...arrays.flatMap((values) => {
    const items = values.map((a) => ({ a }));
    return [items, [...items, 5], [...items, "s", { a: "z" }]];
  }),
  { x: { a: 2 }, y: { a: 1 } },
  null,
  1,
];

const programs = [
  "map(.a) | add",
  "map(.a) | max",
  "map(.a) | min",
  "map(.a) | add / length",
  "map(.a) | [add, max, min, length, (add | tostring)]",
  "[.[] | .a, 1] | add",
  "[.[] | select(.a) | .a] | max, min",
  "try (map(.a) | add) catch .",
  "map(try (.a + 1) catch 0) | add",
  "map({b: ([.a, 1, 2] | add)}) | add",
  "[.[] | [.a, .a][]] | if length > 2 then max else add end",
  "map(.a) | . as $all | add, ($all | length)",
  "map(.a) | unique | length",
  "map(.a) | (unique | length) + (sort | length)",
  "keys | length",
  "group_by(.a)",
  "group_by(.a) | map({a: .[0].a, n: length})",
  "try group_by(.a) catch .",
  "group_by(.a, .b)",
  "group_by(.a[0]?)",
  "map(try (.a | tonumber) catch 0)",
  "map(try (.a | tonumber) catch null)",
  "[.[] | .a? | tonumber?]",
  "[.[] | try (.a.b | tonumber) catch .]",
  "[.[] | (.a.c | tonumber)? // 7]",
  "map(.a | tojson)",
  "map(. + {b: 1, a: 2})",
];

describe.each(programs)("%s", (program) => {
  const expression = core(program);
  const both = prepareBoth(expression, [])!;
  const exact = prepare(expression);

  test("gives the results and errors of the interpreter", () => {
    for (const input of inputs) {
      const expected = both.expected(input, []);
      expect(both.run(input, [])).toBe(expected);
      if ("refused" in exact) throw new Error(exact.refused);
      expect(exact([input])).toEqual(outcomeOf(expected));
    }
  });

  function outcomeOf(expected: string): unknown {
    if ("refused" in exact) throw new Error(exact.refused);
    const failure = /^fails with (.*)$/s.exec(expected);
    return failure ? { failed: JSON.parse(failure[1]!) } : expect.objectContaining({ outputs: expect.anything() });
  }
});

test("an element that fails comes before a sum that fails", () => {
  const run = prepareBoth(core("map(.a) | add"), [])!;
  expect(run.run([{ a: 1 }, { a: "x" }, 5], [])).toContain("Cannot index number");
});

test("a loop reduces without an array", () => {
  expect(javaScriptText(compiled(core("map(.a) | add / length")))).toContain(`  const total = new Sum();
  for (const item of elements(input)) {
    total.add(program_a(item));
  }
  const length = total.count;
  return divide(total.result(), length);
`);
  expect(javaScriptText(compiled(core("map(.a) | add, .[0]")))).not.toContain("new Sum");
});

test("a conversion with a default throws nothing", () => {
  expect(javaScriptText(compiled(core("try (.a.b | tonumber) catch 0")))).toContain(
    "return withDefault(numberIf(program$b(program$a(input))), 0);",
  );
});
