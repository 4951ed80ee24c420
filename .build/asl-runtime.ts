// Makes src/generated/asl-runtime.js: what the functions of workflows that receive events have in common, bundled to one readable module that the Node.js
// runtime of AWS Lambda runs as it is. Run by `npm run generate`.

import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { format } from "prettier";
import { build } from "rolldown";

const root = fileURLToPath(new URL("../", import.meta.url));
const { output } = await build({
  cwd: root,
  input: join(root, "targets/asl/runtime/index.ts"),
  platform: "node",
  transform: { target: "node22" },
  write: false,
  output: { format: "esm", generatedCode: { symbols: false }, comments: true },
});
const [chunk, ...others] = output;
if (others.length > 0) throw new Error("The runtime of the asl target is bundled to more than one file.");
const text = await format(chunk.code.replace(/^\/\/ ?#?(?:end)?(?:region|src\/|targets\/).*\n/gm, ""), {
  parser: "babel",
  printWidth: 100,
});

mkdirSync(join(root, "src/generated"), { recursive: true });
writeFileSync(join(root, "src/generated/asl-runtime.js"), `export const receivingRuntime = ${JSON.stringify(text)};\n`);
writeFileSync(
  join(root, "src/generated/asl-runtime.d.ts"),
  `/** The text of the module that exports \`createHandlers\`. */
export declare const receivingRuntime: string;
`,
);
