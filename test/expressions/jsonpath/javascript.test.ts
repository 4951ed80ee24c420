import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { evaluateAll } from "../../../src/expressions/interpreter/evaluate.ts";
import { compileJavaScript, javaScriptText } from "../../../src/expressions/js/compile.ts";
import { equalValues } from "../../../src/expressions/library/order.ts";
import { simplify } from "../../../src/expressions/simplify/simplify.ts";
import { isParseError } from "../../../src/expressions/syntax/cursor.ts";
import { parseJsonPath } from "../../../src/expressions/syntax/jsonpath/jsonpath.ts";
import type { Json } from "../../../src/json.ts";
import { run } from "../js/running.ts";
import { json } from "../random.ts";
import { strictPaths, tolerantPaths } from "./random.ts";
import { parse, root } from "./read.ts";

const suite = fileURLToPath(new URL("../../../../shared/cases/jsonpath/cts.json", import.meta.url));

interface Case {
  readonly name: string;
  readonly selector: string;
  readonly document: Json;
  readonly result?: Json;
  readonly results?: readonly Json[];
  readonly invalid_selector?: boolean;
}

describe("paths as JavaScript", () => {
  test.skipIf(!existsSync(suite))("select what RFC 9535's suite expects (skipped without ../shared)", () => {
    const { tests }: { tests: readonly Case[] } = JSON.parse(readFileSync(suite, "utf8"));
    for (const { name, selector, document, result, results = [result!] } of tests.filter(
      (one) => !one.invalid_selector,
    )) {
      const outcome = run(parse(selector, true).query, null, [document], ["data"]);
      const outputs = "outputs" in outcome ? outcome.outputs : undefined;
      expect([name, outcome, outputs && results.some((expected) => equalValues(expected, outputs))]).toEqual([
        name,
        outcome,
        true,
      ]);
    }
  });

  test("select what the interpreter selects", () => {
    const agrees = fc.property(fc.oneof(strictPaths, tolerantPaths), fc.boolean(), json, (text, strict, data) => {
      const path = parseJsonPath(text, root, { strict });
      if (isParseError(path)) return;
      const expected = evaluateAll(path.query, { input: null, variables: new Map([["data", data]]) });
      for (const form of [path.query, simplify(path.query)])
        expect(run(form, null, [data], ["data"])).toEqual({ outputs: expected });
    });
    fc.assert(agrees, { seed: 19, numRuns: 800 });
  });

  test("a constant pattern is a regular expression of the program", () => {
    const program = compileJavaScript(parse("$[?search(@, '`<\\n/.') ]").query);
    expect(
      "statements" in program
        ? [javaScriptText(program).split("\n")[0], program.helpers.includes("matchesNode")]
        : program,
    ).toEqual(['const program_1_ = new RegExp("\\u0060\\u003c\\\\n\\\\/[^\\\\n\\\\r]", "u");', false]);
  });
});
