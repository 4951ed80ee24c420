import type { BenchmarkRow } from "../row.ts";
import { agreementRows } from "./agreement.ts";
import { exampleRows } from "./examples.ts";
import { jqSuiteRows } from "./jq-suites.ts";
import { jsonPathSuiteRows } from "./jsonpath-suite.ts";
import { realisticRows } from "./realistic.ts";
import { speedRows } from "./speed.ts";

/**
 * Measures expressions. `isAll` compares 40,000 random programs in the evaluator and 10,000 in each printed form instead
 * of 1,000.
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
