import { existsSync, readFileSync } from "node:fs";
import type { Json } from "../../../src/json.ts";

/** A case of JSONata's own test suite. */
export interface SuiteCase {
  readonly id: string;
  readonly expr: string;
  readonly data?: Json;
  readonly dataset?: string;
  readonly bindings: { readonly [name: string]: Json };
  readonly result?: Json;
  readonly undefinedResult?: boolean;
  readonly unordered?: boolean;
  readonly code?: string;
  readonly error?: { readonly code: string };
  readonly depth?: number;
}

/** The data of the suite, which is not part of this repository. */
export const suiteFolder = new URL("../../../../shared/cases/jsonata/", import.meta.url);

/** Whether the data of the suite is present; tests that need it are skipped otherwise. */
export const hasSuite: boolean = existsSync(suiteFolder);

/** Reads the cases of the suite; none if its data is absent. */
export const readSuite = (): readonly SuiteCase[] =>
  hasSuite
    ? readFileSync(new URL("suite-2.0.6.jsonl", suiteFolder), "utf8")
        .trim()
        .split("\n")
        .map((line) => JSON.parse(line) as SuiteCase)
    : [];

/** Reads the documents that cases refer to. */
export const readDatasets = (): { readonly [name: string]: Json } =>
  hasSuite ? JSON.parse(readFileSync(new URL("datasets.json", suiteFolder), "utf8")) : {};
