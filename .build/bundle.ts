// Makes dist/: the command and the library as bundled JavaScript with source maps, and the licences of what is bundled. Run by `npm run build`.

import { chmodSync, copyFileSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build, type Metafile } from "esbuild";

const root = fileURLToPath(new URL("../", import.meta.url));
const dist = join(root, "dist");
const { dependencies }: { dependencies: { [name: string]: string } } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));

rmSync(dist, { recursive: true, force: true });
const { metafile } = await build({
  absWorkingDir: root,
  entryPoints: { cli: "src/cli/bin.ts", index: "src/index.ts", "jq-worker": "src/scenario/jq-worker.ts" },
  outdir: dist,
  chunkNames: "chunk-[hash]",
  bundle: true,
  splitting: true,
  format: "esm",
  platform: "node",
  target: "node22.18",
  external: Object.keys(dependencies),
  alias: { yaml: "./node_modules/yaml/browser/index.js" },
  sourcemap: "linked",
  sourcesContent: false,
  minifySyntax: true,
  minifyWhitespace: true,
  legalComments: "none",
  metafile: true,
});
writeFileSync(join(dist, "LICENSES.txt"), licences(metafile));
copyFileSync(join(root, ".build/waybill.cjs"), join(dist, "waybill.cjs"));
chmodSync(join(dist, "waybill.cjs"), 0o755);

/** The licences of the packages whose code is in the bundle. */
function licences({ inputs }: Metafile): string {
  const found = Object.keys(inputs).flatMap((path) => /^node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path)?.[0] ?? []);
  const texts = [...new Set(found)].sort().map((folder) => {
    const file = readdirSync(join(root, folder)).find((name) => /^licen[cs]e/i.test(name));
    if (!file) throw new Error(`${folder} is bundled and has no file with its licence.`);
    return `${folder.slice("node_modules/".length)}\n\n${readFileSync(join(root, folder, file), "utf8").trim()}\n`;
  });
  return `The files in this folder contain code of these packages:\n\n${texts.join("\n\n")}`;
}
