import { expect, test } from "vitest";
import { readJq } from "../../../src/expressions/jq/lower.ts";
import { fromJson } from "../../../src/expressions/library/json-reader.ts";
import { toJson } from "../../../src/expressions/library/json-text.ts";
import { isObject, type Json } from "../../../src/json.ts";
import { loadOracle, type Oracle } from "../jq/oracle.ts";
import { randomFrom, randomProgram, randomValue } from "./programs.ts";
import { type Outcome, run } from "./running.ts";

/** The order of keys is not the same in jq. */
function sorted(value: Json): Json {
  if (Array.isArray(value)) return value.map(sorted);
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.keys(value)
      .sort()
      .map((key) => [key, sorted(value[key]!)]),
  );
}

/** Outcomes in the words of the jq command. */
function worded(outcome: Outcome): string | undefined {
  if ("refused" in outcome || "limit" in outcome) return undefined;
  if ("outputs" in outcome) return outcome.outputs.map((value) => toJson(sorted(value))).join("\n");
  if (isObject(outcome.failed) && outcome.failed.name === "LimitError") return undefined;
  return `fails: ${toJson(sorted(outcome.failed))}`;
}

/** What jq gives; undefined where it fails outside of all that is tried, or breaks down. */
function theirs(oracle: Oracle, program: string, input: string): string | undefined {
  const answer = oracle.run(program, input);
  const end = answer.lastIndexOf("\n\n") + 1 || answer.lastIndexOf("\n");
  if (answer.slice(end).trim() !== "") return undefined;
  const lines = answer.trim().split("\n");
  return lines.map((line) => (line === "" ? "" : toJson(sorted(fromJson(line))))).join("\n");
}

test("random programs give what jq gives, and fail with its messages", { timeout: 120_000 }, async () => {
  const random = randomFrom(7);
  const oracle = await loadOracle();
  const different: string[] = [];
  let compared = 0;
  for (let count = 0; count < 1500; count++) {
    const program = `limit(50; try (${randomProgram(random, 3)}) catch {failed: .})`;
    const input = JSON.stringify(randomValue(random));
    const read = readJq(program);
    if (!("expression" in read)) continue;
    const ours = worded(run(read.expression, fromJson(input), [], [], 200));
    const wanted = ours === undefined ? undefined : theirs(oracle, program, input);
    if (ours === undefined || wanted === undefined) continue;
    compared++;
    if (ours !== wanted) different.push(`${program} <= ${input}: ${ours}, not ${wanted}`);
  }
  expect(different).toEqual([]);
  expect(compared).toBeGreaterThan(1200);
});
