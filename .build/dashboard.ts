// Generates src/generated/dashboard.js, the files of the page that `serve` responds with. Run by `npm run generate`.

import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { transform } from "esbuild";
import { build, type Plugin } from "rolldown";
import { dataModule } from "./data-module.ts";

const root = fileURLToPath(new URL("../", import.meta.url));
const folder = join(root, "targets/typescript/runtime/dashboard");
const generated = join(root, "src/generated");
/** The maximum size of the page without the script that draws pictures, in bytes. */
const maxSize = 60_000;

/** The script that draws pictures is loaded by the other one when it is needed. */
const loadedLater: Plugin = {
  name: "picture",
  resolveId: (id, importer) =>
    importer !== undefined && id === "./picture.ts" ? { id: "./picture.js", external: true } : undefined,
};

const html = readFileSync(join(folder, "index.html"), "utf8").replaceAll(/>\s+</g, "><").trim();
const style = [join(root, "src/page/base.css"), join(folder, "style.css")].map((path) => readFileSync(path, "utf8"));
const { code: css } = await transform(style.join("\n"), { loader: "css", minify: true });
const [script, picture] = [await bundle("main.ts"), await bundle("picture.ts")];
const size = [html, css, script].reduce((sum, text) => sum + Buffer.byteLength(text), 0);
if (size > maxSize) throw new Error(`The dashboard has ${size} bytes, more than ${maxSize}.`);
const dashboardFiles = { "index.html": html, "dashboard.css": css, "dashboard.js": script, "picture.js": picture };
writeFileSync(join(generated, "dashboard.js"), dataModule({ dashboardFiles }));
writeFileSync(
  join(generated, "dashboard.d.ts"),
  `/** The files of the dashboard by name. */
export declare const dashboardFiles: () => { readonly [name: string]: string };
`,
);

/** Bundles a script. */
async function bundle(entry: string): Promise<string> {
  const { output } = await build({
    cwd: root,
    platform: "browser",
    input: join(folder, entry),
    plugins: [loadedLater],
    onLog(_, { message }) {
      throw new Error(message);
    },
    write: false,
    output: { format: "esm", minify: true, comments: false, codeSplitting: false },
  });
  const [{ code, modules }] = output;
  return `${licensesOf(Object.keys(modules))}${code}`;
}

/** The licenses of the packages that a script contains: emitted programs distribute them. */
function licensesOf(modules: readonly string[]): string {
  const paths = modules.map((path) => path.replaceAll("\\", "/"));
  const folders = new Set(paths.flatMap((path) => /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path)?.[0] ?? []));
  return [...folders]
    .map(
      (path) =>
        `/*! ${path.slice(path.indexOf("node_modules/") + 13)}\n${readFileSync(join(path, "LICENSE"), "utf8")}*/\n`,
    )
    .join("");
}
