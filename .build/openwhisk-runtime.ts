// Generates src/generated/openwhisk-runtime.js, the bundled conductor and helper actions. Run by `npm run generate`.

import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type BuildOptions, build } from "esbuild";

const root = fileURLToPath(new URL("../", import.meta.url));
const folder = "targets/openwhisk/runtime";

/** By name; each program needs one of the helper actions. */
const bundles: { readonly [name: string]: string } = {
  conductor: await bundle(`${folder}/conductor/index.ts`, { format: "iife", globalName: "conductor" }),
  calls: await bundle(`${folder}/actions/entry-calls.ts`),
  runs: await bundle(`${folder}/actions/entry-runs.ts`),
  events: await bundle(`${folder}/actions/entry-events.ts`),
};

mkdirSync(join(root, "src/generated"), { recursive: true });
writeFileSync(
  join(root, "src/generated/openwhisk-runtime.js"),
  `export const openwhiskRuntime = ${JSON.stringify(bundles, undefined, 1)};\n`,
);
writeFileSync(
  join(root, "src/generated/openwhisk-runtime.d.ts"),
  `/** The minified text of the conductor, which declares \`conductor\`, and of helper actions, which export \`main\`, by name. */
export declare const openwhiskRuntime: { readonly [name: string]: string };
`,
);

/** Minifies, because each program contains it; names of errors and messages stay. */
async function bundle(file: string, options: BuildOptions = { format: "cjs" }): Promise<string> {
  const { outputFiles } = await build({
    absWorkingDir: root,
    entryPoints: [file],
    bundle: true,
    minify: true,
    lineLimit: 120,
    platform: "node",
    target: "node20",
    // A package that the runtime images include.
    external: ["openwhisk"],
    legalComments: "none",
    charset: "utf8",
    write: false,
    ...options,
  });
  return outputFiles![0]!.text;
}
