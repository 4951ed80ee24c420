// Generates src/generated/openwhisk-runtime.js, the bundled conductor and helper actions. Run by `npm run generate`.

import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "rolldown";
import { dataModule } from "./data-module.ts";

const root = fileURLToPath(new URL("../", import.meta.url));
const folder = "targets/openwhisk/runtime";

/** By name; each program needs one of the helper actions. */
const bundles: { readonly [name: string]: string } = {
  conductor: await bundle(`${folder}/conductor/index.ts`),
  calls: await bundle(`${folder}/actions/entry-calls.ts`),
  runs: await bundle(`${folder}/actions/entry-runs.ts`),
  events: await bundle(`${folder}/actions/entry-events.ts`),
};

mkdirSync(join(root, "src/generated"), { recursive: true });
writeFileSync(join(root, "src/generated/openwhisk-runtime.js"), dataModule({ openwhiskRuntime: bundles }));
writeFileSync(
  join(root, "src/generated/openwhisk-runtime.d.ts"),
  `/** The minified text of the conductor, which exports \`createConductor\`, and of helper actions, which export \`main\`, by name. */
export declare const openwhiskRuntime: () => { readonly [name: string]: string };
`,
);

/** Minifies, because each program contains it; names of errors and messages stay. */
async function bundle(file: string): Promise<string> {
  const { output } = await build({
    cwd: root,
    input: file,
    platform: "node",
    // A package that the runtime images include.
    external: ["openwhisk"],
    transform: { target: "node20" },
    write: false,
    output: { format: "cjs", esModule: false, generatedCode: { symbols: false }, comments: false, minify: true },
  });
  const [chunk, ...others] = output;
  if (others.length > 0) throw new Error(`${file} was bundled to several files.`);
  return `${chunk.code.trimEnd()}\n`;
}
