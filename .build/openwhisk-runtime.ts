// Generates src/generated/openwhisk-runtime.js, the bundled conductor and helper actions. Run by `npm run generate`.

import { existsSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { format } from "prettier";
import { build } from "rolldown";

const root = fileURLToPath(new URL("../", import.meta.url));
const folder = join(root, "targets/openwhisk/runtime");

/** Packages that the runtime images include. */
const external = ["openwhisk"];

const bundles: [name: string, text: string][] = [];
for (const [name, file] of entries()) bundles.push([name, await bundleAction(file)]);

mkdirSync(join(root, "src/generated"), { recursive: true });
writeFileSync(join(root, "src/generated/openwhisk-runtime.js"), printSharedModule(bundles));
writeFileSync(
  join(root, "src/generated/openwhisk-runtime.d.ts"),
  `/** The source text of the conductor, which declares \`createConductor\`, and of helper actions, which export \`main\`, by name. */
export declare const openwhiskRuntime: { readonly [name: string]: string };
`,
);

/** Stores shared parts once, because helper actions have most code in common. */
function printSharedModule(texts: readonly (readonly [name: string, text: string])[]): string {
  const pieces = new Map<string, number>();
  const files = texts.map(([name, text]) => {
    const parts = text.split(/(?<=\n)(?=\S)/);
    for (const part of parts) if (!pieces.has(part)) pieces.set(part, pieces.size);
    return [name, parts.map((part) => pieces.get(part)!)] as const;
  });
  return [
    `const pieces = ${JSON.stringify([...pieces.keys()], undefined, 1)};`,
    `const files = ${JSON.stringify(Object.fromEntries(files))};`,
    'const textOf = (parts) => parts.map((part) => pieces[part]).join("");',
    "export const openwhiskRuntime = Object.fromEntries(Object.entries(files).map(([name, parts]) => [name, textOf(parts)]));",
    "",
  ].join("\n");
}

function entries(): readonly (readonly [name: string, file: string])[] {
  const actions = join(folder, "actions");
  const helpers = existsSync(actions) ? readdirSync(actions).filter((file) => /^rt-.+\.ts$/.test(file)) : [];
  return [
    ["conductor", join(folder, "conductor/index.ts")],
    ...helpers.sort().map((file) => [file.slice(0, -".ts".length), join(actions, file)] as const),
  ];
}

async function bundleAction(file: string): Promise<string> {
  const { output } = await build({
    cwd: root,
    input: file,
    platform: "node",
    external,
    transform: { target: "node20" },
    write: false,
    output: { format: "cjs", esModule: false, generatedCode: { symbols: false }, comments: true },
  });
  const [chunk, ...others] = output;
  if (others.length > 0) throw new Error(`${file} was bundled to several files.`);
  const text = chunk.code.replace(/^\/\/ ?#?(?:end)?(?:region|targets\/).*\n/gm, "");
  return format(text, { parser: "babel", printWidth: 120, objectWrap: "collapse" });
}
