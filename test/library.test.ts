import { describe, expect, test } from "vitest";
import { check, compile, renderSarif, test as runScenarios } from "../src/index.ts";
import { broken, greeting } from "./cli/command.ts";

const sources = [{ path: "greet.yaml", text: greeting() }];

/** What a call rejects with; calls that are no requests are what is tested here. */
const refusal = (call: (request: never) => Promise<unknown>, request: unknown): Promise<string> =>
  call(request as never).then(
    () => "fine",
    (error: unknown) => String(error),
  );

describe("a request that is none", () => {
  test.each<[request: unknown, said: string]>([
    [undefined, "TypeError: A request has to be an object."],
    [{}, "TypeError: `sources` has to be a list of texts with their paths, `{ path, text }`."],
    [{ sources: ["a"] }, "TypeError: `sources` has to be a list of texts with their paths, `{ path, text }`."],
    [{ sources, from: 1 }, "TypeError: `from` has to be a text."],
    [{ sources, options: [] }, "TypeError: `options` has to be an object."],
    [{ sources, configuration: "" }, "TypeError: `configuration` has to be a text with its path, `{ path, text }`."],
    [{ sources, resource: [] }, "TypeError: A request has no member `resource`. Did you mean `resources`?"],
  ])("check rejects %j", async (request, said) => {
    expect(await refusal(check, request)).toBe(said);
  });

  test.each<[request: unknown, said: string]>([
    [{ sources }, "TypeError: `target` has to be a text."],
    [
      { sources, target: "als" },
      "RangeError: There is no target `als`; there are asl, openwhisk, typescript. Did you mean `asl`?",
    ],
  ])("compile rejects %j", async (request, said) => {
    expect(await refusal(compile, request)).toBe(said);
  });

  test.each<[request: unknown, said: string]>([
    [{ sources }, "TypeError: `scenarios` has to be a list of texts with their paths, `{ path, text }`."],
    [
      { sources, scenarios: [], on: "als" },
      "RangeError: There is no target `als`; there are asl, openwhisk, typescript. Did you mean `asl`?",
    ],
  ])("test rejects %j", async (request, said) => {
    expect(await refusal(runScenarios, request)).toBe(said);
  });
});

test("an option that there is not is told of, also where no definition is recognised", async () => {
  const { diagnostics } = await check({ sources: [{ path: "a.yaml", text: "a: 1" }], options: { timeuot: "fail" } });
  expect(diagnostics.map(({ code }) => code).sort()).toEqual(["WB0102", "WB0503"]);
});

describe("a configuration", () => {
  const calling = {
    path: "flows/greet.yaml",
    text: greeting().replace("states:", "functions: [{ name: greet }]\nstates:"),
  };
  const text = calling.text.replace(
    /- name: Greet[\s\S]*/,
    "- { name: Greet, type: operation, start: { kind: default }, actions: [{ functionRef: { refName: greet } }], end: { kind: default } }\n",
  );

  test("binds functions", async () => {
    const configuration = {
      path: "waybill.config.yaml",
      text: "functions: { greet: { typescript: { module: './hello.ts#hello' } } }",
    };
    const { files, diagnostics } = await compile({
      sources: [{ ...calling, text }],
      configuration,
      target: "typescript",
    });
    expect(diagnostics).toEqual([]);
    expect(files.find(({ path }) => path === "functions.ts")!.text).toContain('import { hello } from "./hello.ts"');
  });

  test("is told of at its line where it is wrong", async () => {
    const configuration = { path: "waybill.config.yaml", text: "optoins: {}" };
    const { files, diagnostics } = await compile({ sources, configuration, target: "asl" });
    expect(files).toEqual([]);
    expect(diagnostics.map(({ code, span }) => [code, span.source.path])).toEqual([["WB0501", "waybill.config.yaml"]]);
  });
});

test("a log for code scanning", async () => {
  const { diagnostics } = await check({ sources: [{ path: "greet.yaml", text: broken }] });
  const log = JSON.parse(await renderSarif(diagnostics));
  expect(log.runs[0].results[0].ruleId).toBe("WB2001");
  expect(log.runs[0].tool.driver.rules[0].helpUri).toMatch(/^https:.*\/src\/diagnostics\/WB2001\.md$/);
});

describe("scenarios", () => {
  const scenario = (expected: string) => ({
    path: "tests/greet.yaml",
    text: `workflow: ../flows/greet.yaml\nscenarios:\n- { name: one, input: {}, expect: { status: ${expected} } }\n`,
  });
  const flows = [{ path: "./flows/greet.yaml", text: greeting() }];

  test("run on what is asked for", async () => {
    const { results, diagnostics } = await runScenarios({
      scenarios: [scenario("succeeded")],
      sources: flows,
      on: "all",
    });
    expect(diagnostics).toEqual([]);
    expect(results.map(({ target, outcome }) => [target, outcome])).toEqual([
      ["reference", "passed"],
      ["asl", "passed"],
      ["openwhisk", "passed"],
      ["typescript", "passed"],
    ]);
    const failed = await runScenarios({ scenarios: [scenario("failed")], sources: flows });
    expect(failed.results.map(({ outcome }) => outcome)).toEqual(["failed"]);
  });

  test("whose definition is not there are told of", async () => {
    const { results, diagnostics } = await runScenarios({ scenarios: [scenario("succeeded")], sources });
    expect([results, diagnostics.map(({ message }) => message)]).toEqual([
      [],
      [expect.stringContaining("it is not among the sources")],
    ]);
  });
});
