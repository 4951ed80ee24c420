import { runtimeVersion } from "../../src/generated/typescript-runtime.js";
import { templates } from "../../src/generated/typescript-templates.js";
import { mainWorkflow } from "../../src/ir/order.ts";
import type { Program } from "../../src/ir/workflow.ts";
import { collectImports, type JsExpression, js, printProgram, renderTemplate } from "../../src/js-ast/index.ts";
import type { OutputFile } from "../../src/target/contract.ts";
import type { FunctionsModule } from "./bindings/index.ts";
import { exportedName } from "./emit/module.ts";
import { createProgramNames } from "./emit/names.ts";
import { runtimePackage } from "./emit/runtime-imports.ts";
import { buildCommand, composeBuild, type Image, imageFiles, imageOf } from "./image.ts";
import { lambdaFiles, lambdaPackages, type ReadmeData } from "./lambda.ts";
import { type HostName, hostFilesOf } from "./runtime-files.ts";

/** Emits the files around the modules of a program. */
export function projectFiles(
  program: Program,
  modules: ReadonlyMap<string, string>,
  emission: FunctionsModule,
  settings: ProjectSettings,
): readonly OutputFile[] {
  const { host } = settings;
  const packages = packagesFor(program, emission, settings);
  const common = [
    { path: "functions.ts", text: emission.text },
    ...emission.files,
    { path: "package.json", text: printPackage(program, modules, packages, host) },
    { path: "tsconfig.json", text: `${JSON.stringify(typescriptOptions(host), undefined, 2)}\n` },
  ];
  const image = imageOf(emission.modules, settings.folder);
  if (host === "lambda")
    return [...common, ...lambdaFiles(program, modules, emission, readmeData(program, settings), image)];
  return [
    ...common,
    { path: "main.ts", text: printMain(program, modules, emission.hasSinks, settings) },
    { path: "README.md", text: renderReadme(program, settings, image) },
    ...imageFiles(image, host, packages.size > 0),
    ...composeFiles(host, image),
  ];
}

function composeFiles(host: HostName, image: Image): readonly OutputFile[] {
  const templateOf = {
    sqlite: undefined,
    dbos: "compose.yaml",
    restate: "compose-restate.yaml",
    lambda: undefined,
  } as const;
  const template = templateOf[host];
  return template === undefined
    ? []
    : [{ path: "compose.yaml", text: renderTemplate(templates[template], { build: composeBuild(image) }) }];
}

/** Runtime module, host and output folder. */
export interface ProjectSettings {
  readonly runtime: string;
  readonly host: HostName;
  readonly folder?: string | undefined;
}

/** The tested versions. */
const versions = { typescript: "7.0.2", "@types/node": "24.19.2" } as const;

const packagesFor = (
  program: Program,
  { packages }: FunctionsModule,
  { runtime, host }: ProjectSettings,
): ReadonlyMap<string, string> => {
  const client = host === "lambda" ? lambdaPackages(program) : [];
  const all = new Map([...packages, ...client, ...hostFilesOf(host).packages]);
  return runtime === runtimePackage ? new Map([...all, [runtimePackage, runtimeVersion]]) : all;
};

function printPackage(
  { workflows }: Program,
  modules: ReadonlyMap<string, string>,
  packages: ReadonlyMap<string, string>,
  host: HostName,
): string {
  const [first] = workflows;
  const name = (first ? modules.get(first.id)! : "workflows").toLowerCase().replace(/^[._]+/, "");
  const description = {
    name,
    private: true,
    type: "module",
    engines: { node: ">=22.18" },
    scripts: {
      ...(host === "lambda" ? { assemble: "node assemble.mjs" } : { start: "node main.ts serve" }),
      types: "tsc --noEmit",
    },
    ...(packages.size === 0 ? {} : { dependencies: Object.fromEntries(packages) }),
    devDependencies: { "@types/node": versions["@types/node"], typescript: versions.typescript },
  };
  return `${JSON.stringify(description, undefined, 2)}\n`;
}

