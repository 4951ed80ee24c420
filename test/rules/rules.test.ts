import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { readScenarioFile } from "../../src/scenario/read.ts";
import { renderResults } from "../../src/scenario/report/results.ts";
import { onReference, onTarget, openScenarios, type Result } from "../../src/scenario/run.ts";
import { readerOf } from "../../src/text/uris.ts";
import { targets } from "../../targets/index.ts";
import { languages } from "../languages.ts";
import { definitionsFor, readRuleFile, ruleFolder, ruleFolders, rulesOf, scenariosOf } from "./files.ts";

// The rules of each language as scenarios: a file per rule, next to its definition, run on the reference and on all
// targets. The table in the folder's README.md lists the results (written by `npm run golden`).

const runners = [onReference, ...(await Promise.all(targets.map(onTarget)))];
afterAll(() => {
  for (const { executor } of runners) executor?.close();
});

describe.each(ruleFolders)("%s", (language) => {
  const folder = ruleFolder(language);
  const rules = rulesOf(language);
  const rows = new Map<string, string>();

  test.each(rules)(
    "%s",
    async (rule) => {
      const results = await resultsOf(language, rule);
      const wrong = results.filter(({ isFailure }) => isFailure);
      expect(wrong.length === 0 ? "" : renderResults(wrong)).toBe("");
      rows.set(
        rule,
        `| ${rule} | ${ruleText(language, rule)} | ${runners.map(({ name }) => verdictOn(name, results)).join(" | ")} |`,
      );
    },
    60_000,
  );

  test("the table lists the results", () => {
    const table = [
      `| rule | what it says | ${runners.map(({ name }) => name).join(" | ")} |`,
      `|---|---|${runners.map(() => "---|").join("")}`,
      ...rules.map((rule) => rows.get(rule)),
    ].join("\n");
    const path = join(folder, "README.md");
    const page = existsSync(path) ? readFileSync(path, "utf8") : newPage(language);
    const now = page.replace(/^\| rule \|[\s\S]*?(?=\n\n|\n$)/m, () => table);
    if (process.env["UPDATE_GOLDEN"]) writeFileSync(path, now);
    else expect(page).toBe(now);
  });
});

async function resultsOf(language: string, rule: string): Promise<readonly Result[]> {
  const said: string[] = [];
  const known = { languages, targets: targets.map(({ name }) => name) };
  const file = readScenarioFile(scenariosOf(language, rule), known, ({ message }) => said.push(message));
  expect(said).toEqual([]);
  const { sources, schemas } = definitionsFor(language, file!);
  const session = openScenarios(file!, { sources, read: readerOf(schemas) }, languages);
  try {
    const results: Result[] = [];
    for (const runner of runners) results.push(...(await session.run(runner)));
    return results;
  } finally {
    await session.close();
  }
}

const newPage = (language: string): string =>
  `# Rules of ${language}\n\nEach rule is a definition and its scenarios. Names refer to the decisions of the language.\n\n| rule |\n`;

/** The rule: the first line of its definition. */
function ruleText(language: string, rule: string): string {
  const [first = ""] = readRuleFile(language, `${rule}.yaml`).text.split("\n");
  return first.slice(`# ${rule}: `.length);
}

/** The result of a rule on a runner: `passes`, or the codes of the diagnostics that reject it. */
function verdictOn(runner: string, results: readonly Result[]): string {
  const own = results.filter(({ target }) => target === runner);
  const codes = own.flatMap(({ outcome, diagnostics }) =>
    outcome === "refused" ? diagnostics.map(({ code }) => code) : [],
  );
  return codes.length === 0 ? "passes" : `refused (${[...new Set(codes)].join(", ")})`;
}
