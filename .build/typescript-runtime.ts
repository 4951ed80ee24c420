// Generates src/generated/typescript-runtime.js, the bundled modules of emitted programs with the declarations of
// `runtime.js`, and src/generated/typescript-hosts.ts, the list of hosts. Run by `npm run generate`.

import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build, type Plugin } from "rolldown";
import { expressionModules } from "../src/generated/expression-modules.js";
import { runtime } from "../src/generated/runtime.js";
import { helperAlias, helperType } from "../targets/typescript/emit/runtime-imports.ts";
import { dataModule } from "./data-module.ts";
import { flattenDeclarations } from "./declarations.ts";
import { hostFolders } from "./hosts.ts";

const root = fileURLToPath(new URL("../", import.meta.url));
const generated = join(root, "src/generated");
const expressions = "src/generated/typescript-expressions.ts";
const publicModule = "targets/typescript/runtime/face.ts";
/** The functions of JSONata that programs import from `query.js`. */
const queryFunctions = "src/expressions/jsonata-functions/index.ts";
/** What hosts use in addition. */
const internalModule = "targets/typescript/runtime/internal.ts";
/** Emitted programs allow undefined members of JSON values. */
const jsonReplacement = { from: "src/json", to: "targets/typescript/runtime/json" };

const { version }: { readonly version: string } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));

mkdirSync(generated, { recursive: true });
writeFileSync(join(root, expressions), printExpressionModule());
/** The hosts with a module of their own are those with a folder in `runtime/hosts`. */
const allHosts = hostFolders("typescript");
const moduleHosts = allHosts.filter((host) => existsSync(join(root, hostModule(host))));

const [publicNames, internalNames] = [await exportsOf(publicModule, expressions), await exportsOf(internalModule)];
const exportsByModule = await Promise.all(
  [publicModule, expressions, internalModule].map(async (path) => [path, [...(await exportsOf(path)).keys()]] as const),
);
const [script, types] = [await bundleRuntime(), declareModules()];
const bundled = await Promise.all(moduleHosts.map(async (host) => [`${host}Script`, await bundleHost(host)] as const));
/** The runtime of programs on Lambda, which have neither a command line nor a server nor a store of their own. */
const lambda = await bundleRuntime({
  isPublic: (name) => !["main", "openEngine", "runInMemory", "StoreError"].includes(name),
  internal: importedBy(Object.fromEntries(bundled)["lambdaScript"]!),
});
const lambdaParts = {
  lambdaRuntimeCode: lambda.runtimeCode,
  lambdaPublicExports: lambda.publicExports,
  lambdaAllExports: lambda.allExports,
};
const [queryScript, jsonataHelper] = [await bundleQuery(), await bundleJsonata()];
const texts = {
  ...script,
  ...lambdaParts,
  runtimeTypes: types.runtime,
  ...Object.fromEntries(bundled),
  queryScript,
  queryTypes: types.query,
  jsonataHelper,
  runtime: runtime(),
};
writeFileSync(
  join(generated, "typescript-runtime.js"),
  `${dataModule(texts)}
export const runtimeVersion = ${JSON.stringify(version)};
`,
);
// Compressing both together halves the size.
writeFileSync(join(generated, "runtime.js"), 'export { runtime } from "./typescript-runtime.js";\n');
const hostDeclarations = moduleHosts.map(
  (host) => `/** The module \`${host}.js\` of programs on a host. */
export declare const ${host}Script: () => string;

`,
);
writeFileSync(
  join(generated, "typescript-runtime.d.ts"),
  `/** The code of the runtime, without exports. */
export declare const runtimeCode: () => string;

/** What programs import: the statement of \`runtime.js\`, without \`from\`. */
export declare const publicExports: () => string;

/** What programs and hosts import: the statement of \`runtime.internal.js\`. */
export declare const allExports: () => string;

/** The same parts for programs on Lambda, without the command line, the server and the stores. */
export declare const lambdaRuntimeCode: () => string;
export declare const lambdaPublicExports: () => string;
export declare const lambdaAllExports: () => string;

/** The declarations of what programs import. */
export declare const runtimeTypes: () => string;

${hostDeclarations.join("")}/** The module \`query.js\` of programs that call functions of JSONata. */
export declare const queryScript: () => string;
export declare const queryTypes: () => string;

/** The module \`jsonata.js\` of programs that evaluate JSONata, without the evaluator that it calls. */
export declare const jsonataHelper: () => string;

/** The version of the equivalent package. */
export declare const runtimeVersion: string;
`,
);
writeFileSync(join(generated, "typescript-hosts.ts"), printHosts());

