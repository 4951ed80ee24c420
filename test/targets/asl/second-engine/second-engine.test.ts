import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type jsonata from "jsonata";
import { afterAll, expect, test, vi } from "vitest";
import { parse } from "yaml";
import type * as lazy from "#lazy";
import { namesOf } from "../../../../src/cli/registry.ts";
import { readScenarioFile } from "../../../../src/scenario/read.ts";
import { onTarget, runScenarios } from "../../../../src/scenario/run.ts";
import { readerOf } from "../../../../src/text/uris.ts";
import { asl } from "../../../../targets/asl/index.ts";
import { targets } from "../../../../targets/index.ts";
import { goldenNames, readGolden } from "../../../golden/folder.ts";
import { configurationOf } from "../../../golden/make.ts";
import { languages } from "../../../languages.ts";
import type { Evaluation } from "./evaluations.ts";

// Expressions use only JSONata that is documented, so a second engine gives the same results: jsonata-java
// (https://github.com/dashjoin/jsonata-java). `recorded.txt` has a hash of every evaluation, with its result, on which
// both engines agree. `npm run second-engine` records them anew: it runs this test with the engine's classes in
// JSONATA_JAVA.

const evaluations = vi.hoisted(() => new Map<string, Evaluation>());

vi.mock("#lazy", async (importOriginal) => {
  const { recordEvaluations } = await import("./evaluations.ts");
  const original = await importOriginal<typeof lazy>();
  const recording = recordEvaluations(original.loadJsonata(), evaluations);
  return { ...original, loadJsonata: () => recording };
});

const record = join(import.meta.dirname, "recorded.txt");
const runner = await onTarget(asl);
afterAll(() => runner.executor?.close());

async function runGolden(name: string): Promise<void> {
  const golden = readGolden(name, (text) => parse(text));
  const known = { languages, targets: namesOf(targets) };
  const file = golden.scenarios && readScenarioFile(golden.scenarios, known, () => {});
  if (!file) return;
  const configuration = configurationOf(golden);
  const paths = new Set([file.workflow, ...file.subflows.values()].map((path) => path.replace(/^\.\//, "")));
  const sources = [...paths].map((path) => golden.sources.find((source) => source.path === path)!);
  const definitions = { sources, configurationOf: () => configuration, read: readerOf(golden.schemas) };
  await runScenarios(file, definitions, runner, languages);
}

/** What the second engine gives for each evaluation: `same`, or how it differs. */
function verdictsOf(all: readonly Evaluation[], classes: string): readonly string[] {
  const made = mkdtempSync(join(tmpdir(), "second-engine-"));
  execFileSync("javac", ["-cp", classes, "-d", made, join(import.meta.dirname, "Evaluate.java")]);
  const input = all.map((each) => `${JSON.stringify(each)}\n`).join("");
  const output = execFileSync("java", ["-Xss64m", "-cp", `${classes}:${made}`, "Evaluate"], {
    input,
    encoding: "utf8",
    maxBuffer: 1 << 28,
  });
  return output.trimEnd().split("\n");
}

/** AWS's version of JSONata, which `npm run lint` installs. */
const awsVersion = join(import.meta.dirname, "../../../tools/node_modules/jsonata/jsonata.js");

test("a second engine gives the same results for the expressions of all goldens", async () => {
  for (const name of goldenNames()) await runGolden(name);
  const classes = process.env["JSONATA_JAVA"];
  if (classes) {
    const all = [...evaluations.values()];
    const verdicts = verdictsOf(all, classes);
    expect(all.flatMap((each, i) => (verdicts[i] === "same" ? [] : [{ ...each, java: verdicts[i] }]))).toEqual([]);
    writeFileSync(
      record,
      [...evaluations.keys()]
        .sort()
        .map((hash) => `${hash}\n`)
        .join(""),
    );
  }
  const recorded = new Set(readFileSync(record, "utf8").split("\n"));
  const missing = [...evaluations].filter(([hash]) => !recorded.has(hash)).map(([, { expression }]) => expression);
  expect(missing, "not recorded: `npm run second-engine`").toEqual([]);
}, 300_000);

test.skipIf(!existsSync(awsVersion))(
  "JSONata 2.0.6, AWS's version, gives the same results",
  async () => {
    const { default: aws } = (await import(awsVersion)) as { readonly default: typeof jsonata };
    const differing: unknown[] = [];
    for (const evaluation of evaluations.values()) {
      const expression = aws(evaluation.expression);
      expression.registerFunction("parse", (text: string) => JSON.parse(text), "<s:j>");
      const value: unknown = await expression.evaluate(undefined, evaluation.bindings).catch(() => undefined);
      const result = value === undefined || typeof value === "function" ? undefined : JSON.stringify(value);
      if (result !== JSON.stringify(evaluation.result)) differing.push({ ...evaluation, aws: value });
    }
    expect(evaluations.size).toBeGreaterThan(1000);
    expect(differing).toEqual([]);
  },
  300_000,
);
