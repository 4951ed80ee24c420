import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { afterAll, afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { check, generate } from "../../../../src/compile.ts";
import { hosts } from "../../../../src/generated/typescript-hosts.ts";
import { differences } from "../../../../src/scenario/compare.ts";
import type { Scenario } from "../../../../src/scenario/model.ts";
import { readScenarioFile } from "../../../../src/scenario/read.ts";
import { moduleNames } from "../../../../targets/typescript/files.ts";
import { typescript } from "../../../../targets/typescript/index.ts";
import { languages } from "../../../languages.ts";
import { loadProgram, runtimeAsSources, simulateDurably } from "./simulation.ts";

// Scenarios of emitted programs on a real store, with and without kills.

const root = join(import.meta.dirname, "../../../..");
const temporary = mkdtempSync(join(tmpdir(), "waybill-durable-"));
afterAll(() => rmSync(temporary, { recursive: true, force: true }));

const chosen = [
  "poll-until-done",
  "event-wait",
  "event-wait-for-all",
  "event-all-start",
  "callback",
  "retry-two-actions",
  "retry-on-result",
  "retry-additive",
  "foreach-orders",
  "foreach-spaced",
  "foreach-filtered-results",
  "parallel-n-of-m",
  "parallel-first-of",
  "parallel-failure",
  "nested-parallel",
  "subflow-waited",
  "subflow-terminates",
  "terminate-in-branch",
  "timeout-handled",
  "timeout-proceeds",
  "produced-events",
  "errors-by-name",
].map((name) => `golden/serverless-workflow/${name}/scenarios.yaml`);

/** The scenario files of goldens and rules with several runs. */
const several: readonly string[] = ["golden", "test/rules"].flatMap((folder) =>
  readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
    .map((path) => join(folder, path).replaceAll("\\", "/"))
    .filter((path) => /(?:^|[/.])scenarios\.yaml$/.test(path))
    .filter((path) => /^\s*(?:- )?runs:/m.test(readFileSync(join(root, path), "utf8"))),
);

async function programOf(path: string) {
  const folder = dirname(join(root, path));
  const read = (path: string) => ({ path, text: readFileSync(join(folder, path), "utf8") });
  const file = readScenarioFile(read(basename(path)), { languages, targets: ["typescript", "asl"] }, () => undefined)!;
  const paths = new Set([file.workflow, ...file.subflows.values()].map((path) => path.replace(/^\.\//, "")));
  const programs = new Map<string, ReturnType<typeof loadProgram>>();
  for (const { options } of file.scenarios) {
    const key = JSON.stringify(options);
    if (programs.has(key)) continue;
    const { program } = check({ sources: [...paths].map(read), options }, languages);
    const { files } = await generate(program!, typescript);
    const target = mkdtempSync(join(temporary, "program-"));
    for (const { path, text } of files) {
      mkdirSync(dirname(join(target, path)), { recursive: true });
      writeFileSync(join(target, path), path === "runtime.js" ? runtimeAsSources : text);
    }
    if (!existsSync(join(target, "node_modules")))
      symlinkSync(join(root, "node_modules"), join(target, "node_modules"));
    programs.set(key, loadProgram(target, [...moduleNames(program!, hosts).values()]));
  }
  // On this host, events also start runs that a scenario does not declare.
  const hasProducedStarts = file.scenarios.some(({ runs }) => runs.some(({ startedBy }) => startedBy !== undefined));
  const isAlone = ({ runs, input }: Scenario): boolean =>
    runs.length === 0 && (input === undefined || hasProducedStarts);
  const scenarios = several.includes(path) ? file.scenarios.filter((each) => !isAlone(each)) : file.scenarios;
  return { scenarios, emittedFor: ({ options }: Scenario) => programs.get(JSON.stringify(options))! };
}

beforeEach(
  () =>
    void vi.useFakeTimers({
      toFake: ["setTimeout", "clearTimeout", "setInterval", "clearInterval", "Date"],
    }),
);
afterEach(() => void vi.useRealTimers());

/** Runs a scenario on a new store whose engines die after `lifeOf` commits; returns the differences. */
async function differencesOf(
  scenario: Scenario,
  emitted: ReturnType<typeof loadProgram>,
  lifeOf: (engine: number) => number,
) {
  let isKilled = false;
  const store = join(mkdtempSync(join(temporary, "store-")), "runs.db");
  const seen = await simulateDurably(scenario, emitted, store, (engine) => {
    isKilled ||= engine > 0;
    return lifeOf(engine);
  });
  const found = [scenario, ...scenario.runs].flatMap(({ expect }, run) =>
    differences(isKilled ? { ...expect, ordered: false } : expect, seen[run]!, false),
  );
  return { isKilled, found };
}

test("goldens and rules include scenarios with several runs", () => {
  expect(several).toContain("golden/serverless-workflow/several-runs/scenarios.yaml");
  expect(several).toContain("test/rules/serverless-workflow/B5.2.scenarios.yaml");
});

describe.each([...chosen, ...several])("%s", (name) => {
  test.each([Number.POSITIVE_INFINITY, 2, 3])(
    "scenarios pass on a store whose engines live for %d commits",
    { timeout: 60_000 },
    async (life) => {
      const { scenarios, emittedFor } = await programOf(name);
      for (const scenario of scenarios) {
        const { found } = await differencesOf(scenario, emittedFor(scenario), () => life);
        expect({ scenario: scenario.name, found }).toEqual({ scenario: scenario.name, found: [] });
      }
    },
  );
});

test.each(several)(
  "the scenarios of %s pass with a kill between any two commits",
  { timeout: 120_000 },
  async (name) => {
    const { scenarios, emittedFor } = await programOf(name);
    for (const scenario of scenarios) {
      for (let commits = 1, isKilled = true; isKilled; commits++) {
        const lifeOf = (engine: number) => (engine === 0 ? commits : Number.POSITIVE_INFINITY);
        const { found, isKilled: was } = await differencesOf(scenario, emittedFor(scenario), lifeOf);
        isKilled = was;
        expect({ scenario: scenario.name, commits, found }).toEqual({ scenario: scenario.name, commits, found: [] });
      }
    }
  },
);