const typescriptOptions = (host: HostName) => ({
  compilerOptions: {
    target: "es2023",
    lib: ["es2024"],
    module: "nodenext",
    types: ["node"],
    strict: true,
    noEmit: true,
    allowImportingTsExtensions: true,
    erasableSyntaxOnly: true,
    verbatimModuleSyntax: true,
    skipLibCheck: true,
  },
  include: ["**/*.ts"],
  exclude: ["node_modules", "previous", ...(host === "lambda" ? ["dist"] : [])],
});

/**
 * Modules are imported after the compile cache is enabled, so that it includes them:
 * `const { orders } = await import("./orders.ts");`
 */
function printMain(
  { workflows }: Program,
  modules: ReadonlyMap<string, string>,
  hasSinks: boolean,
  { runtime, host }: ProjectSettings,
): string {
  const names = createProgramNames(["process", "enableCompileCache", "import"]);
  const importing = (module: string, wanted: readonly string[]) => {
    const members = wanted.map((key) => ({ key, target: js.name(names.fresh(key)) }));
    const given = js.awaitExpression(js.call(js.name("import"), [js.literal(module)]));
    return {
      statement: js.constant({ kind: "objectPattern", members }, given),
      names: members.map((each) => each.target),
    };
  };
  const own = importing(runtime, host === "sqlite" ? ["main", "openEngine"] : ["main"]);
  const engine = host === "sqlite" ? undefined : importing(`./${host}.js`, ["openEngine"]);
  const calls = importing("./functions.ts", hasSinks ? ["functions", "sinks"] : ["functions"]);
  const each = workflows.map(({ id }) => importing(`./${modules.get(id)}.ts`, [exportedName(id)]));
  const program = js.record({
    workflows: js.array(each.flatMap((one) => one.names)),
    functions: calls.names[0]!,
    sinks: calls.names[1],
    open: engine ? engine.names[0]! : own.names[1]!,
    location: js.member(moduleMeta, "url"),
  });
  const run = js.awaitExpression(js.call(own.names[0]!, [program]));
  const cache = js.expressionStatement(js.call(js.imported("enableCompileCache", "node:module")));
  const statements = [
    js.comment("Caches compiled code for the next start. NODE_DISABLE_COMPILE_CACHE=1 disables the cache."),
    cache,
    ...[own, ...(engine ? [engine] : []), calls, ...each].map(({ statement }) => statement),
    js.assign(js.member(js.name("process"), "exitCode"), run),
  ];
  const head = js.comment("Runs the workflows. For help, run `node main.ts --help`.");
  return printProgram([head, ...collectImports(statements), ...statements], { types: true });
}

const moduleMeta: JsExpression = js.member(js.name("import"), "meta");

const renderReadme = (program: Program, settings: ProjectSettings, image: Image): string =>
  renderTemplate(templates["README.md"], {
    ...readmeData(program, settings),
    build: buildCommand(image),
    context: image.context === "." ? [] : [{ folder: image.context }],
    first: quoteShellWord(mainWorkflow(program)?.id ?? "workflow"),
    file: settings.host === "sqlite" ? [{}] : [],
    database: settings.host === "dbos" ? [{}] : [],
    restate: settings.host === "restate" ? [{}] : [],
    keeping: settings.host === "restate" ? [] : [{}],
  });

const readmeData = ({ workflows }: Program, { runtime }: ProjectSettings): ReadmeData => ({
  workflows: workflows.map(({ id, name }) => ({ id: escapeMarkdown(id), name: escapeMarkdown(name) })),
  runtime: runtime === runtimePackage ? `the package \`${runtimePackage}\`` : "`runtime.js`",
});

const escapeMarkdown = (text: string): string =>
  text
    .replace(/[\p{C}\p{Zl}\p{Zp}\s]+/gu, " ")
    .replace(/[\\`*_{}[\]<>()#+!|~]/g, "\\$&")
    .slice(0, 200);

const quoteShellWord = (text: string): string =>
  /^[\w.-]+$/.test(text) ? text : `'${text.replace(/[\p{C}\s]+/gu, " ").replaceAll("'", "'\\''")}'`;
