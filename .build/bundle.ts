// Makes dist/: the command and the library as bundled JavaScript with source maps, and the licences of what is bundled. Run by `npm run build`.

import { chmodSync, copyFileSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { type BuildOptions, build, type Metafile, transform } from "esbuild";

const root = fileURLToPath(new URL("../", import.meta.url));
const dist = join(root, "dist");
const {
  dependencies,
  peerDependencies,
}: { dependencies: { [name: string]: string }; peerDependencies: { [name: string]: string } } = JSON.parse(
  readFileSync(join(root, "package.json"), "utf8"),
);

const common = {
  absWorkingDir: root,
  bundle: true,
  splitting: true,
  format: "esm",
  platform: "node",
  target: "node22.18",
  external: [...Object.keys(dependencies), ...Object.keys(peerDependencies)],
  // The package's modules for browsers are the same code in a form that can be bundled in part.
  alias: { yaml: "./node_modules/yaml/browser/index.js" },
  chunkNames: "chunk-[hash]",
  minifySyntax: true,
  minifyWhitespace: true,
  legalComments: "none",
  metafile: true,
} as const satisfies BuildOptions;

rmSync(dist, { recursive: true, force: true });
const metafiles = [await bundleLibrary(), await bundleCommand(join(dist, "command"))];
copyFileSync(join(root, ".build/waybill.cjs"), join(dist, "waybill.cjs"));
chmodSync(join(dist, "waybill.cjs"), 0o755);
writeFileSync(join(dist, "LICENSES.txt"), licences(metafiles));

/** The library, and the threads that the command starts: for what functions compute, and for jq itself. */
async function bundleLibrary(): Promise<Metafile> {
  const entryPoints = {
    index: "src/index.ts",
    "command/computer-worker": "src/scenario/computer-worker.ts",
    "command/jq-worker": "src/cli/eval/jq-worker.ts",
  };
  return (await build({ ...common, entryPoints, outdir: dist, sourcemap: "linked" })).metafile;
}

/** The command, as CommonJS modules: Node loads them faster. esbuild splits only ES modules, so they are converted one by one. */
async function bundleCommand(folder: string): Promise<Metafile> {
  const { outputFiles, metafile } = await build({
    ...common,
    entryPoints: { main: "src/cli/bin.ts" },
    outdir: folder,
    outExtension: { ".js": ".cjs" },
    sourcemap: "inline",
    write: false,
  });
  mkdirSync(folder, { recursive: true });
  for (const { path, text } of outputFiles) {
    const { code, map } = await asCommonJs(text, basename(path));
    writeFileSync(path, `${code}//# sourceMappingURL=${basename(path)}.map\n`);
    writeFileSync(`${path}.map`, map);
  }
  return metafile;
}

function asCommonJs(text: string, name: string): Promise<{ code: string; map: string }> {
  const needsUrl = /\bimport\.meta\.url\b/.test(text);
  return transform(text, {
    format: "cjs",
    platform: "node",
    target: common.target,
    supported: { "dynamic-import": false },
    define: { "import.meta.url": "moduleUrl" },
    banner: needsUrl ? 'var moduleUrl = require("node:url").pathToFileURL(__filename).href;' : "",
    minifySyntax: true,
    minifyWhitespace: true,
    sourcefile: name,
    sourcemap: "external",
  });
}

/** The licences of the packages whose code is in the bundles. */
function licences(metafiles: readonly Metafile[]): string {
  const inputs = metafiles.flatMap((metafile) => Object.keys(metafile.inputs));
  const folders = inputs.flatMap((path) => /^node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path)?.[0] ?? []);
  const texts = [...new Set(folders)].sort().map((folder) => {
    const file = readdirSync(join(root, folder)).find((name) => /^licen[cs]e/i.test(name));
    if (!file) throw new Error(`${folder} is bundled and has no file with its licence.`);
    return `${folder.slice("node_modules/".length)}\n\n${readFileSync(join(root, folder, file), "utf8").trim()}\n`;
  });
  return `The files in this folder contain code of these packages:\n\n${texts.join("\n\n")}`;
}
