// Makes src/generated/runtime.js: the functions that compiled expressions call, as JavaScript of 2019, each with the names that it needs. Run by
// `npm run generate`.

import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { transform } from "esbuild";

interface Declaration {
  readonly name: string;
  readonly text: string;
  readonly exported: boolean;
}

interface Module {
  readonly declarations: ReadonlyMap<string, Declaration>;
  /** Where the names come from that it imports: a file, and the name there. */
  readonly imports: ReadonlyMap<string, readonly [file: string, name: string]>;
}

const root = new URL("../", import.meta.url);
const expressions = "src/expressions/";
/** Lists of functions, and what describes them: nothing that runs in a compiled expression. */
const skipped = new Set(["registry.ts", "registration.ts", "mathematics.ts", "builtins.ts"]);
const folders = ["library/", "builtins/dialect/", "javascript/runtime/"];
const others = ["builtins/builtins.ts"];

const modules = new Map<string, Module>();
const table = new Map<string, { readonly file: string; readonly text: string; readonly needs: readonly string[] }>();

const files = folders.flatMap((folder) =>
  readdirSync(new URL(expressions + folder, root)).map((file) => `${expressions}${folder}${file}`),
);
for (const file of [...files].sort()) if (!skipped.has(file.slice(file.lastIndexOf("/") + 1))) await addExported(file);
for (const file of others) await add(expressions + file, "text");

mkdirSync(new URL("src/generated/", root), { recursive: true });
const entries = [...table]
  .sort(([a], [b]) => (a < b ? -1 : 1))
  .map(([name, { text, needs }]) => [name, { text, needs }]);
writeFileSync(
  new URL("src/generated/runtime.js", root),
  `export const runtime = ${JSON.stringify(Object.fromEntries(entries), undefined, 1)};\n`,
);
writeFileSync(
  new URL("src/generated/runtime.d.ts", root),
  `/** The functions that compiled expressions call, by name: their text, and the names of those that it needs. */
export declare const runtime: { readonly [name: string]: { readonly text: string; readonly needs: readonly string[] } };
`,
);

async function addExported(file: string): Promise<void> {
  for (const { name, exported } of (await moduleOf(file)).declarations.values()) if (exported) await add(file, name);
}

/** Takes a declaration into the table, with all that it needs. Names are the same in the whole of a compiled program. */
async function add(file: string, name: string): Promise<string> {
  const { declarations, imports } = await moduleOf(file);
  const declaration = declarations.get(name);
  if (!declaration) {
    const from = imports.get(name);
    if (!from) throw new Error(`${file} has no declaration of ${name}.`);
    return add(...from);
  }
  const known = table.get(name);
  if (known) {
    if (known.file !== file)
      throw new Error(`Both ${known.file} and ${file} declare ${name}: compiled expressions need different names.`);
    return name;
  }
  if (/^(?:[a-z]\d+|\$.*)$/.test(name))
    throw new Error(`${file}: ${name} is a name that compiled expressions have for variables.`);
  const needs: string[] = [];
  table.set(name, { file, text: declaration.text, needs });
  for (const other of [...declarations.keys(), ...imports.keys()]) {
    if (other === name || !mentions(declaration.text, other)) continue;
    const needed = declarations.has(other) ? await add(file, other) : await add(...imports.get(other)!);
    if (needed !== other) throw new Error(`${file} imports ${needed} under another name.`);
    needs.push(needed);
  }
  return name;
}

/** Whether a text has a name that is no member of something, no key and no part of another word. */
function mentions(text: string, name: string): boolean {
  return new RegExp(`(?<![.\\w$])${name.replaceAll("$", "\\$")}(?![\\w$]|: )|\\? ${name} :|\\.\\.\\.${name}\\b`).test(
    text,
  );
}

async function moduleOf(file: string): Promise<Module> {
  const known = modules.get(file);
  if (known) return known;
  const source = readFileSync(new URL(file, root), "utf8");
  const { code } = await transform(source, {
    loader: "ts",
    format: "esm",
    target: "es2019",
    charset: "ascii",
    legalComments: "none",
    define: { "Object.hasOwn": "Object.prototype.hasOwnProperty.call" },
  });
  const module = readModule(file, withOwnNames(file, code));
  modules.set(file, module);
  return module;
}

/** The text of a module in which declarations that it keeps to itself have other names than those of other modules. */
function withOwnNames(file: string, code: string): string {
  const { declarations } = readModule(file, code);
  let result = code;
  for (const { name, exported } of declarations.values()) {
    const taken = [...modules.values()].some((other) => other.declarations.has(name));
    if (!taken || exported) continue;
    if (new RegExp(`[{,]\\s*${name}\\s*[,}]`).test(code))
      throw new Error(`${file}: ${name} cannot be renamed, as it is a member of an object too.`);
    const own = `${name}Of${file.replace(/^.*\/|\.ts$/g, "").replace(/(?:^|-)(\w)/g, (_, letter: string) => letter.toUpperCase())}`;
    result = result.replace(new RegExp(`(?<![.\\w$])${name}(?![\\w$]|: )`, "g"), own);
  }
  return result;
}

/** esbuild writes each statement of a module from the beginning of a line on, and what belongs to it indented or closing it. */
function readModule(file: string, code: string): Module {
  const statements = code.split(/\n(?=[^\s})\]`])/);
  const declarations = new Map<string, Declaration>();
  const imports = new Map<string, readonly [string, string]>();
  const exported = new Set<string>();
  for (const statement of statements) {
    const name = /^(?:function\*?|class|const) (\w+)/.exec(statement)?.[1];
    if (name !== undefined) declarations.set(name, { name, text: statement.trimEnd(), exported: false });
    const from = /^(?:import|export) \{([\s\S]*?)\} from "(\..*?)";/.exec(statement);
    if (from)
      for (const other of namesIn(from[1]!))
        imports.set(other, [new URL(from[2]!, new URL(file, root)).href.slice(root.href.length), other]);
    else for (const other of namesIn(/^export \{([\s\S]*?)\};/.exec(statement)?.[1] ?? "")) exported.add(other);
  }
  for (const name of declarations.keys()) imports.delete(name);
  return {
    declarations: new Map(
      [...declarations].map(([name, declaration]) => [name, { ...declaration, exported: exported.has(name) }]),
    ),
    imports,
  };
}

function namesIn(list: string): readonly string[] {
  const names = list.split(",").map((name) => name.trim());
  return names.filter((name) => name !== "" && !name.includes(" as "));
}
