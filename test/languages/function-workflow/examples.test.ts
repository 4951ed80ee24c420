import { existsSync, readFileSync } from "node:fs";
import { afterAll, describe, expect, test } from "vitest";
import { namesOf } from "../../../src/cli/registry.ts";
import { compileWith } from "../../../src/compile.ts";
import type { Json } from "../../../src/json.ts";
import { readScenarioFile } from "../../../src/scenario/read.ts";
import { renderResults } from "../../../src/scenario/report/results.ts";
import { onReference, onTarget, type Runner, runScenarios } from "../../../src/scenario/run.ts";
import { positionOf } from "../../../src/text/source.ts";
import { targets } from "../../../targets/index.ts";
import { languages } from "../../languages.ts";

const folder = new URL("../../../../shared/examples/function-workflow/", import.meta.url);
const sourceOf = (path: string) => ({ path, text: readFileSync(new URL(path, folder), "utf8") });

/** The diagnostics of each example, except for unbound functions: line and code. */
const expected: readonly (readonly [file: string, target: string, diagnostics: readonly string[]])[] = [
  ["event-state.json", "typescript", ["5 WB2102", "10 WB2102"]],
  ["event-state.json", "asl", ["2 WB5124", "5 WB2102", "10 WB2102"]],
  ["hello-ifttt.json", "typescript", ["6 WB2101", "17 WB2101", "27 WB2101"]],
  ["hello-ifttt.json", "asl", ["6 WB2101", "17 WB2101", "27 WB2101"]],
  ["operation-state.json", "typescript", []],
  ["operation-state.json", "asl", []],
];

describe.skipIf(!existsSync(folder))("the examples (skipped without ../shared)", async () => {
  const runners: readonly Runner[] = [onReference, ...(await Promise.all(targets.map(onTarget)))];
  afterAll(() => {
    for (const { executor } of runners) executor?.close();
  });

  test.each(expected)("%s for %s", async (file, name, findings) => {
    const source = sourceOf(file);
    const target = targets.find((each) => each.name === name)!;
    const { files, diagnostics } = await compileWith({ sources: [source], options: {} }, languages, target);
    const found = diagnostics
      .filter(({ code }) => code !== "WB5301")
      .map(({ code, span }) => `${positionOf(source, span.start).line} ${code}`);
    expect(found).toEqual(findings);
    expect(files.length > 0).toBe(diagnostics.every(({ severity }) => severity !== "error"));
  });

  test.each(runners)("hello-ifttt has the result of the figure on $name", async (runner) => {
    const { input, functions, trace } = JSON.parse(sourceOf("hello-ifttt.expected.json").text);
    const [hello, , saved] = trace as readonly { readonly output: Json; readonly functionReceives?: Json }[];
    const calls = [{ hello: input }, { save_result: saved!.functionReceives }];
    const expectation = { status: "succeeded", output: saved!.output, calls };
    expect(functions.hello.returns).toEqual(hello!.output);
    const text = JSON.stringify({
      workflow: "hello-ifttt.json",
      scenarios: [{ name: "the figure", input, functions, expect: expectation }],
    });
    const file = readScenarioFile({ path: "a.json", text }, { languages, targets: namesOf(targets) }, () => {});
    const results = await runScenarios(file!, { sources: [sourceOf("hello-ifttt.json")] }, runner, languages);
    expect(
      results.map(({ outcome }) => outcome),
      renderResults(results),
    ).toEqual(["passed"]);
  });
});
