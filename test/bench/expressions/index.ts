import type { BenchmarkRow } from "../row.ts";
import { agreementRows } from "./agreement.ts";
import { exampleRows } from "./examples.ts";
import { jqSuiteRows } from "./jq-suites.ts";
import { jsonPathSuiteRows } from "./jsonpath-suite.ts";
import { realisticRows } from "./realistic.ts";
import { speedRows } from "./speed.ts";

/**
 * Measures expressions. `isAll` tries 100,000 random cases as JavaScript and 20,000 as JSONata instead of a few
 * thousand.
 */
export async function expressionRows(isAll: boolean): Promise<readonly BenchmarkRow[]> {
  const speed = [...(await speedRows()), ...realisticRows()];
  return [
    ...(await jqSuiteRows()),
    ...jsonPathSuiteRows(),
    ...(await agreementRows(isAll)),
    ...exampleRows(),
    ...speed,
  ];
}
