import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { equalValues } from "../../../src/expressions/library/order.ts";
import { isParseError } from "../../../src/expressions/syntax/cursor.ts";
import { parseJsonPath } from "../../../src/expressions/syntax/jsonpath/jsonpath.ts";
import type { Json } from "../../../src/json.ts";
import { printJsonPath } from "./print.ts";
import { evaluate, parse, root } from "./read.ts";

interface Case {
  readonly name: string;
  readonly selector: string;
  readonly document?: Json;
  readonly result?: Json;
  readonly results?: readonly Json[];
  readonly invalid_selector?: boolean;
}

const suite = fileURLToPath(new URL("../../../../shared/cases/jsonpath/cts.json", import.meta.url));
const cases: readonly Case[] = existsSync(suite) ? JSON.parse(readFileSync(suite, "utf8")).tests : [];
const [invalid, valid] = [cases.filter((one) => one.invalid_selector), cases.filter((one) => !one.invalid_selector)];

describe.skipIf(cases.length === 0)("RFC 9535's compliance suite (skipped without ../shared)", () => {
  test("has cases", () => {
    expect([valid.length, invalid.length]).toEqual([456, 247]);
  });

  test("valid paths select the right nodes, also after printing", () => {
    for (const { name, selector, document, result, results = [result!] } of valid) {
      const path = parse(selector, true);
      const found = evaluate(path, document!);
      expect([name, results.some((expected) => equalValues(expected, found))]).toEqual([name, true]);
      const printed = printJsonPath(path.segments, root)!;
      const again = parse(printed, true);
      expect([name, again.segments]).toEqual([name, path.segments]);
      expect([name, evaluate(again, document!)]).toEqual([name, found]);
    }
  });

  test("valid paths mean the same without `strict`, except for paths alone in filters", () => {
    for (const { name, selector, document } of valid) {
      const tolerant = parseJsonPath(selector, root);
      if (isParseError(tolerant))
        expect([name, tolerant.message]).toEqual([name, "This is not a valid I-Regexp (RFC 9485)."]);
      else if (!/exist|not|true|null|and|or/.test(name)) {
        expect([name, evaluate(tolerant, document!)]).toEqual([name, evaluate(parse(selector, true), document!)]);
      }
    }
  });

  test("invalid paths are rejected with a position and a message", () => {
    for (const { name, selector } of invalid) {
      const path = parseJsonPath(selector, root, { strict: true });
      expect([name, path]).toEqual([
        name,
        expect.objectContaining({ category: "syntax", message: expect.stringMatching(/^\S.* .*\.$/) }),
      ]);
      if (isParseError(path)) expect([name, path.from < path.to || path.to === selector.length]).toEqual([name, true]);
    }
  });
});
