import { runtimeVersion } from "../../src/generated/typescript-runtime.js";
import type { Program } from "../../src/ir/workflow.ts";
import type { OutputFile } from "../../src/target/contract.ts";
import type { FunctionsModule } from "./bindings/index.ts";
import { runtimePackage } from "./emit/runtime-imports.ts";
import type { Host } from "./host.ts";
import { imageOf } from "./image.ts";

/** Emits the files around the modules of a program. */
export function projectFiles(
  program: Program,
  modules: ReadonlyMap<string, string>,
  functions: FunctionsModule,
  { host, runtime, folder }: ProjectSettings,
): readonly OutputFile[] {
  const packages = new Map([
    ...functions.packages,
    ...host.packages(program),
    ...(runtime === runtimePackage ? [[runtimePackage, runtimeVersion] as const] : []),
  ]);
  const image = imageOf(functions.modules, folder);
  return [
    { path: "functions.ts", text: functions.text },
    ...functions.files,
    { path: "package.json", text: printPackage(program, modules, packages, host) },
    { path: "tsconfig.json", text: `${JSON.stringify(typescriptOptions(host), undefined, 2)}\n` },
    ...host.files({ program, modules, functions, runtime, image, hasPackages: packages.size > 0 }),
  ];
}

/** Runtime module, host and output folder. */
export interface ProjectSettings {
  readonly runtime: string;
  readonly host: Host;
  readonly folder?: string | undefined;
}

/** The tested versions. */
const versions = { typescript: "7.0.2", "@types/node": "24.19.2" } as const;

function printPackage(
  { workflows }: Program,
  modules: ReadonlyMap<string, string>,
  packages: ReadonlyMap<string, string>,
  { scripts }: Host,
): string {
  const [first] = workflows;
  const name = (first ? modules.get(first.id)! : "workflows").toLowerCase().replace(/^[._]+/, "");
  const description = {
    name,
    private: true,
    type: "module",
    engines: { node: ">=22.18" },
    scripts: { ...scripts, types: "tsc --noEmit" },
    ...(packages.size === 0 ? {} : { dependencies: Object.fromEntries(packages) }),
    devDependencies: { "@types/node": versions["@types/node"], typescript: versions.typescript },
  };
  return `${JSON.stringify(description, undefined, 2)}\n`;
}

const typescriptOptions = ({ outputFolders }: Host) => ({
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
  exclude: ["node_modules", "previous", ...outputFolders],
});
