import { builtinModules } from "node:module";
import { join } from "node:path";
import { createContext, runInContext } from "node:vm";
import { build, type Plugin } from "esbuild";
import { beforeAll, expect, test } from "vitest";

// The compiler's core runs in a browser: reading, checking and generating use nothing of Node.js. Surfaces that are loaded on demand (simulators, engines,
// commands of targets) are left to Node.js.

const root = join(import.meta.dirname, "..");

const entry = `
export { compileWith } from "./src/compile.ts";
export * as library from "./src/index.ts";
export { renderText } from "./src/diagnostics/renderers/text.ts";
export { languages } from "./src/languages/index.ts";
export { targets } from "./targets/index.ts";
`;

/** Surfaces for Node.js only, each loaded by an \`import()\`. */
const surfaces = /\/(?:simulate|simulator\/index|verify\/command|open)\.ts$/;

const isBuiltin = (path: string): boolean => path.startsWith("node:") || builtinModules.includes(path);

const builtins: string[] = [];
let bundle = "";

const core: Plugin = {
  name: "core",
  setup({ onResolve }) {
    onResolve({ filter: surfaces }, ({ kind, path }) => (kind === "dynamic-import" ? { path, external: true } : null));
    onResolve({ filter: /^(?:node:)?[a-z_/]+$/ }, ({ path, importer }) => {
      if (!isBuiltin(path)) return null;
      // Packages guard such imports, or their manifests replace them in browsers.
      if (importer.includes("node_modules")) return { path, namespace: "absent" };
      builtins.push(`${importer.slice(root.length + 1)} → ${path}`);
      return { path, external: true };
    });
  },
};

const absent: Plugin = {
  name: "absent",
  setup({ onLoad }) {
    onLoad({ filter: /.*/, namespace: "absent" }, () => ({ contents: "module.exports = {}", loader: "js" }));
  },
};

beforeAll(async () => {
  const { outputFiles } = await build({
    stdin: { contents: entry, resolveDir: root, loader: "ts" },
    bundle: true,
    write: false,
    platform: "browser",
    format: "iife",
    globalName: "waybill",
    logLevel: "silent",
    plugins: [core, absent],
  });
  bundle = outputFiles[0]!.text;
}, 60_000);

test("the core imports nothing of Node.js", () => {
  expect(builtins).toEqual([]);
});

test.each(["asl", "openwhisk", "typescript"])(
  "the bundle compiles a definition to %s without Node's globals",
  async (target) => {
    const globals = {
      TextEncoder,
      TextDecoder,
      URL,
      console,
      performance,
      queueMicrotask,
      structuredClone,
      setTimeout,
    };
    const context = createContext({ ...globals });
    runInContext(bundle, context);
    const run = `(async () => {
    const { compileWith, languages, targets, renderText } = waybill;
    const text = ${JSON.stringify(definition)};
    const input = { sources: [{ path: "greet.yaml", text }], options: {} };
    const { files, diagnostics } = await compileWith(input, languages, targets.find(({ name }) => name === "${target}"));
    return JSON.stringify({ paths: files.map(({ path }) => path), printed: renderText(diagnostics) });
  })()`;
    const { paths, printed } = JSON.parse((await runInContext(run, context)) as string);
    expect(printed).not.toContain("error");
    expect(paths).not.toEqual([]);
  },
);

test("the library checks, draws, compares and builds projects of a host in a browser", async () => {
  const context = createContext({
    AbortController,
    AbortSignal,
    structuredClone,
    TextEncoder,
    TextDecoder,
    URL,
    performance,
    queueMicrotask,
  });
  runInContext(bundle, context);
  const run = `(async () => {
    const { check, diff, graph, createContext } = waybill.library;
    const sources = [{ path: "flows/greet.yaml", text: ${JSON.stringify(definition)} }];
    const config = { sources: ["flows"], outputs: [{ target: "asl", out: "build" }] };
    const host = { read: async (path) => (path === "flows/greet.yaml" ? sources[0].text : undefined), list: () => ["flows/greet.yaml"] };
    const { outputs } = await (await createContext({ host, config })).build();
    const rejected = await createContext({}).catch(({ message }) => message);
    return JSON.stringify([
      (await check({ sources })).ok,
      (await diff({ old: { sources }, new: { sources } })).diff.isEqual,
      (await graph({ sources })).graph.text.slice(0, 5),
      outputs[0].files[0].path,
      rejected,
    ]);
  })()`;
  expect(JSON.parse((await runInContext(run, context)) as string)).toEqual([
    true,
    true,
    "<svg ",
    "greet.asl.json",
    "`createContext` requires a `host` here: only Node.js reads projects from disk.",
  ]);
});

const definition = `id: greet
name: Greet
version: '1.0'
functions:
- { name: greet, resource: arn:aws:lambda:eu-west-1:123456789012:function:greet }
states:
- name: Greet
  type: operation
  start: { kind: default }
  actions: [{ functionRef: { refName: greet, parameters: { name: $.name } } }]
  end: { kind: default }
`;
