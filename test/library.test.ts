import { describe, expect, test } from "vitest";
import {
  applyFixes,
  check,
  compile,
  diff,
  explain,
  explainAll,
  graph,
  type Host,
  languages,
  renderDiagnostics,
  runScenarios,
  targets,
} from "../src/index.ts";
import { lowerDefinitions } from "../src/library/ir.ts";
import { targets as allTargets } from "../targets/index.ts";
import { broken, greeting } from "./cli/command.ts";
import { hostOf } from "./host.ts";

const sources = [{ path: "greet.yaml", text: greeting() }];

/** The error that a call with invalid options rejects with. */
const rejection = (call: (options: never) => Promise<unknown>, options: unknown): Promise<string> =>
  call(options as never).then(
    () => "fine",
    (error: unknown) => String(error),
  );

describe("invalid options", () => {
  test.each<[options: unknown, message: string]>([
    [undefined, "TypeError: The options must be an object."],
    [{}, "TypeError: `sources` must be an array of `{ path, text }` objects."],
    [{ sources: ["a"] }, "TypeError: `sources` must be an array of `{ path, text }` objects."],
    [{ sources, from: 1 }, "TypeError: `from` must be a string."],
    [
      { sources, from: "sm4" },
      `TypeError: Unknown language \`sm4\`. Known: ${languages.join(", ")}. Did you mean \`sm4c\`?`,
    ],
    [{ sources, options: [] }, "TypeError: `options` must be an object."],
    [
      { sources, options: { timeuot: "fail" } },
      "TypeError: `options`: Unknown option `timeuot`. Did you mean `timeout`?",
    ],
    [
      { sources, config: "" },
      "TypeError: `config` must be a `{ path, text }` object, or an object with the keys of a configuration.",
    ],
    [{ sources, host: {} }, "TypeError: `host` must be an object with a function `read`."],
    [{ sources, signal: {} }, "TypeError: `signal` must be an AbortSignal."],
    [{ sources, plugins: [{}] }, "TypeError: `plugins` must be an array of plug-ins."],
    [
      { sources, plugins: [{ name: "a" }] },
      "TypeError: `plugins[0]` is not a plug-in: it has neither `languages` nor `targets`.",
    ],
    [{ sources, hots: {} }, "TypeError: Unknown option `hots`. Did you mean `host`?"],
  ])("of check: %j", async (options, message) => {
    expect(await rejection(check, options)).toBe(message);
  });

  const unknownTarget = `TypeError: Unknown target \`als\`. Known: ${targets.join(", ")}. Did you mean \`asl\`?`;

  test.each<[options: unknown, message: string]>([
    [{ sources }, "TypeError: `target` must be the name of a target, or a target."],
    [{ sources, target: "als" }, unknownTarget],
  ])("of compile: %j", async (options, message) => {
    expect(await rejection(compile, options)).toBe(message);
  });

  test.each<[options: unknown, message: string]>([
    [{ sources }, "TypeError: `scenarios` must be an array of `{ path, text }` objects."],
    [{ sources, scenarios: [], on: "als" }, unknownTarget],
  ])("of runScenarios: %j", async (options, message) => {
    expect(await rejection(runScenarios, options)).toBe(message);
  });

  test.each<[call: (options: never) => Promise<unknown>, options: unknown, message: string]>([
    [graph, { sources, format: "png" }, "TypeError: `format` must be `svg`, `mermaid` or `dot`."],
    [graph, { sources, workflow: "gret" }, "TypeError: Unknown workflow `gret`. Did you mean `greet`?"],
    [diff, { old: { sources } }, "TypeError: `new` must be an object with `sources`."],
    [diff, { old: { sources }, new: {} }, "TypeError: `sources` must be an array of `{ path, text }` objects."],
    [explain as never, 2001, "TypeError: `code` must be a string."],
  ])("of other functions: %#", async (call, options, message) => {
    expect(await rejection(call, options)).toBe(message);
  });
});

test("the type of names lists all targets", () => {
  const names: readonly string[] = allTargets.map(({ name }) => name);
  expect(names.toSorted()).toEqual(["asl", "openwhisk", "typescript"]);
  expect(targets).toEqual(names);
});

test("results say whether they are ok", async () => {
  expect(await check({ sources })).toEqual({ ok: true, diagnostics: [] });
  expect((await compile({ sources: [{ path: "greet.yaml", text: broken }], target: "asl" })).ok).toBe(false);
});

