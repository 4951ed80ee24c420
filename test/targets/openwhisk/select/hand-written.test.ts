import { afterAll, expect, test } from "vitest";
import { parse } from "yaml";
import { namesOf } from "../../../../src/cli/registry.ts";
import { readScenarioFile } from "../../../../src/scenario/read.ts";
import { renderResults } from "../../../../src/scenario/report/results.ts";
import { runScenarios } from "../../../../src/scenario/run.ts";
import type { OutputFile, Target } from "../../../../src/target/contract.ts";
import { readerOf } from "../../../../src/text/uris.ts";
import { targets } from "../../../../targets/index.ts";
import type { Composition } from "../../../../targets/openwhisk/composition.ts";
import { openwhisk } from "../../../../targets/openwhisk/index.ts";
import { compositionOf, handWrittenCompositions } from "../../../bench/compositions.ts";
import { scenarioExceptions } from "../../../golden/exceptions.ts";
import { readGolden } from "../../../golden/folder.ts";
import { configurationOf } from "../../../golden/make.ts";
import { languages } from "../../../languages.ts";

const executor = await openwhisk.loadSimulator?.();
afterAll(() => executor?.close());

/** The target, with another composition in the conductor action. */
const withComposition = (composition: Composition): Target => ({
  ...openwhisk,
  async generate(...given) {
    const files = (await openwhisk.generate(...given)) as readonly OutputFile[];
    const literal = `const composition = ${JSON.stringify(composition)};\nconst main =`;
    const replaced = files.map(({ text, ...file }) => ({
      ...file,
      text: text.replace(/const composition = .*;\nconst main =/, () => literal),
    }));
    expect(replaced.filter(({ text }, i) => text !== files[i]!.text)).toHaveLength(1);
    return replaced;
  },
});

const written = handWrittenCompositions();

test.each(written)(
  "the hand-written composition of $golden passes its scenarios",
  async ({ golden: name, composition }) => {
    const golden = readGolden(name, parse);
    const file = readScenarioFile(golden.scenarios!, { languages, targets: namesOf(targets) }, () => {})!;
    const definitions = {
      sources: golden.sources,
      configurationOf: () => configurationOf(golden),
      read: readerOf(golden.schemas),
    };
    const runner = { name: "openwhisk", target: withComposition(composition), executor };
    const results = await runScenarios(file, definitions, runner, languages);
    const exceptions = scenarioExceptions["openwhisk"]?.[name] ?? {};
    const failed = results.filter(
      ({ scenario, outcome }) => outcome !== "passed" && !Object.hasOwn(exceptions, scenario),
    );
    expect(failed, renderResults(results)).toEqual([]);
  },
);

test.each(written)(
  "the generated composition of $golden has at most 1.5 times its states",
  async ({ golden, composition }) => {
    const ours = await compositionOf(golden);
    expect(Object.keys(ours.States).length).toBeLessThanOrEqual(1.5 * Object.keys(composition.States).length);
  },
);
