import { readFileSync } from "node:fs";
import type { Json } from "../../../src/json.ts";
import { type Arguments, decode } from "./exchange.ts";

/** A call and jq 1.8.2's result, as in `outcome`. */
export interface RecordedCall {
  readonly signature: string;
  readonly values: Arguments;
  readonly expected: string;
}

/** The calls recorded in `cases.txt`: under each signature, arguments and outcome, separated by a tab. */
export function readCases(): readonly RecordedCall[] {
  let signature = "";
  const cases: RecordedCall[] = [];
  for (const line of readFileSync(new URL("cases.txt", import.meta.url), "utf8").split("\n")) {
    if (line.startsWith("# ")) signature = line.slice(2);
    else if (line !== "") cases.push(caseOf(signature, line));
  }
  return cases;
}

function caseOf(signature: string, line: string): RecordedCall {
  const [values, expected] = line.split("\t") as [string, string];
  return { signature, values: decode(JSON.parse(values) as Json) as Arguments, expected };
}