/** `import { host as dbos } from "../../targets/typescript/hosts/dbos/index.ts";` */
function printHosts(): string {
  const folder = "../../targets/typescript";
  const imports = allHosts.map((name) => `import { host as ${name} } from "${folder}/hosts/${name}/index.ts";\n`);
  return `import type { Host } from "${folder}/host.ts";
${imports.join("")}
/** The hosts of TypeScript programs, from their folders; the default comes first. */
export const hosts: readonly Host[] = [${allHosts.join(", ")}];
`;
}

/**
 * `export { named as memberOf } from "…/access.ts";`, or `export const merge: <T extends Json>(target: T, value: Json)
 * => T = mergeJson_ as never;` for a more specific type.
 */
function printExpressionModule(): string {
  const typed: string[] = [];
  const lines = Object.entries(expressionModules).flatMap(([path, names]) => {
    const from = `from "../${path}";`;
    const plain = names.filter((name) => helperType(name) === undefined).map(exportSpecifier);
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

function exportSpecifier(name: string): string {
  return helperAlias(name) === name ? name : `${name} as ${helperAlias(name)}`;
}

/** The names that a runtime exports; by default, all. */
interface Selection {
  isPublic(name: string): boolean;
  readonly internal: ReadonlySet<string>;
}

/**
 * Bundles what programs and hosts import, with separate statements that export both or the former. Without comments,
 * which are a fifth of the code; declarations keep those about what programs import.
 */
async function bundleRuntime(selection?: Selection): Promise<{
  readonly runtimeCode: string;
  readonly publicExports: string;
  readonly allExports: string;
}> {
  const { output } = await build({
    cwd: root,
    platform: "node",
    input: "runtime",
    external: /^(?:node:|@?[a-z][^:]*$)/,
    plugins: [entryPlugin(selection)],
    onLog(_, { message }) {
      throw new Error(message);
    },
    write: false,
    output: { format: "esm", comments: false, codeSplitting: false },
  });
  const code = output[0].code.replaceAll(/^\/\/#(?:end)?region.*\n/gm, "");
  const [statement, listed = ""] = /\nexport \{([^{}]*)\};\s*$/.exec(code) ?? [];
  if (statement === undefined) throw new Error("The bundle of the runtime does not end with its exports.");
  const exported = listed.split(",").map((each) => each.trim());
  const nameOf = (each: string): string => each.replace(/^.* as /, "");
  const found = new Set(exported.map(nameOf));
  for (const [name, value] of [...publicNames, ...internalNames])
    if ((!selection && !found.has(name)) || (internalNames.get(name) ?? value) !== (publicNames.get(name) ?? value))
      throw new Error(`The runtime exports different values as ${name}.`);
  return {
    runtimeCode: code.slice(0, -statement.length),
    publicExports: `export { ${exported.filter((each) => publicNames.has(nameOf(each))).join(", ")} }`,
    allExports: `export { ${exported.join(", ")} }`,
  };
}

/** The values that modules export, by name. */
async function exportsOf(...paths: readonly string[]): Promise<ReadonlyMap<string, unknown>> {
  const modules: readonly object[] = await Promise.all(paths.map((path) => import(join(root, path))));
  return new Map(modules.flatMap((module) => Object.entries(module)));
}

function hostModule(host: string): string {
  return `targets/typescript/runtime/hosts/${host}/index.ts`;
}

/** Hosts import the rest of the runtime from `runtime.internal.js`. */
async function bundleHost(host: string): Promise<string> {
  const { output } = await build({
    cwd: root,
    platform: "node",
    input: join(root, hostModule(host)),
    external: /^(?:node:|@?[a-z][^:]*$)/,
    plugins: [
      {
        name: "runtime",
        resolveId: (id) => (id.endsWith("/internal.ts") ? { id: "./runtime.internal.js", external: true } : undefined),
      },
    ],
    write: false,
    output: { format: "esm", comments: false, codeSplitting: false },
  });
  return output[0].code.replaceAll(/^\/\/(?: targets\/|#(?:end)?region).*\n/gm, "");
}

/** The functions of JSONata, which import the rest of the runtime from `runtime.js`. */
async function bundleQuery(): Promise<string> {
  const { output } = await build({
    cwd: root,
    platform: "node",
    input: join(root, queryFunctions),
    plugins: [
      {
        name: "runtime",
        resolveId: (id) => (id.startsWith("../library/") ? { id: "./runtime.js", external: true } : undefined),
      },
    ],
    write: false,
    output: { format: "esm", minify: true, codeSplitting: false },
  });
  return output[0].code;
}

/**
 * What evaluates JSONata, which imports the rest of the runtime from `runtime.js`. The evaluator itself, `jsonata`, is a
 * function that compiled expressions call.
 */
async function bundleJsonata(): Promise<string> {
  const { output } = await build({
    cwd: root,
    platform: "node",
    input: join(root, "src/expressions/jsonata-evaluator/helper.ts"),
    plugins: [
      {
        name: "runtime",
        resolveId: (id) => {
          if (id.startsWith("../library/")) return { id: "./runtime.js", external: true };
          return id.endsWith("/jsonata-evaluator.js") ? { id: "./evaluator.js", external: true } : undefined;
        },
      },
    ],
    write: false,
    output: { format: "esm", comments: false, codeSplitting: false },
  });
  const code = output[0].code.replaceAll(/^\/\/ ?#?(?:end)?(?:region|src\/).*\n/gm, "");
  const evaluator = 'import { jsonata } from "./evaluator.js";\n';
  if (!code.includes(evaluator)) throw new Error("The module for JSONata does not import its evaluator.");
  return code.replace(evaluator, "");
}

/** The names that the module of a host imports from `runtime.internal.js`. */
function importedBy(hostScript: string): ReadonlySet<string> {
  const [, list = ""] = /import \{([^{}]*)\} from "\.\/runtime\.internal\.js"/.exec(hostScript) ?? [];
  return new Set(list.split(",").map((each) => each.trim().replace(/ as .*/, "")));
}

/** `export { http, limited } from "./…";` for each module, or `export * from "./…";` without a selection. */
function printEntry(selection: Selection | undefined): string {
  if (!selection) return exportsByModule.map(([path]) => `export * from "./${path}";\n`).join("");
  const chosen = new Set<string>();
  const lines = exportsByModule.map(([path, names]) => {
    const isChosen = (name: string) =>
      path === internalModule ? selection.internal.has(name) : selection.isPublic(name);
    const own = names.filter((name) => isChosen(name) && !chosen.has(name));
    for (const name of own) chosen.add(name);
    return `export { ${own.join(", ")} } from "./${path}";\n`;
  });
  return lines.join("");
}

function entryPlugin(selection: Selection | undefined): Plugin {
  const text = printEntry(selection);
  return {
    name: "entry",
    async resolveId(id, importer, options) {
      if (id === "runtime") return "\0runtime";
      if (importer === "\0runtime") return join(root, id);
      const found = await this.resolve(id, importer, { ...options, skipSelf: true });
      const replacement = join(root, `${jsonReplacement.to}.ts`);
      return found?.id === join(root, `${jsonReplacement.from}.ts`) && importer !== replacement ? replacement : found;
    },
    load: (id) => (id === "\0runtime" ? text : null),
  };
}

/** The declarations of `runtime.js` and `query.js`. */
function declareModules(): { readonly runtime: string; readonly query: string } {
  const folder = mkdtempSync(join(tmpdir(), "waybill-declarations-"));
  try {
    const options = { noEmit: false, declaration: true, emitDeclarationOnly: true, outDir: folder, rootDir: root };
    const config = {
      extends: join(root, "tsconfig.json"),
      compilerOptions: { ...options, typeRoots: [join(root, "node_modules/@types")] },
      files: [publicModule, expressions, queryFunctions].map((path) => join(root, path)),
      include: [],
    };
    writeFileSync(join(folder, "tsconfig.json"), JSON.stringify(config));
    const compiler = join(root, "node_modules/typescript/bin/tsc");
    execFileSync(process.execPath, [compiler, "-p", folder], { stdio: ["ignore", 2, 2] });
    const at = (path: string): string =>
      path === join(folder, `${jsonReplacement.from}.d.ts`) ? join(folder, `${jsonReplacement.to}.d.ts`) : path;
    const declared = (path: string): string => join(folder, path.replace(/\.ts$/, ".d.ts"));
    const [entries, functions] = [[publicModule, expressions].map(declared), declared(queryFunctions)];
    for (const path of [...entries, functions])
      if (!existsSync(path)) throw new Error(`${dirname(path)} has no declarations.`);
    return {
      runtime: flattenDeclarations(entries, at),
      query: flattenDeclarations([functions], at, { outside: new Map([["Json", "./runtime.js"]]) }),
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
