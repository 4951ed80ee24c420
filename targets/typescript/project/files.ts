import { fill } from "../../../src/code/index.ts";
import { templates } from "../../../src/generated/typescript-templates.js";
import type { Program } from "../../../src/program.ts";
import type { OutputFile } from "../../../src/target.ts";
import type { Emission } from "../bindings/index.ts";
import { mainText } from "./main.ts";
import { readmeText } from "./readme.ts";

/** The versions of the packages that an emitted program needs: those that the runtime is tested with. */
const versions = { cloudevents: "10.0.0", typescript: "7.0.2", "@types/node": "24.19.2" } as const;

/** What makes a folder of modules a program: its entry, its package, and how it is checked, run and packed. */
export function projectFiles(
  program: Program,
  modules: ReadonlyMap<string, string>,
  emission: Emission,
): readonly OutputFile[] {
  return [
    { path: "functions.ts", text: emission.text },
    ...emission.files,
    { path: "main.ts", text: mainText(program, modules, emission.hasSinks) },
    { path: "package.json", text: packageText(program, modules, emission) },
    { path: "tsconfig.json", text: `${JSON.stringify(typescriptOptions, undefined, 2)}\n` },
    { path: "README.md", text: readmeText(program) },
    { path: "Dockerfile", text: fill(templates["Dockerfile"], {}) },
    { path: ".dockerignore", text: fill(templates["dockerignore"], {}) },
  ];
}

function packageText({ workflows }: Program, modules: ReadonlyMap<string, string>, { packages }: Emission): string {
  const [first] = workflows;
  const name = (first ? modules.get(first.id)! : "workflows").toLowerCase().replace(/^[._]+/, "");
  const description = {
    name,
    private: true,
    type: "module",
    engines: { node: ">=22.18" },
    scripts: { start: "node main.ts serve", types: "tsc --noEmit" },
    dependencies: { cloudevents: versions.cloudevents, ...Object.fromEntries(packages) },
    devDependencies: { "@types/node": versions["@types/node"], typescript: versions.typescript },
  };
  return `${JSON.stringify(description, undefined, 2)}\n`;
}

const typescriptOptions = {
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
  exclude: ["node_modules", "previous"],
};
