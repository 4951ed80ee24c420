import { createHash } from "node:crypto";
import { Project, type SourceFileStructure, StructureKind, VariableDeclarationKind } from "ts-morph";
import { propertyText, typeText } from "../../../src/expressions/typescript/use.ts";
import { oneLine } from "./blocks.ts";
import { type Module, withTypes } from "./module.ts";
import { definitionText, typeLines } from "./workflow.ts";

/** The module of a workflow: readable TypeScript, with what it needs of the expressions' runtime in a file beside it. */
export function moduleText(module: Module, title: string): string {
  const definition = withTypes(module, definitionText(module, ""));
  forgetUnused(module, [definition, ...module.sections.map(({ text }) => text)].join("\n"));
  const body = (version: string) => definition.replace('version: ""', () => `version: "${version}"`);
  const structure = structureOf(module, body, title);
  const plain = formatted(structure(""));
  return plain.replace('version: "",', () => `version: "${versionOf(plain)}",`);
}

/** Imports that turned out not to be needed are left out: forms of expressions were tried that others took the place of. */
function forgetUnused({ helpers, imports }: Module, text: string): void {
  const isUsed = (name: string) => new RegExp(`(?<![\\w$.])${name}(?![\\w$])`).test(text);
  for (const [helper, name] of helpers) if (!isUsed(name)) helpers.delete(helper);
  for (const name of imports) if (name.startsWith("type ") && !/ (?:Flow|Json)$/.test(name) && !isUsed(name.slice(5))) imports.delete(name);
}

/** A workflow changes its version when its program does. */
const versionOf = (text: string): string => createHash("sha256").update(text).digest("hex").slice(0, 16);

type Statements = Exclude<SourceFileStructure["statements"], string | undefined | ((...args: never) => unknown)>;

function structureOf(
  module: Module,
  body: (version: string) => string,
  title: string,
): (version: string) => Omit<SourceFileStructure, "kind"> {
  const { workflow, sections } = module;
  return (version) => ({
    statements: [
      `// ${oneLine(title)}. Change the definition, not this file.`,
      ...imports(module),
      functionsInterface(module),
      ...typeAliases(module),
      ...sections.map((section) => constant(section.name, withTypes(module, section.text), section.doc, false)),
      constant(module.exported, body(version), workflow.description ?? workflow.name, true),
    ],
  });
}

function imports(module: Module): Statements {
  const { helpers, compiled, files, workflow, workflows } = module;
  const own = files.get(workflow.id)!;
  const named = (specifier: string, names: readonly string[]) => ({
    kind: StructureKind.ImportDeclaration as const,
    moduleSpecifier: specifier,
    namedImports: [...names],
  });
  const computed = [...helpers.values(), ...compiled.map(({ name }) => name)];
  const others = [...workflows].filter(([id]) => id !== workflow.id);
  const renamed = (name: string, exported: string) => (exported === name ? name : `${exported} as ${name}`);
  return [
    named("./runtime/index.ts", [...module.imports, ...(module.functions.size > 0 ? ["type Step"] : [])].sort(byName)),
    ...(computed.length === 0 ? [] : [named(`./${own}.expressions.js`, computed.sort())]),
    ...others.map(([id, { name, exported }]) => named(`./${files.get(id)}.ts`, [renamed(name, exported)])),
  ];
}

const byName = (a: string, b: string): number => (a.replace(/^type /, "") < b.replace(/^type /, "") ? -1 : 1);

function functionsInterface(module: Module): Statements[number] {
  return {
    kind: StructureKind.Interface,
    name: "Functions",
    isExported: true,
    docs: ["What the workflow calls."],
    methods: [...module.functions].map(([name, { arguments: given, answer }]) => ({
      name: name === "__proto__" ? '["__proto__"]' : propertyText(name),
      parameters: [
        { name: "argument", type: given.size === 1 ? [...given][0]! : "Json" },
        { name: "step", type: "Step" },
      ],
      returnType: `Promise<${typeText(answer)}>`,
    })),
  };
}

function typeAliases(module: Module): Statements {
  return typeLines(module).map(({ name, type, doc }) => ({
    kind: StructureKind.TypeAlias as const,
    name,
    type,
    docs: [doc],
    isExported: true,
  }));
}

function constant(name: string, initializer: string, doc: string, isExported: boolean): Statements[number] {
  return {
    kind: StructureKind.VariableStatement,
    declarationKind: VariableDeclarationKind.Const,
    isExported,
    docs: [docText(doc)],
    declarations: [{ name, initializer }],
  };
}

/** A text for a doc comment: nothing in it ends the comment. */
const docText = (text: string): string => oneLine(text).replaceAll("*/", "*\\/");

/** The text of a source file, indented as the formatter of TypeScript does it. */
function formatted(structure: Omit<SourceFileStructure, "kind">): string {
  const project = new Project({ useInMemoryFileSystem: true, manipulationSettings: { useTrailingCommas: true } });
  const file = project.createSourceFile("workflow.ts", structure as SourceFileStructure);
  file.formatText({ indentSize: 2 });
  return separated(file.getFullText());
}

/** An empty line before what is declared at the outermost level. */
const separated = (text: string): string =>
  text.replace(/\n+(?=\/\*\*|(?:export )?(?:const|type|interface) )/g, "\n\n").replace(/\*\/\n\n/g, "*/\n");