test("diagnostics are JSON without the text of the file", async () => {
  const { diagnostics } = await check({ sources: [{ path: "greet.yaml", text: broken }] });
  expect(JSON.parse(JSON.stringify(diagnostics))[0].span.source).toEqual({ path: "greet.yaml" });
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

  test.each([
    [{ path: "waybill.config.yaml", text: "functions: { greet: { typescript: { module: './hello.ts#hello' } } }" }],
    [{ functions: { greet: { typescript: { module: "./hello.ts#hello" } } } }],
  ])("binds functions: %j", async (config) => {
    const { files, diagnostics } = await compile({ sources: [{ ...calling, text }], config, target: "typescript" });
    expect(diagnostics).toEqual([]);
    expect(files.find(({ path }) => path === "functions.ts")!.text).toContain('import { hello } from "./hello.ts"');
  });

  test("reports a mistake at its line", async () => {
    const config = { path: "waybill.config.yaml", text: "optoins: {}" };
    const { ok, files, diagnostics } = await compile({ sources, config, target: "asl" });
    expect([ok, files]).toEqual([false, []]);
    expect(diagnostics.map(({ code, span }) => [code, span.source.path])).toEqual([["WB0501", "waybill.config.yaml"]]);
  });
});

describe("a host", () => {
  const files = new Map([["flows/order.json", '{ "type": "object", "properties": { "item": { "type": "string" } } }']]);

  const typed = {
    path: "flows/order.yaml",
    text: `id: order
name: Order
version: '1.0'
dataInputSchema: order.json
states:
- { name: Go, type: inject, start: { kind: default }, data: {}, end: { kind: default } }
`,
  };

  test.each([
    ["synchronous", (path: string) => files.get(path)],
    ["asynchronous", async (path: string) => files.get(path)],
  ] as const)("that is %s reads each file once", async (_, read) => {
    const paths: string[] = [];
    const host: Host = {
      read(path) {
        paths.push(path);
        return read(path);
      },
    };
    expect(await check({ sources: [typed], host })).toEqual({ ok: true, diagnostics: [] });
    expect(paths).toEqual([...files.keys()]);
  });

  test("without the file gives a diagnostic, and its failure rejects", async () => {
    const missing = await check({ sources: [typed], host: hostOf() });
    expect(missing.diagnostics.map(({ message }) => message).join()).toContain("no such file");
    const failing: Host = { read: () => Promise.reject(new Error("offline")) };
    await expect(check({ sources: [typed], host: failing })).rejects.toThrow("offline");
    const wrong: Host = { read: () => 7 as never };
    await expect(check({ sources: [typed], host: wrong })).rejects.toThrow("`host.read` must return a string");
  });

  test("that does not answer is left when the signal is aborted", async () => {
    const host: Host = { read: () => new Promise(() => {}) };
    await expect(check({ sources: [typed], host, signal: AbortSignal.timeout(20) })).rejects.toThrow(/timeout/);
    await expect(check({ sources, signal: AbortSignal.abort(new Error("enough")) })).rejects.toThrow("enough");
  });

  test("loads the plug-ins of a configuration", async () => {
    const config = { path: "flows/waybill.config.yaml", text: "plugins: [./paper.mjs]" };
    const paper = { name: "paper", summary: "paper", generate: () => ({}), emit: () => [{ path: "a.txt", text: "a" }] };
    const modules: string[] = [];
    const host: Host = {
      ...hostOf(),
      import(module) {
        modules.push(module);
        return { default: { name: "paper", targets: [paper] } };
      },
    };
    const { files } = await compile({ sources, config, host, target: "paper" as never });
    expect([modules, files]).toEqual([["flows/paper.mjs"], [{ path: "a.txt", text: "a" }]]);
    const { diagnostics } = await check({ sources, config, host: hostOf() });
    expect(diagnostics.map(({ code, message }) => [code, message])).toContainEqual([
      "WB0540",
      "Cannot use the plug-in `./paper.mjs`: the host does not load modules.",
    ]);
  });
});

