import { afterAll, expect, test } from "vitest";
import { parse, stringify } from "yaml";
import { namesOf } from "../../../src/cli/registry.ts";
import { type JsonObject, own } from "../../../src/json.ts";
import { readScenarioFile } from "../../../src/scenario/read.ts";
import { renderResults } from "../../../src/scenario/report/results.ts";
import { onTarget, runScenarios } from "../../../src/scenario/run.ts";
import { readerOf } from "../../../src/text/uris.ts";
import { asl } from "../../../targets/asl/index.ts";
import { targets } from "../../../targets/index.ts";
import { scenarioExceptions } from "../../golden/exceptions.ts";
import { type Golden, goldenNames, readGolden } from "../../golden/folder.ts";
import { configurationOf, emitGolden } from "../../golden/make.ts";
import { languages } from "../../languages.ts";

// The scenarios of goldens with loops pass with Distributed Maps, or the target rejects them.

const runner = await onTarget(asl);
afterAll(() => runner.executor?.close());

function distributing(golden: Golden): Golden {
  const known = (parse(golden.configuration?.text ?? "{}") ?? {}) as JsonObject;
  const chosen = (own(known, "targets") ?? {}) as JsonObject;
  const values = { ...((own(chosen, "asl") ?? {}) as JsonObject), foreach: "distributed" };
  const text = stringify({ ...known, targets: { ...chosen, asl: values } });
  return { ...golden, configuration: { path: "waybill.config.yaml", text } };
}

const looping = goldenNames()
  .map((name) => readGolden(name, (text) => parse(text)))
  .filter(({ kept }) => Object.values(kept).some((text) => text.includes("ItemProcessor")));

test.each(looping.map((golden) => [golden.name, golden] as const))("%s", async (name, plain) => {
  const golden = distributing(plain);
  const file = readScenarioFile(golden.scenarios!, { languages, targets: namesOf(targets) }, () => {})!;
  const configuration = configurationOf(golden);
  const paths = new Set([file.workflow, ...file.subflows.values()].map((path) => path.replace(/^\.\//, "")));
  const sources = [...paths].map((path) => golden.sources.find((source) => source.path === path)!);
  const definitions = { sources, configurationOf: () => configuration, read: readerOf(golden.schemas) };
  const results = await runScenarios(file, definitions, runner, languages);
  const expected = scenarioExceptions["asl"]?.[name] ?? {};
  const isWrong = ({ scenario, outcome }: (typeof results)[number]) =>
    (outcome === "failed") !== Object.hasOwn(expected, scenario);
  expect(results.some(isWrong), renderResults(results)).toBe(false);
});

test("the goldens with Distributed Maps are those with loops of more than 40 concurrent iterations", async () => {
  const files = await Promise.all(looping.map((golden) => emitGolden(distributing(golden), asl)));
  const isDistributed = (_: Golden, i: number): boolean =>
    files[i]!.some(({ text }) => /"?Mode"?: "?DISTRIBUTED/.test(text));
  expect(looping.filter(isDistributed).map(({ name }) => name.split("/")[1])).toEqual([
    "branch-fails-at-once",
    "expressions-by-lambda",
    "filtered-away",
    "foreach-distributed",
    "foreach-orders",
    "foreach-results",
    "iteration-outside-its-window",
    "machines-as-yaml",
    "paths-beyond-the-schema",
    "typed-input",
    "loops-and-branches",
  ]);
});
