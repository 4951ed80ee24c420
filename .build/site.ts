// Builds the playground to dist/site, a folder of static files. Run by `npm run site`.

import { createHash } from "node:crypto";
import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build, type Metafile, type Plugin, transform } from "esbuild";
import { playgroundPackage, playgroundPolicy } from "../src/cli/playground.ts";
import { runtime } from "../src/generated/runtime.js";
import { graphStyle } from "../src/graph/style.ts";
import { languages } from "../src/languages/index.ts";
import { browserOnly } from "./browser.ts";
import { dataModule } from "./data-module.ts";

const root = fileURLToPath(new URL("../", import.meta.url));
const page = join(root, "src/playground/page");
const goldens = join(root, "golden");

/** The files of a built page. */
export interface Site {
  readonly folder: string;
  /** The files that the page loads at once, and those that checking, the state machine and the picture load. */
  readonly core: readonly string[];
  /** The files that are loaded when they are used. */
  readonly rest: readonly string[];
}

/** Builds the page to a folder, which is replaced. */
export async function buildSite(folder: string): Promise<Site> {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const worker = await bundle("worker.ts", folder, {}, [packagesOnDemand, smallRuntime]);
  const style = await writeStyle(folder);
  const examples = writeExamples(folder);
  const first = readFileSync(join(folder, `examples/${examples[0]}.json`), "utf8");
  const firstExample = `{"name":${JSON.stringify(examples[0])},"content":${first}}`;
  const start = await bundle("start.ts", folder, { workerUrl: JSON.stringify(worker.entry) });
  const main = await bundle("main.ts", folder, { firstExample });
  const html = readFileSync(join(page, "index.html"), "utf8")
    .replace("{{policy}}", playgroundPolicy)
    .replace("{{style}}", style)
    .replace("{{start}}", start.entry)
    .replace("{{script}}", main.entry)
    .replace("{{preload}}", main.core.map(preload).join(""))
    .replaceAll(/>\s+</g, "><")
    .trim();
  writeFileSync(join(folder, "index.html"), html);
  const atFirst = ["index.html", style, start.entry, main.entry, ...main.core, worker.entry, ...worker.core];
  const core = [...new Set(atFirst)];
  await writeServiceWorker(folder, [
    "./",
    ...core,
    "examples/index.json",
    ...examples.map((name) => `examples/${name}.json`),
  ]);
  writePackage(folder, [...worker.inputs, ...main.inputs]);
  const all = readdirSync(folder).filter((name) => name.endsWith(".js"));
  return { folder, core, rest: all.filter((name) => !core.includes(name) && name !== "offline.js") };
}

const preload = (file: string): string => `<link rel="modulepreload" href="${file}">`;

interface Bundle {
  readonly entry: string;
  /** The chunks of the first compilation. */
  readonly core: readonly string[];
  readonly inputs: readonly string[];
}

async function bundle(
  name: string,
  folder: string,
  define: { readonly [name: string]: string },
  plugins: Plugin[] = [],
): Promise<Bundle> {
  const { metafile } = await build({
    absWorkingDir: root,
    entryPoints: [join(page, name)],
    bundle: true,
    splitting: true,
    format: "esm",
    platform: "browser",
    target: "es2022",
    minify: true,
    charset: "utf8",
    legalComments: "none",
    outdir: folder,
    entryNames: "[name]-[hash]",
    chunkNames: "[name]-[hash]",
    metafile: true,
    logLevel: "error",
    define: { ...define },
    plugins: [...plugins, browserOnly],
  });
  const found = Object.entries(metafile.outputs).find(([, { entryPoint }]) => entryPoint?.endsWith(`/page/${name}`));
  if (!found) throw new Error(`The bundle has no entry ${name}.`);
  const [entry] = found;
  return {
    entry: basename(entry),
    core: chunksOf(entry, metafile).map((path) => basename(path)),
    inputs: Object.keys(metafile.inputs),
  };
}

/** The modules that checking, editing, the views `asl`, `ir` and `picture`, and scenarios load by `import()`. */
const firstModules =
  /^(?:targets\/asl\/generate|src\/languages\/[^/]+\/front-end|src\/playground\/compiler\/(?:editing|picture|scenarios))\.ts$/;

/** The chunks that an entry imports, and those of the modules that first compilations load. */
function chunksOf(entry: string, { outputs }: Metafile): readonly string[] {
  const found = new Set<string>();
  const add = (path: string): void => {
    if (found.has(path)) return;
    found.add(path);
    for (const { path: next, kind } of outputs[path]?.imports ?? []) {
      const isFirst = firstModules.test(outputs[next]?.entryPoint ?? "");
      if (kind === "import-statement" || isFirst) add(next);
    }
  };
  add(entry);
  found.delete(entry);
  return [...found];
}

