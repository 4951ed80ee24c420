import fc from "fast-check";
import { expect, test } from "vitest";
import { identity } from "../../../src/expressions/core/build.ts";
import { isParseError } from "../../../src/expressions/syntax/cursor.ts";
import { parseJsonPath } from "../../../src/expressions/syntax/jsonpath/jsonpath.ts";
import type { Json } from "../../../src/json.ts";
import { evaluate, runnerOf } from "../../bench/expressions/differential/subjects.ts";

const value = fc.constantFrom<Json>(1, 2, 3.5, -1, "a", "ab", "", null, true, [], [1], ["a"], {}, { a: 1 });

const data: fc.Arbitrary<Json> = fc.record(
  {
    l: fc.oneof(fc.array(value, { maxLength: 4 }), value),
    w: fc.array(value, { maxLength: 2 }),
    rows: fc.array(fc.record({ a: value, b: value }, { requiredKeys: [] }), { maxLength: 3 }),
  },
  { requiredKeys: [] },
);

const paths = [
  ...["length", "min", "max", "avg", "sum", "keys", "concat", "first", "last"].map((name) => `$.l.${name}()`),
  ...["length", "min", "max", "avg", "sum"].flatMap((name) => [`$..a.${name}()`, `$.rows[*].a.${name}()`]),
  "$..a.first()",
  "$..a.index(1)",
  "$.l.append($.w, 'x', $.rows[0].a)",
  "$.l.concat('-', $.w[0], $.rows[0].b)",
  "$.max($.l, 2)",
  ...["in", "nin", "subsetof", "anyof", "noneof", "all", "contains"].flatMap((operator) => [
    `$.rows[?@.a ${operator} ['a', 1, null]]`,
    `$.rows[?@.a ${operator} $.w]`,
    `$.rows[?@.a ${operator} @.b]`,
  ]),
  "$.rows[?@.a contains 'a']",
  "$.rows[?@.a =~ /A.*/i]",
  "$.rows[?@.a size 1 || @.b size @.a]",
  "$.rows[?@.a empty true || @.b empty false]",
  "$.rows[?@.a.sum() > 0 && $.l.length() == @.b]",
];

test.each(paths)("%s selects the same in the evaluator, JavaScript, TypeScript and JSONata", async (text) => {
  const path = parseJsonPath(text, identity);
  if (isParseError(path)) throw new Error(path.message);
  for (const subject of ["javascript", "typescript", "jsonata"] as const) {
    const run = runnerOf(subject, path.query);
    if ("refused" in run) throw new Error(`${subject}: ${run.refused}`);
    for (const input of fc.sample(data, { seed: 40, numRuns: 25 }))
      expect(await run(input), `${subject} of ${JSON.stringify(input)}`).toEqual(evaluate(path.query, input));
  }
});
