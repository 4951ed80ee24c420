// Bundles the command and the library to dist/. Run by `npm run build`.

import { chmodSync, copyFileSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build, type InputOptions, type OutputOptions, type Plugin, type RolldownOutput } from "rolldown";
import { runtime } from "../src/generated/runtime.js";
import { packageVersions } from "../targets/typescript/bindings/print.ts";
import { runtimePackage } from "../targets/typescript/emit/runtime-imports.ts";
import { sharedRuntimeFiles } from "../targets/typescript/runtime-files.ts";
import { toAscii } from "./ascii.ts";
import { embeddedData, evaluatorExport, evaluatorFile } from "./embedded-data.ts";

const root = fileURLToPath(new URL("../", import.meta.url));
const dist = join(root, "dist");
const manifest: { [name: string]: unknown; dependencies: object; peerDependencies: object } = JSON.parse(
  readFileSync(join(root, "package.json"), "utf8"),
);
const external = [...Object.keys(manifest.dependencies), ...Object.keys(manifest.peerDependencies)];
const drivers = Object.fromEntries(packageVersions());

const input = {
  cwd: root,
  platform: "node",
  checks: { pluginTimings: false },
  external: external.map((name) => new RegExp(`^${name}(?:/|$)`)),
  // The modules for browsers support tree shaking.
  resolve: { alias: { yaml: join(root, "node_modules/yaml/browser/index.js") } },
} as const satisfies InputOptions;

/** Keeps names for stacks of internal errors. */
const output = {
  minify: { compress: true, mangle: { keepNames: true }, codegen: true },
  comments: false,
} as const satisfies OutputOptions;

rmSync(dist, { recursive: true, force: true });
const data = embeddedData();
const bundled = await bundle();
for (const file of bundled.output)
  if (file.type === "chunk") writeFileSync(join(dist, "command", file.fileName), toAscii(file.code));
data.write(join(dist, "command"));
writeFileSync(join(dist, "index.js"), libraryModule(bundled, "library"));
writeFileSync(join(dist, "ir.js"), libraryModule(bundled, "ir"));
for (const file of ["waybill.cjs", "compiled.cjs"]) copyFileSync(join(root, ".build", file), join(dist, file));
chmodSync(join(dist, "waybill.cjs"), 0o755);
// As it is: a bundled module would be evaluated by commands that do not need it.
copyFileSync(join(root, "node_modules/jsonata/jsonata.min.js"), join(dist, "command/jsonata.cjs"));
writeFileSync(join(dist, "command", evaluatorFile), `${runtime()["jsonata"]!.text}${evaluatorExport}`);
writeFileSync(join(dist, "LICENSES.txt"), collectLicenses(bundled));
writeRuntime(join(dist, "runtime"));

/** One build, so that entries share chunks; CommonJS, which Node.js loads faster. */
function bundle(): Promise<RolldownOutput> {
  const entries = {
    main: "src/cli/bin.ts",
    library: "src/index.ts",
    ir: "src/library/ir.ts",
    "computer-worker": "src/scenario/computer-worker.ts",
    "job-worker": "src/cli/job-worker.ts",
    "jq-worker": "src/cli/eval/jq-worker.ts",
  };
  const files = { format: "cjs", entryFileNames: "[name].cjs", chunkFileNames: "chunk-[hash].cjs" } as const;
  return build({
    ...input,
    input: entries,
    plugins: [lazyChildProcess(), data.plugin],
    output: { ...output, ...files, dir: join(dist, "command") },
  });
}

/** `export const { check, compile } = library;` */
function libraryModule({ output }: RolldownOutput, name: "library" | "ir"): string {
  const library = output.find((file) => file.type === "chunk" && file.name === name && file.isEntry);
  const names = library?.type === "chunk" ? library.exports.toSorted() : [];
  return `import library from "./command/${name}.cjs";\nexport const { ${names.join(", ")} } = library;\n`;
}

/** Loads child_process lazily, saving 5 ms: commander needs it only for executable subcommands. */
function lazyChildProcess(): Plugin {
  const module = "\0child_process";
  const text = `export default { spawn: (...given) => process.getBuiltinModule("node:child_process").spawn(...given) };`;
  return {
    name: "lazy child_process",
    resolveId: (id, importer) => (id === "node:child_process" && importer?.includes("/commander/") ? module : null),
    load: (id) => (id === module ? text : null),
  };
}

/** Writes the runtime of emitted programs as a package. */
function writeRuntime(folder: string): void {
  const { version, homepage, bugs, repository, license, engines } = manifest;
  const peers = { ...drivers, "@opentelemetry/api": "^1.9.0" };
  const optional = Object.fromEntries(Object.keys(peers).map((name) => [name, { optional: true }]));
  const description = {
    name: runtimePackage,
    version,
    description: "The runtime of programs that Waybill generates from workflow definitions.",
    homepage,
    bugs,
    repository,
    license,
    type: "module",
    engines,
    exports: {
      ".": { types: "./runtime.d.ts", default: "./runtime.js" },
      // For the modules of hosts.
      "./internal": "./runtime.internal.js",
      "./package.json": "./package.json",
    },
    peerDependencies: peers,
    peerDependenciesMeta: optional,
    sideEffects: false,
  };
  mkdirSync(folder);
  writeFileSync(join(folder, "package.json"), `${JSON.stringify(description, undefined, 2)}\n`);
  for (const { path, text } of sharedRuntimeFiles()) writeFileSync(join(folder, path), text);
  copyFileSync(join(root, "LICENSE"), join(folder, "LICENSE"));
  copyFileSync(join(root, "targets/typescript/runtime/README.md"), join(folder, "README.md"));
}

function collectLicenses({ output }: RolldownOutput): string {
  const modules = output.flatMap((file) => (file.type === "chunk" ? Object.keys(file.modules) : []));
  const folders = modules.flatMap((path) => /\bnode_modules\/(?:@[^/]+\/)?[^/]+/.exec(path)?.[0] ?? []);
  const texts = [...new Set([...folders, "node_modules/jsonata"])].sort().map((folder) => {
    const file = readdirSync(join(root, folder)).find((name) => /^licen[cs]e/i.test(name));
    if (!file) throw new Error(`${folder} is bundled but has no license file.`);
    return `${folder.slice("node_modules/".length)}\n\n${readFileSync(join(root, folder, file), "utf8").trim()}\n`;
  });
  return `The files in this folder contain code of these packages:\n\n${texts.join("\n\n")}`;
}
