import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { type BuildResult, type Context, type ContextOptions, createContext, type Host } from "../src/index.ts";
import { matchesGlob } from "../src/library/globs.ts";
import { broken, folderWith, greeting } from "./cli/command.ts";

const files = {
  "waybill.config.yaml": `sources: [flows]
outputs: [{ target: asl, out: build/asl }, { target: openwhisk, out: build/actions }]
scenarios: [scenarios/*.yaml]
`,
  "flows/greet.yaml": greeting(),
  "flows/notes.yaml": "just: notes\n",
  "scenarios/greet.yaml": `workflow: ../flows/greet.yaml
scenarios:
- { name: one, input: {}, expect: { status: succeeded } }
`,
};

/** A host with files, which also records what is read. */
function hostWith(contents: { readonly [path: string]: string }): Host & { readonly reads: string[] } {
  const reads: string[] = [];
  return {
    reads,
    read: async (path) => {
      reads.push(path);
      return contents[path];
    },
    list: () => Object.keys(contents),
  };
}

async function contextOf(options: ContextOptions): Promise<Context> {
  const context = await createContext(options);
  onTestFinished(() => context.dispose());
  return context;
}

const rejection = (call: Promise<unknown>): Promise<string> =>
  call.then(
    () => "fine",
    (error: unknown) => String(error),
  );

describe.each([
  ["on disk", () => ({ cwd: folderWith(files) })],
  ["of a host", () => ({ host: hostWith(files) })],
] as const)("a project %s", (_, open) => {
  test("is checked, built and tested", async () => {
    const context = await contextOf(open());
    expect(await context.check()).toEqual({ ok: true, diagnostics: [] });
    const { ok, diagnostics, outputs } = await context.build();
    expect([ok, diagnostics]).toEqual([true, []]);
    expect(outputs.map(({ target, folder }) => [target, folder])).toEqual([
      ["asl", "build/asl"],
      ["openwhisk", "build/actions"],
    ]);
    expect(outputs[0]!.changed).toContain("greet.asl.json");
    expect((await context.build({ target: "asl" })).outputs.map(({ target }) => target)).toEqual(["asl"]);
    const tested = await context.test({ on: "all" });
    expect([tested.ok, tested.results.length]).toEqual([true, 4]);
  });

  test("rejects calls with invalid or aborted options, and after it is disposed", async () => {
    const context = await contextOf(open());
    expect(await rejection(context.build({ force: "yes" } as never))).toBe("TypeError: `force` must be true or false.");
    expect(await rejection(context.build({ target: "als" as never }))).toMatch("Unknown target `als`.");
    expect(await rejection(context.test({ signal: AbortSignal.abort(new Error("enough")) }))).toBe("Error: enough");
    await context.dispose();
    expect(await rejection(context.check())).toBe("Error: The context was disposed.");
  });
});

test.each<[string, (given: typeof files) => ContextOptions]>([
  ["on disk", (given) => ({ cwd: folderWith(given) })],
  ["of a host", (given) => ({ host: hostWith(given) })],
])("the JSON of diagnostics names the files of a project %s without their text", async (_, open) => {
  const { diagnostics } = await (await contextOf(open({ ...files, "flows/greet.yaml": broken }))).check();
  const [found] = JSON.parse(JSON.stringify(diagnostics)) as readonly { readonly span: { readonly source: object } }[];
  expect(found?.span.source).toEqual({ path: "flows/greet.yaml" });
});

test("a project of a host returns its files, and reads only what is needed", async () => {
  const host = hostWith(files);
  const context = await contextOf({ host });
  const { outputs } = await context.build();
  expect(outputs[0]!.files!.map(({ path }) => path)).toContain("greet.asl.json");
  expect(host.reads).toEqual(["waybill.config.yaml", "flows/greet.yaml", "flows/notes.yaml"]);
  expect(await rejection(context.build({ check: true }))).toMatch("TypeError: `check` requires a project on disk");
  expect(await rejection(context.watch()[Symbol.asyncIterator]().next())).toMatch("TypeError: `watch` requires");
});

test("the configuration of a host is a path, a source or an object", async () => {
  const { "waybill.config.yaml": _, ...others } = files;
  const config = { sources: ["flows"], outputs: [{ target: "asl", out: "." }] };
  const built = await (await contextOf({ host: hostWith(others), config })).build();
  expect([built.ok, built.outputs[0]?.folder]).toEqual([true, ""]);
  const missing = await (await contextOf({ host: hostWith(others) })).check();
  expect(missing.diagnostics.map(({ message }) => message).join()).toContain("no such file");
  const nested = { "team/project.yaml": files["waybill.config.yaml"], "team/flows/greet.yaml": greeting() };
  const inner = await (await contextOf({ host: hostWith(nested), config: "team/project.yaml" })).build();
  expect(inner.outputs.map(({ folder }) => folder)).toEqual(["team/build/asl", "team/build/actions"]);
  expect(inner.diagnostics).toEqual([]);
});

