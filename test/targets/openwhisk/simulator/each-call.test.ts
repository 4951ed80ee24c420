import { expect, test } from "vitest";
import { parse, stringify } from "yaml";
import { namesOf } from "../../../../src/cli/registry.ts";
import { readScenarioFile } from "../../../../src/scenario/read.ts";
import { renderResults } from "../../../../src/scenario/report/results.ts";
import { onTarget, runScenarios } from "../../../../src/scenario/run.ts";
import { readerOf } from "../../../../src/text/uris.ts";
import { targets } from "../../../../targets/index.ts";
import { scenarioExceptions } from "../../../golden/exceptions.ts";
import { type Golden, goldenNames, readGolden } from "../../../golden/folder.ts";
import { configurationOf } from "../../../golden/make.ts";
import { languages } from "../../../languages.ts";

// With `checkpoint: each-call` the scenarios of goldens must pass unchanged. Tries every eighth golden, or all with
// `GOLDENS=all`.

const step = process.env["GOLDENS"] === "all" ? 1 : 8;

/** A golden with that setting. */
function checkpointed(name: string): Golden {
  const golden = readGolden(name, (text) => parse(text));
  const settings = (golden.configuration ? parse(golden.configuration.text) : {}) as { readonly targets?: object };
  const openwhisk = { ...(settings.targets as { readonly openwhisk?: object })?.openwhisk, checkpoint: "each-call" };
  const text = stringify({ ...settings, targets: { ...settings.targets, openwhisk } });
  return { ...golden, configuration: { path: "waybill.config.yaml", text } };
}

test("runs that are stored after each call have the same outcomes", async () => {
  const runner = await onTarget(targets.find(({ name }) => name === "openwhisk")!);
  let count = 0;
  for (const name of goldenNames().filter((_, i) => i % step === 0)) {
    const golden = checkpointed(name);
    const known = { languages, targets: namesOf(targets) };
    const file = golden.scenarios && readScenarioFile(golden.scenarios, known, () => undefined);
    if (!file) continue;
    const paths = [file.workflow, ...file.subflows.values()].map((path) => path.replace(/^\.\//, ""));
    const sources = [...new Set(paths)].map((path) => golden.sources.find((source) => source.path === path)!);
    const configuration = configurationOf(golden);
    const definitions = { sources, configurationOf: () => configuration, read: readerOf(golden.schemas) };
    const results = await runScenarios(file, definitions, runner, languages);
    const wrong = results.filter(
      ({ scenario, outcome }) =>
        (outcome === "failed") !== Object.hasOwn(scenarioExceptions["openwhisk"]?.[name] ?? {}, scenario),
    );
    expect(wrong, `${name}\n${renderResults(results)}`).toEqual([]);
    count += results.filter(({ outcome }) => outcome === "passed").length;
  }
  runner.executor?.close();
  expect(count).toBeGreaterThan(300 / step);
}, 300_000);