describe("diagnostics render", async () => {
  const { diagnostics } = await check({ sources: [{ path: "greet.yaml", text: broken }] });

  test("as a SARIF log", async () => {
    const log = JSON.parse(await renderDiagnostics(diagnostics, { format: "sarif" }));
    expect(log.runs[0].results[0].ruleId).toBe("WB2001");
    expect(log.runs[0].tool.driver.rules[0].helpUri).toMatch(/^https:.*\/src\/diagnostics\/WB2001\.md$/);
  });

  test("as text, with other paths", async () => {
    expect(await renderDiagnostics(diagnostics)).toMatch(/^greet\.yaml:/);
    expect(await renderDiagnostics(diagnostics, { pathOf: (path) => `flows/${path}`, color: true })).toMatch(
      /flows\/greet\.yaml:/,
    );
    expect(await renderDiagnostics(diagnostics, { format: "github" })).toMatch(/^::error file=greet\.yaml/);
    expect(JSON.parse(await renderDiagnostics(diagnostics, { format: "json" }))[0].code).toBe("WB2001");
  });
});

test("codes are explained", async () => {
  expect(await explain("wb2001")).toMatchObject({
    code: "WB2001",
    severity: "error",
    page: expect.stringMatching(/^# /),
  });
  expect(await explain("WB9999")).toBeUndefined();
  expect((await explainAll()).length).toBeGreaterThan(200);
});

test("fixes are applied to a source", async () => {
  const source = { path: "greet.yaml", text: greeting().replace("data:", "dtaa:") };
  const { diagnostics } = await check({ sources: [source] });
  const { text, applied } = applyFixes(source, diagnostics);
  expect([text, applied.length]).toEqual([greeting(), 1]);
  expect(applyFixes({ path: "other.yaml", text: "" }, diagnostics)).toEqual({ text: "", applied: [] });
});

test("workflows are drawn", async () => {
  const { graph: drawn } = await graph({ sources, format: "mermaid" });
  expect(drawn).toMatchObject({ workflow: "greet", text: expect.stringContaining("Greet") });
  expect((await graph({ sources })).graph?.text).toMatch(/^<svg /);
  expect((await graph({ sources: [{ path: "greet.yaml", text: broken }] })).graph).toBeUndefined();
});

test("versions are compared", async () => {
  const changed = [{ path: "greet.yaml", text: greeting().replace("name: Greet\n  type", "name: Welcome\n  type") }];
  expect(await diff({ old: { sources }, new: { sources } })).toMatchObject({ ok: true, diff: { isEqual: true } });
  const { diff: found, text } = await diff({ old: { sources }, new: { sources: changed }, format: "markdown" });
  expect([found?.isEqual, text]).toEqual([false, expect.stringContaining("Welcome")]);
  const failed = await diff({ old: { sources }, new: { sources: [{ path: "a.yaml", text: broken }] } });
  expect([failed.ok, failed.diff]).toEqual([false, undefined]);
});

test("definitions are lowered to a program", async () => {
  const { ok, program } = await lowerDefinitions({ sources });
  expect([ok, program?.workflows.map(({ id }) => id)]).toEqual([true, ["greet"]]);
});

describe("scenarios", () => {
  const scenario = (expected: string) => ({
    path: "tests/greet.yaml",
    text: `workflow: ../flows/greet.yaml\nscenarios:\n- { name: one, input: {}, expect: { status: ${expected} } }\n`,
  });
  const flows = [{ path: "./flows/greet.yaml", text: greeting() }];

  test("run on the requested target", async () => {
    const { ok, results, diagnostics } = await runScenarios({
      scenarios: [scenario("succeeded")],
      sources: flows,
      on: "all",
    });
    expect([ok, diagnostics]).toEqual([true, []]);
    expect(results.map(({ target, outcome }) => [target, outcome])).toEqual([
      ["reference", "passed"],
      ...targets.map((target) => [target, "passed"]),
    ]);
    const failed = await runScenarios({ scenarios: [scenario("failed")], sources: flows });
    expect([failed.ok, failed.results.map(({ outcome }) => outcome)]).toEqual([false, ["failed"]]);
  });

  test("read their definitions from the host", async () => {
    const host: Host = { read: async (path) => (path === "flows/greet.yaml" ? greeting() : undefined) };
    const { ok, results } = await runScenarios({ scenarios: [scenario("succeeded")], host });
    expect([ok, results.map(({ outcome }) => outcome)]).toEqual([true, ["passed"]]);
  });

  test("report a missing definition", async () => {
    const { ok, results, diagnostics } = await runScenarios({ scenarios: [scenario("succeeded")], sources });
    expect([ok, results, diagnostics.map(({ message }) => message)]).toEqual([
      false,
      [],
      [expect.stringContaining("it is not among the sources")],
    ]);
  });
});