test("a configuration of a host may extend others, with their plug-ins", async () => {
  const paper = { name: "paper", summary: "paper", generate: () => ({}), emit: () => [{ path: "a.txt", text: "a" }] };
  const contents = {
    "base/waybill.yaml": "plugins: [./paper.mjs]\noutputs: [{ target: paper, out: paper }]\n",
    "waybill.config.yaml": "extends: base/waybill.yaml\nsources: [flows]\n",
    "flows/greet.yaml": greeting(),
  };
  const modules: string[] = [];
  const host: Host = {
    ...hostWith(contents),
    import(module) {
      modules.push(module);
      return { default: { name: "paper", targets: [paper] } };
    },
  };
  const { diagnostics, outputs } = await (await contextOf({ host })).build();
  expect([diagnostics, modules]).toEqual([[], ["base/paper.mjs"]]);
  expect(outputs.map(({ target, files }) => [target, files![0]!.text])).toEqual([["paper", "a"]]);
});

test("errors in definitions write nothing", async () => {
  const cwd = folderWith({ ...files, "flows/greet.yaml": broken });
  const { ok, diagnostics, outputs } = await (await contextOf({ cwd })).build();
  expect([ok, outputs, diagnostics[0]!.code, existsSync(join(cwd, "build"))]).toEqual([false, [], "WB2001", false]);
});

test("`check` compares, `force` overwrites", async () => {
  const cwd = folderWith(files);
  const context = await contextOf({ cwd });
  expect((await context.build({ check: true })).ok).toBe(false);
  expect((await context.build()).ok).toBe(true);
  expect((await context.build({ check: true })).ok).toBe(true);
  expect((await context.build()).outputs.map(({ changed }) => changed)).toEqual([[], []]);
  writeFileSync(join(cwd, "build/asl/greet.asl.json"), "{}");
  expect((await context.build()).diagnostics.map(({ code }) => code)).toEqual(["WB0604"]);
  expect((await context.build({ force: true })).ok).toBe(true);
  expect(readFileSync(join(cwd, "build/asl/greet.asl.json"), "utf8")).toContain("StartAt");
});

test("a folder without a project rejects each call, not the creation", async () => {
  const context = await contextOf({ cwd: folderWith({ "greet.yaml": greeting() }) });
  expect(await rejection(context.check())).toMatch("Error: No project found");
});

test("watch builds at once and after a change, until the context is disposed", async () => {
  const cwd = folderWith(files);
  const context = await contextOf({ cwd });
  const seen: BuildResult[] = [];
  for await (const result of context.watch({ target: "asl" })) {
    seen.push(result);
    if (seen.length === 1)
      writeFileSync(join(cwd, "flows/greet.yaml"), greeting().replace("hello: world", "hello: you"));
    else await context.dispose();
  }
  expect(seen.map(({ ok, outputs }) => [ok, outputs[0]!.changed.includes("greet.asl.json")])).toEqual([
    [true, true],
    [true, true],
  ]);
});

test.each<[options: unknown, message: string]>([
  [{ cwd: 1 }, "TypeError: `cwd` must be a string."],
  [{ cwd: ".", host: hostWith({}) }, "TypeError: `cwd` and `host` exclude each other."],
  [{ config: {} }, "TypeError: `config` must be a path, unless there is a `host`."],
  [{ folder: "." }, "TypeError: Unknown option `folder`."],
])("invalid options of a context: %#", async (options, message) => {
  expect(await rejection(createContext(options as never))).toMatch(message);
});

test.each<[glob: string, matching: readonly string[], other: readonly string[]]>([
  ["*.yaml", ["a.yaml"], ["a/b.yaml", "a.yml"]],
  ["flows/**/*.yaml", ["flows/a.yaml", "flows/b/c/d.yaml"], ["flows/a.json", "flow/a.yaml", "flows/.git/a.yaml"]],
  ["**/a?.{yaml,json}", ["ab.yaml", "x/ab.json"], ["a.yaml", "x/ab.yml"]],
  ["[ab]*/[!x-z].yaml", ["b/a.yaml", "abc/c.yaml"], ["c/a.yaml", "b/y.yaml"]],
  ["a/**", ["a/b", "a/b/c"], ["b"]],
])("the glob %s", (glob, matching, other) => {
  expect(matching.filter((path) => !matchesGlob(path, glob))).toEqual([]);
  expect(other.filter((path) => matchesGlob(path, glob))).toEqual([]);
});

test("a glob takes no exponential time", () => {
  expect(matchesGlob("a".repeat(5_000), `${"*a".repeat(100)}b`)).toBe(false);
});
