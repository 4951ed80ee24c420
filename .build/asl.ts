// Generates src/generated/asl-runtime.js, the bundled event handlers and the resolver of secrets, and asl-helpers.js, the
// helpers of JSONata expressions. Run by `npm run generate`.

import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { format } from "prettier";
import { build } from "rolldown";
import { helperTable } from "../targets/asl/jsonata/helpers/table.ts";
import { dataModule } from "./data-module.ts";

const root = fileURLToPath(new URL("../", import.meta.url));
const text = await bundleRuntime("handlers");
const secrets = await bundleRuntime("secrets-module");

const generated = join(root, "src/generated");
mkdirSync(generated, { recursive: true });
writeFileSync(join(generated, "asl-runtime.js"), dataModule({ receivingRuntime: text, secretsRuntime: secrets }));
writeFileSync(
  join(generated, "asl-runtime.d.ts"),
  `/** The source text of the module that exports \`createHandlers\`. */
export declare const receivingRuntime: () => string;
/** The source text of the module that exports \`createResolver\`. */
export declare const secretsRuntime: () => string;
`,
);
writeFileSync(
  join(generated, "asl-helpers.js"),
  `export const helpers = ${JSON.stringify(helperTable(), undefined, 1)};\n`,
);
writeFileSync(
  join(generated, "asl-helpers.d.ts"),
  `import type { Helper } from "../../targets/asl/jsonata/helpers/table.ts";

/** The functions that expressions may define, by name. */
export declare const helpers: { readonly [name: string]: Helper };
`,
);

async function bundleRuntime(name: string): Promise<string> {
  const { output } = await build({
    cwd: root,
    input: join(root, `targets/asl/runtime/${name}.ts`),
    external: [/^@aws-sdk\//],
    platform: "node",
    transform: { target: "node22" },
    write: false,
    output: { format: "esm", generatedCode: { symbols: false }, comments: true },
  });
  const [chunk, ...others] = output;
  if (others.length > 0) throw new Error("A runtime module of the asl target was bundled to several files.");
  return format(chunk.code.replace(/^\/\/ ?#?(?:end)?(?:region|src\/|targets\/).*\n/gm, ""), {
    parser: "babel",
    printWidth: 100,
  });
}
