import { describe, expect, test } from "vitest";
import { loadOracle } from "../jq/oracle.ts";
import { haveSuites, readSuites } from "../jq/suites.ts";
import { judgeSuiteCase, type RunningCase } from "../jq/suites-judged.ts";
import { run } from "./running.ts";

describe.skipIf(!haveSuites)("jq's own tests as JavaScript (skipped where ../shared/cases/jq is missing)", async () => {
  const oracle = await loadOracle();
  const cases = readSuites().filter((each): each is RunningCase => each.input !== undefined);
  const verdicts = cases.map((each) => ({ ...each, ...judgeSuiteCase(each, run, oracle) }));
  const programsOf = (kind: string) =>
    verdicts.filter((verdict) => verdict.kind === kind).map(({ program }) => program);

  test("give what jq gives, or are refused", () => {
    expect(programsOf("wrong")).toEqual([]);
    expect(programsOf("right").length).toBeGreaterThan(730);
  });

  test("are refused only where they ask for what is jq's own", () => {
    expect(programsOf("refused").filter((program) => !/\b(?:builtins|_strindices|debug)\b/.test(program))).toEqual([]);
    expect(programsOf("refused").length).toBeLessThanOrEqual(10);
  });

  test("come to an end, but for nesting of 10,000 levels, which is too much for the stack", () => {
    expect(programsOf("limited").filter((program) => !/range\((?:9999|1000[01])\)/.test(program))).toEqual([]);
  });
});
