// Makes src/generated/typescript-runtime.js: the module `runtime.js` that emitted programs import, and its declarations. It is all of
// targets/typescript/runtime and what compiled expressions call, as one module in which names and comments stay. Run by `npm run generate`.

import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build, type Plugin } from "rolldown";
import { expressionModules } from "../src/generated/expression-modules.js";
import { runtime } from "../src/generated/runtime.js";
import { helperType, helperAlias } from "../targets/typescript/emit/runtime-imports.ts";
import { dataModule } from "./data-module.ts";
import { flattened } from "./declarations.ts";

const root = fileURLToPath(new URL("../", import.meta.url));
const generated = join(root, "src/generated");
/** The functions that expressions call, as programs know them. */
const expressions = "src/generated/typescript-expressions.ts";
/** All else that programs import. */
const face = "targets/typescript/runtime/face.ts";
/** The runtime's module for JSON values, whose types allow undefined members, replaces that of the compiler. */
const json = { from: "src/json", to: "targets/typescript/runtime/json" };

const { version }: { readonly version: string } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));

mkdirSync(generated, { recursive: true });
writeFileSync(join(root, expressions), expressionsText());
const [script, types, dbos] = [await scriptText(), typesText(), await hostText("dbos")];
const [restate, lambda] = [await hostText("restate"), await hostText("lambda")];
const hosts = { dbosScript: dbos, restateScript: restate, lambdaScript: lambda };
const texts = { runtimeScript: script, runtimeTypes: types, ...hosts, runtime };
writeFileSync(
  join(generated, "typescript-runtime.js"),
  `${dataModule(Object.keys(texts), texts)}
export const runtimeVersion = ${JSON.stringify(version)};
`,
);
// The texts of these functions are in the module too: compressed together with it they take half.
writeFileSync(join(generated, "runtime.js"), 'export { runtime } from "./typescript-runtime.js";\n');
writeFileSync(
  join(generated, "typescript-runtime.d.ts"),
  `/** The module that emitted programs have as \`runtime.js\`. */
export declare const runtimeScript: string;

/** The declarations of what it exports. */
export declare const runtimeTypes: string;

/** The module \`dbos.js\` of programs whose host that is. */
export declare const dbosScript: string;

/** The module \`restate.js\` of programs whose host that is. */
export declare const restateScript: string;

/** The module \`lambda.js\` of programs whose host that is. */
export declare const lambdaScript: string;

/** The version of the package that is the same. */
export declare const runtimeVersion: string;
`,
);

/**
 * `export { named as memberOf } from "../expressions/library/access.ts";`, and those with a type of their own where that says more to programs:
 * `export const merge: <T extends Json>(target: T, value: Json) => T = mergeJson_ as never;`
 */
function expressionsText(): string {
  const typed: string[] = [];
  const lines = Object.entries(expressionModules).flatMap(([path, names]) => {
    const from = `from "../${path}";`;
    const plain = names.filter((name) => helperType(name) === undefined).map(renamed);
    const own = names.filter((name) => helperType(name) !== undefined);
    typed.push(...own);
    return [
      ...(plain.length === 0 ? [] : [`export { ${plain.join(", ")} } ${from}`]),
      ...(own.length === 0 ? [] : [`import { ${own.map((name) => `${name} as ${name}_`).join(", ")} } ${from}`]),
    ];
  });
  const constants = typed.map((name) => `export const ${helperAlias(name)}: ${helperType(name)} = ${name}_ as never;`);
  return `${['import type { Json } from "../json.ts";', ...lines, ...constants].join("\n")}\n`;
}

function renamed(name: string): string {
  return helperAlias(name) === name ? name : `${name} as ${helperAlias(name)}`;
}

async function scriptText(): Promise<string> {
  const { output } = await build({
    cwd: root,
    platform: "node",
    input: "runtime",
    external: /^(?:node:|@?[a-z][^:]*$)/,
    plugins: [entry()],
    onLog(_, { message }) {
      throw new Error(message);
    },
    write: false,
    output: { format: "esm", comments: true, codeSplitting: false },
  });
  const [{ code }] = output;
  return code.replaceAll(/^\/\/#(?:end)?region.*\n/gm, "");
}

/** The module of a host, which has all that is not its own from the runtime beside it; without comments, as the package carries it. */
async function hostText(host: string): Promise<string> {
  const { output } = await build({
    cwd: root,
    platform: "node",
    input: join(root, `targets/typescript/runtime/hosts/${host}/index.ts`),
    external: /^(?:node:|@?[a-z][^:]*$)/,
    plugins: [
      {
        name: "runtime",
        resolveId: (id) => (id.endsWith("/face.ts") ? { id: "./runtime.js", external: true } : undefined),
      },
    ],
    write: false,
    output: { format: "esm", comments: false, codeSplitting: false },
  });
  return output[0].code.replaceAll(/^\/\/(?: targets\/|#(?:end)?region).*\n/gm, "");
}

function entry(): Plugin {
  const text = `export * from "./${face}";\nexport * from "./${expressions}";\n`;
  return {
    name: "entry",
    async resolveId(id, importer, options) {
      if (id === "runtime") return "\0runtime";
      if (importer === "\0runtime") return join(root, id);
      const found = await this.resolve(id, importer, { ...options, skipSelf: true });
      const replacement = join(root, `${json.to}.ts`);
      return found?.id === join(root, `${json.from}.ts`) && importer !== replacement ? replacement : found;
    },
    load: (id) => (id === "\0runtime" ? text : null),
  };
}

function typesText(): string {
  const folder = mkdtempSync(join(tmpdir(), "waybill-declarations-"));
  try {
    const options = { noEmit: false, declaration: true, emitDeclarationOnly: true, outDir: folder, rootDir: root };
    const config = {
      extends: join(root, "tsconfig.json"),
      compilerOptions: { ...options, typeRoots: [join(root, "node_modules/@types")] },
      files: [join(root, face), join(root, expressions)],
      include: [],
    };
    writeFileSync(join(folder, "tsconfig.json"), JSON.stringify(config));
    const compiler = join(root, "node_modules/typescript/bin/tsc");
    execFileSync(process.execPath, [compiler, "-p", folder], { stdio: ["ignore", 2, 2] });
    const at = (path: string): string =>
      path === join(folder, `${json.from}.d.ts`) ? join(folder, `${json.to}.d.ts`) : path;
    const entries = [face, expressions].map((path) => join(folder, path.replace(/\.ts$/, ".d.ts")));
    for (const path of entries) if (!existsSync(path)) throw new Error(`${dirname(path)} has no declarations.`);
    return flattened(entries, at);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
