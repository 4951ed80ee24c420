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

  test("match jq or are rejected", () => {
    expect(programsOf("wrong")).toEqual([]);
    expect(programsOf("right").length).toBeGreaterThan(730);
  });

  test("are rejected only for features specific to jq", () => {
    expect(programsOf("refused").filter((program) => !/\b(?:builtins|_strindices|debug)\b/.test(program))).toEqual([]);
    expect(programsOf("refused").length).toBeLessThanOrEqual(10);
  });

  test("terminate, except for 10,000 levels of nesting, which exceed the stack", () => {
    expect(programsOf("limited").filter((program) => !/range\((?:9999|1000[01])\)/.test(program))).toEqual([]);
  });
});
