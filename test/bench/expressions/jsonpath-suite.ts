import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { equalValues } from "../../../src/expressions/library/order.ts";
import { isParseError } from "../../../src/expressions/syntax/cursor.ts";
import { parseJsonPath } from "../../../src/expressions/syntax/jsonpath/jsonpath.ts";
import type { Json } from "../../../src/json.ts";
import { run } from "../../expressions/js/running.ts";
import { evaluate, root } from "../../expressions/jsonpath/read.ts";
import { type BenchmarkRow, skippedRow } from "../row.ts";

interface ComplianceTest {
  readonly name: string;
  readonly selector: string;
  readonly document: Json;
  readonly result?: Json;
  readonly results?: readonly Json[];
  readonly invalid_selector?: boolean;
}

const suite = fileURLToPath(new URL("../../../../shared/cases/jsonpath/cts.json", import.meta.url));

/** Runs RFC 9535's compliance suite in the evaluator and as JavaScript. */
export function jsonPathSuiteRows(): readonly BenchmarkRow[] {
  if (!existsSync(suite)) return [skippedRow("RFC 9535's suite", "paths")];
  const { tests } = JSON.parse(readFileSync(suite, "utf8")) as { readonly tests: readonly ComplianceTest[] };
  const [invalid, valid] = [
    tests.filter((test) => test.invalid_selector),
    tests.filter((test) => !test.invalid_selector),
  ];
  return [
    rowOf(
      "valid paths with wrong results",
      valid,
      valid.filter((test) => !isRight(test)),
    ),
    rowOf(
      "invalid paths that are accepted",
      invalid,
      invalid.filter(({ selector }) => !isParseError(parseJsonPath(selector, root, { strict: true }))),
    ),
  ];
}

function rowOf(what: string, all: readonly ComplianceTest[], wrong: readonly ComplianceTest[]): BenchmarkRow {
  const list = wrong.map(({ name, selector }) => `${name}: ${selector}`);
  return {
    name: `RFC 9535's suite: ${what}`,
    value: wrong.length,
    limit: 0,
    unit: "paths",
    parts: { all: all.length },
    list,
  };
}

function isRight({ selector, document, result, results = [result!] }: ComplianceTest): boolean {
  const path = parseJsonPath(selector, root, { strict: true });
  if (isParseError(path)) return false;
  const outcome = run(path.query, null, [document], ["data"]);
  const found = [evaluate(path, document), "outputs" in outcome ? outcome.outputs : null];
  return found.every((nodes) => results.some((expected) => equalValues(expected, nodes)));
}
