// Makes src/generated/openwhisk-runtime.js: the conductor and the helper actions of the openwhisk target, each bundled to one readable file of JavaScript that
// a Node action of OpenWhisk runs as it is. Run by `npm run generate`.

import { existsSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { format } from "prettier";
import { build } from "rolldown";

const root = fileURLToPath(new URL("../", import.meta.url));
const folder = join(root, "targets/openwhisk/runtime");

/** What the runtimes of Node actions have themselves, besides what Node has. */
const external = ["openwhisk"];

const made: [name: string, text: string][] = [];
for (const [name, file] of entries()) made.push([name, await bundled(file)]);

mkdirSync(join(root, "src/generated"), { recursive: true });
writeFileSync(join(root, "src/generated/openwhisk-runtime.js"), sharing(made));
writeFileSync(
  join(root, "src/generated/openwhisk-runtime.d.ts"),
  `/** The text of the conductor, which declares \`createConductor\`, and of each helper action, which exports \`main\`, by their names. */
export declare const openwhiskRuntime: { readonly [name: string]: string };
`,
);

/** The texts as a module that has each piece once, as most of the helper actions is the same in all. */
function sharing(texts: readonly (readonly [name: string, text: string])[]): string {
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

/** The conductor, and the helper actions by the names of their files. */
function entries(): readonly (readonly [name: string, file: string])[] {
  const actions = join(folder, "actions");
  const helpers = existsSync(actions) ? readdirSync(actions).filter((file) => /^rt-.+\.ts$/.test(file)) : [];
  return [
    ["conductor", join(folder, "conductor/index.ts")],
    ...helpers.sort().map((file) => [file.slice(0, -".ts".length), join(actions, file)] as const),
  ];
}

async function bundled(file: string): Promise<string> {
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
  if (others.length > 0) throw new Error(`${file} is bundled to more than one file.`);
  const text = chunk.code.replace(/^\/\/ ?#?(?:end)?(?:region|targets\/).*\n/gm, "");
  return format(text, { parser: "babel", printWidth: 120, objectWrap: "collapse" });
}
