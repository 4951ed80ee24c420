import { describe, expect, test } from "vitest";
import { check, compile, renderSarif, test as runScenarios, targets } from "../src/index.ts";
import { broken, greeting } from "./cli/command.ts";

const sources = [{ path: "greet.yaml", text: greeting() }];

/** The error that a call with a malformed request rejects with. */
const rejection = (call: (request: never) => Promise<unknown>, request: unknown): Promise<string> =>
  call(request as never).then(
    () => "fine",
    (error: unknown) => String(error),
  );

describe("a malformed request", () => {
  test.each<[request: unknown, message: string]>([
    [undefined, "TypeError: A request must be an object."],
    [{}, "TypeError: `sources` must be an array of `{ path, text }` objects."],
    [{ sources: ["a"] }, "TypeError: `sources` must be an array of `{ path, text }` objects."],
    [{ sources, from: 1 }, "TypeError: `from` must be a string."],
    [{ sources, options: [] }, "TypeError: `options` must be an object."],
    [{ sources, configuration: "" }, "TypeError: `configuration` must be a `{ path, text }` object."],
    [{ sources, resource: [] }, "TypeError: A request has no member `resource`. Did you mean `resources`?"],
  ])("check rejects %j", async (request, message) => {
    expect(await rejection(check, request)).toBe(message);
  });

  test.each<[request: unknown, message: string]>([
    [{ sources }, "TypeError: `target` must be a string."],
    [
      { sources, target: "als" },
      `RangeError: Unknown target \`als\`. Targets: ${targets.join(", ")}. Did you mean \`asl\`?`,
    ],
  ])("compile rejects %j", async (request, message) => {
    expect(await rejection(compile, request)).toBe(message);
  });

  test.each<[request: unknown, message: string]>([
    [{ sources }, "TypeError: `scenarios` must be an array of `{ path, text }` objects."],
    [
      { sources, scenarios: [], on: "als" },
      `RangeError: Unknown target \`als\`. Targets: ${targets.join(", ")}. Did you mean \`asl\`?`,
    ],
  ])("test rejects %j", async (request, message) => {
    expect(await rejection(runScenarios, request)).toBe(message);
  });
});

test("an unknown option is reported even if no language is detected", async () => {
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

  test("reports a mistake at its line", async () => {
    const configuration = { path: "waybill.config.yaml", text: "optoins: {}" };
    const { files, diagnostics } = await compile({ sources, configuration, target: "asl" });
    expect(files).toEqual([]);
    expect(diagnostics.map(({ code, span }) => [code, span.source.path])).toEqual([["WB0501", "waybill.config.yaml"]]);
  });
});

test("diagnostics render as a SARIF log", async () => {
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

  test("run on the requested target", async () => {
    const { results, diagnostics } = await runScenarios({
      scenarios: [scenario("succeeded")],
      sources: flows,
      on: "all",
    });
    expect(diagnostics).toEqual([]);
    expect(results.map(({ target, outcome }) => [target, outcome])).toEqual([
      ["reference", "passed"],
      ...targets.map((target) => [target, "passed"]),
    ]);
    const failed = await runScenarios({ scenarios: [scenario("failed")], sources: flows });
    expect(failed.results.map(({ outcome }) => outcome)).toEqual(["failed"]);
  });

  test("report a missing definition", async () => {
    const { results, diagnostics } = await runScenarios({ scenarios: [scenario("succeeded")], sources });
    expect([results, diagnostics.map(({ message }) => message)]).toEqual([
      [],
      [expect.stringContaining("it is not among the sources")],
    ]);
  });
});
