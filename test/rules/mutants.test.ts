import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { describe, expect, test } from "vitest";
import type { Expectation } from "../../src/scenario/model.ts";
import { readScenarioFile } from "../../src/scenario/read.ts";
import { targets } from "../../targets/index.ts";
import { languages } from "../languages.ts";
import { mutantsOf, ruleFolders, rulesOf, scenariosOf } from "./files.ts";
import type { MutantVerdict } from "./run-mutants.ts";

// The scenarios of a rule must fail for the opposite of the rule. Each mutant of `<language>/mutants.ts` runs on the
// reference in a process of its own, where the module loader changes one source file.

describe.each(ruleFolders)("%s", (language) => {
  test("a scenario of the rule fails with each mutant", async () => {
    const command = [join(import.meta.dirname, "run-mutants.ts"), language];
    const { stdout } = await promisify(execFile)(process.execPath, ["--no-warnings", ...command], {
      maxBuffer: 1e8,
      timeout: 250_000,
    });
    const verdicts = stdout.trim().split("\n").filter(Boolean) as readonly string[];
    const { mutants } = await mutantsOf(language);
    expect(verdicts).toHaveLength(mutants.length);
    expect(
      verdicts.map((line) => JSON.parse(line) as MutantVerdict).filter(({ verdict }) => verdict !== "killed"),
    ).toEqual([]);
  }, 300_000);

  test("each rule has a mutant, or is listed as one that has none", async () => {
    const { mutants, withoutMutant = [] } = await mutantsOf(language);
    const rules = rulesOf(language);
    const tested = new Set(mutants.map(({ rule }) => rule));
    expect([...tested].filter((rule) => !rules.includes(rule))).toEqual([]);
    expect(rules.filter((rule) => !tested.has(rule) && !withoutMutant.includes(rule))).toEqual([]);
    expect(withoutMutant.filter((rule) => tested.has(rule) || !rules.includes(rule))).toEqual([]);
  });

  test("a scenario that expects a failure pins the calls, the events, the time, or the message of the error", () => {
    const known = { languages, targets: targets.map(({ name }) => name) };
    const vague = rulesOf(language).flatMap((rule) => {
      const file = readScenarioFile(scenariosOf(language, rule), known, () => {});
      return (file?.scenarios ?? []).filter(({ expect }) => isVague(expect)).map(({ name }) => `${rule}: ${name}`);
    });
    expect(vague).toEqual([]);
  });
});

const isVague = ({ status, error, calls, emitted, elapsed }: Expectation): boolean =>
  status === "failed" &&
  calls === undefined &&
  emitted === undefined &&
  elapsed === undefined &&
  error?.["message"] === undefined;