/** In the worker, rarely used packages are loaded when they are needed. */
const packagesOnDemand: Plugin = {
  name: "packages on demand",
  setup({ onResolve }) {
    onResolve({ filter: /^#lazy$/ }, () => ({ path: join(root, "src/playground/compiler/packages.ts") }));
  },
};

/** The functions that expressions call are a small part of the runtime of programs, which loads when it is used. */
const smallRuntime: Plugin = {
  name: "small runtime",
  setup({ onLoad }) {
    onLoad({ filter: /\/src\/generated\/runtime\.js$/ }, () => ({
      contents: dataModule({ runtime: runtime() }),
      loader: "js",
    }));
  },
};

async function writeStyle(folder: string): Promise<string> {
  const sheets = ["base", "layout", "outputs", "runs", "dialogs", "narrow"];
  const own = sheets.map((name) => readFileSync(join(page, "style", `${name}.css`), "utf8"));
  const base = readFileSync(join(root, "src/page/base.css"), "utf8");
  const text = [graphStyle, base, ...own].join("\n");
  const { code } = await transform(text, { loader: "css", minify: true });
  const name = `style-${hashOf(code)}.css`;
  writeFileSync(join(folder, name), code);
  return name;
}

const hashOf = (text: string): string => createHash("sha256").update(text).digest("hex").slice(0, 8).toUpperCase();

async function writeServiceWorker(folder: string, files: readonly string[]): Promise<void> {
  const version = hashOf(files.map((path) => (path === "./" ? path : readFileSync(join(folder, path), "utf8"))).join());
  await build({
    absWorkingDir: root,
    entryPoints: [join(page, "offline.ts")],
    bundle: true,
    format: "iife",
    minify: true,
    outfile: join(folder, "offline.js"),
    define: { version: JSON.stringify(version), files: JSON.stringify(files) },
    logLevel: "error",
  });
}

/** The goldens that are examples: of each language, as many as there are, in this order. */
const exampleNames = [
  ...["order-process", "order-desk", "claims-desk", "payment-wait", "home-monitoring", "while-polls", "parallel-merge"],
  ...["errors-handled", "retries", "callback", "timeouts", "hello", "actions-in-a-row", "chosen-by-an-action"],
  ...["errors", "events", "loops", "branches"],
];

const maxExamples = 5;

/** Writes the examples and their list, the language of new projects first; returns their names. */
function writeExamples(folder: string): readonly string[] {
  const first = languages.filter(({ starter }) => starter?.isDefault);
  const list = [...new Set([...first, ...languages])].flatMap(({ name: language, summary }) => {
    const present = existsSync(join(goldens, language)) ? readdirSync(join(goldens, language)) : [];
    const examplesOf = (names: readonly string[]) =>
      names.flatMap((name) => exampleIn(`${language}/${name}`, name.replaceAll("-", " "), summary));
    const chosen = examplesOf(exampleNames.filter((name) => present.includes(name)));
    return chosen.length > 0 ? chosen.slice(0, maxExamples) : examplesOf(present).slice(0, 1);
  });
  for (const { name, documents } of list) {
    const path = join(folder, "examples", `${name}.json`);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, JSON.stringify(documents));
  }
  const index = list.map(({ name, title, language }) => ({ name, title, language }));
  writeFileSync(join(folder, "examples/index.json"), JSON.stringify(index));
  return list.map(({ name }) => name);
}

/** A golden with a definition and scenarios, and without configuration and other files. */
function exampleIn(name: string, title: string, language: string) {
  const folder = join(goldens, name);
  const files = readdirSync(folder);
  const definition = files.find((file) => /^workflow\.(?:ya?ml|json)$/.test(file));
  if (definition === undefined || files.some((file) => /config|options|schemas/.test(file))) return [];
  const read = (path: string) => ({ path, text: readFileSync(join(folder, path), "utf8") });
  if (!files.includes("scenarios.yaml") || hasScripts(join(folder, "typescript"))) return [];
  return [{ name, title, language, documents: { definition: read(definition), scenarios: read("scenarios.yaml") } }];
}

/** Whether a golden has functions with code, whose runs the page does not show. */
const hasScripts = (folder: string): boolean =>
  existsSync(folder) && readdirSync(folder).some((name) => name.endsWith(".functions.js"));

/** The page is a package of its own, which `waybill playground` serves. */
function writePackage(folder: string, inputs: readonly string[]): void {
  const manifest: { readonly [name: string]: unknown } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  const { version, homepage, bugs, repository, license } = manifest;
  const description = {
    name: playgroundPackage,
    version,
    description: "The playground of Waybill: a static page with the compiler in it.",
    homepage,
    bugs,
    repository,
    license,
    exports: { "./package.json": "./package.json" },
  };
  writeFileSync(join(folder, "package.json"), `${JSON.stringify(description, undefined, 2)}\n`);
  writeFileSync(join(folder, "LICENSES.txt"), licensesOf(inputs));
  copyFileSync(join(root, "LICENSE"), join(folder, "LICENSE"));
  copyFileSync(join(root, "src/playground/README.md"), join(folder, "README.md"));
}

function licensesOf(inputs: readonly string[]): string {
  const folders = inputs.flatMap((path) => /^node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path)?.[0] ?? []);
  const texts = [...new Set(folders)].sort().map((path) => {
    const file = readdirSync(join(root, path)).find((name) => /^licen[cs]e/i.test(name));
    if (!file) throw new Error(`${path} is bundled but has no license file.`);
    return `${path.slice("node_modules/".length)}\n\n${readFileSync(join(root, path, file), "utf8").trim()}\n`;
  });
  return `The files in this folder contain code of these packages:\n\n${texts.join("\n\n")}`;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { folder, core, rest } = await buildSite(join(root, "dist/site"));
  console.log(`${folder}: ${core.length} files at first, ${rest.length} when they are used`);
}
