import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { languages } from "../../src/languages/index.ts";
import { readScenarioFile } from "../../src/scenario/read.ts";
import { renderResults } from "../../src/scenario/report/results.ts";
import { onReference, onTarget, openScenarios, type Result } from "../../src/scenario/run.ts";
import { readerOf } from "../../src/text/uris.ts";
import { targets } from "../../targets/index.ts";

// The rules of each language as scenarios: a file per rule, next to its definition, run on the reference and on all
// targets. The table in the folder's README.md lists the results (written by `npm run golden`).

const runners = [onReference, ...(await Promise.all(targets.map(onTarget)))];
afterAll(() => {
  for (const { executor } of runners) executor?.close();
});

const ending = ".scenarios.yaml";

describe.each(readdirSync(import.meta.dirname).filter((name) => languages.some((language) => language.name === name)))(
  "%s",
  (language) => {
    const folder = join(import.meta.dirname, language);
    const rules = readdirSync(folder)
      .filter((name) => name.endsWith(ending))
      .map((name) => basename(name, ending))
      .sort((a, b) => a.localeCompare(b, "en", { numeric: true }));
    const rows = new Map<string, string>();

    test.each(rules)(
      "%s",
      async (rule) => {
        const results = await resultsOf(folder, rule);
        const wrong = results.filter(({ isFailure }) => isFailure);
        expect(wrong.length === 0 ? "" : renderResults(wrong)).toBe("");
        rows.set(
          rule,
          `| ${rule} | ${ruleText(folder, rule)} | ${runners.map(({ name }) => verdictOn(name, results)).join(" | ")} |`,
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
      const page = readFileSync(path, "utf8");
      const now = page.replace(/^\| rule \|[\s\S]*?(?=\n\n|\n$)/m, () => table);
      if (process.env["UPDATE_GOLDEN"]) writeFileSync(path, now);
      else expect(page).toBe(now);
    });
  },
);

async function resultsOf(folder: string, rule: string): Promise<readonly Result[]> {
  const read = (path: string) => ({ path, text: readFileSync(join(folder, path), "utf8") });
  const said: string[] = [];
  const known = { languages, targets: targets.map(({ name }) => name) };
  const file = readScenarioFile(read(`${rule}${ending}`), known, ({ message }) => said.push(message));
  expect(said).toEqual([]);
  const sources = [file!.workflow, ...file!.subflows.values()].map((path) => read(path.replace(/^\.\//, "")));
  const schemas = readdirSync(folder).filter((name) => name.endsWith(".schema.json"));
  const session = openScenarios(file!, { sources, read: readerOf(schemas.map(read)) }, languages);
  try {
    const results: Result[] = [];
    for (const runner of runners) results.push(...(await session.run(runner)));
    return results;
  } finally {
    await session.close();
  }
}

/** The rule: the first line of its definition. */
function ruleText(folder: string, rule: string): string {
  const [first = ""] = readFileSync(join(folder, `${rule}.yaml`), "utf8").split("\n");
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
