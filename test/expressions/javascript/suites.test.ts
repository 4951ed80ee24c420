import { describe, expect, test } from "vitest";
import { readJq } from "../../../src/expressions/jq/lower.ts";
import { fromJson } from "../../../src/expressions/library/json-reader.ts";
import { toJson } from "../../../src/expressions/library/json-text.ts";
import { equalJson, type Json } from "../../../src/json.ts";
import { haveSuites, readSuites, type SuiteCase } from "../jq/suites.ts";
import { run } from "./running.ts";

/** Values as jq writes them: an infinite number as the largest, no number as null. */
const written = (values: readonly Json[]): Json => JSON.parse(toJson(values));

describe.skipIf(!haveSuites)("jq's own tests as JavaScript (skipped where ../shared/cases/jq is missing)", () => {
  const cases = readSuites().filter((each): each is SuiteCase & { input: string } => each.input !== undefined);
  const wrong: string[] = [];
  const refused: string[] = [];
  const limited: string[] = [];
  let right = 0;
  for (const { program, input, outputs, line } of cases) {
    const read = readJq(program);
    if (!("expression" in read)) continue;
    const outcome = run(read.expression, fromJson(input));
    const expected = written(outputs.map(fromJson));
    if ("refused" in outcome) refused.push(program);
    else if ("limit" in outcome) limited.push(program);
    else if ("outputs" in outcome ? !equalJson(written(outcome.outputs), expected) : !failsAtItsEnd.has(program))
      wrong.push(`${line}: ${program}`);
    else right++;
  }

  test("give what jq gives", () => {
    expect(wrong).toEqual([]);
    expect(right).toBeGreaterThan(700);
  });

  test("are refused only where a path is asked of what is none", () => expect(refused).toEqual([]));

  test("but for nesting of 10,000 levels, which is too much for the stack", () => {
    expect(limited.filter((program) => !/range\((?:9999|1000[01])\)/.test(program))).toEqual([]);
  });
});

/** Programs of the suites that fail in jq too, after the outputs that are expected. */
const failsAtItsEnd: ReadonlySet<string> = new Set([
  ".[] | . as {a:$a} ?// {a:$a} ?// {a:$a} | $a",
  ".[] as {a:$a} ?// {a:$a} ?// {a:$a} | $a",
  "[[3],[4],[5],6][] | . as {a:$a} ?// {a:$a} ?// {a:$a} | $a",
  "[[3],[4],[5],6] | .[] as {a:$a} ?// {a:$a} ?// {a:$a} | $a",
  '.[]|(try . catch (if .=="ho" then "BROKEN"|error else empty end)) | if .=="ho" then error else "\\(.) there!" end',
]);
