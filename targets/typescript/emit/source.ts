import {
  type ImportDeclarationStructure,
  type InterfaceDeclarationStructure,
  type MethodSignatureStructure,
  Project,
  StructureKind,
  type TypeAliasDeclarationStructure,
} from "ts-morph";
import {
  type Block,
  commentLines,
  type ImportDeclaration,
  type InterfaceDeclaration,
  collectImports,
  walkNodes,
  printProgram,
  printTypeCode,
  propertyKey,
  type Statement,
  type TypeDeclaration,
} from "../../../src/js-ast/index.ts";
import { importsWith } from "../expressions/runtime.ts";
import { laidOut } from "../layout.ts";
import { oneLine } from "./steps.ts";

/** The text of a module: a comment, what it imports, and what it declares. */
export type Printer = (title: string, declarations: Block) => Promise<string>;

/**
 * Puts modules together: what they import and the types that they declare as ts-morph's structures, the code behind it printed from the tree,
 * and all of it laid out. `runtime`: where the program has its runtime from. The code is no structure, as ts-morph reads back what it wrote, and the layout reads it anyhow.
 */
export function createPrinter(runtime: string): Printer {
  const project = new Project({ useInMemoryFileSystem: true, skipLoadingLibFiles: true });
  return (title, declarations) => {
    const types = declarations.filter(declaresType);
    const code = declarations.filter((declaration) => !declaresType(declaration));
    const statements = [
      `// ${oneLine(title)}\n${code.some(isTooBranched) ? unchecked : ""}`,
      ...importsWith(runtime, collectImports(declarations)).map(importStructure),
      ...types.map(typeStructure),
    ];
    const head = project.createSourceFile("module.ts", { statements }, { overwrite: true });
    return laidOut(`${head.getFullText()}\n${printProgram(code, { types: true })}`);
  };
}

/** TypeScript follows what is known through so many conditions of one function; with a few times as many it gives up, and refuses the whole file. */
const mostConditions = 400;

const isTooBranched = (declaration: Statement): boolean =>
  Array.from(walkNodes([declaration])).filter(({ kind }) => kind === "if").length > mostConditions;

const unchecked =
  "// @ts-nocheck: a function has more conditions than TypeScript follows. Types of what is exported hold.\n";

const declaresType = (statement: Statement): statement is InterfaceDeclaration | TypeDeclaration =>
  statement.kind === "interface" || statement.kind === "typeDeclaration";

function importStructure({ module, names }: ImportDeclaration): ImportDeclarationStructure {
  const areTypes = names.every(({ isType }) => isType);
  return {
    kind: StructureKind.ImportDeclaration,
    moduleSpecifier: module,
    isTypeOnly: areTypes,
    namedImports: names.map(({ name, exported, isType }) => ({
      name: exported ?? name,
      isTypeOnly: isType && !areTypes,
      ...(exported === undefined || exported === name ? {} : { alias: name }),
    })),
  };
}

function typeStructure(
  declaration: InterfaceDeclaration | TypeDeclaration,
): InterfaceDeclarationStructure | TypeAliasDeclarationStructure {
  const { name, exported = false, doc } = declaration;
  const shared = {
    name,
    isExported: exported,
    leadingTrivia: "\n",
    docs: doc === undefined ? [] : [commentLines(doc).join("\n")],
  };
  if (declaration.kind === "typeDeclaration")
    return { ...shared, kind: StructureKind.TypeAlias, type: printTypeCode(declaration.type) };
  return { ...shared, kind: StructureKind.Interface, methods: declaration.members.flatMap(methodStructure) };
}

const methodStructure = (member: InterfaceDeclaration["members"][number]): MethodSignatureStructure[] =>
  member.kind === "methodSignature"
    ? [
        {
          kind: StructureKind.MethodSignature,
          name: propertyKey(member.name, "unicode"),
          parameters: member.parameters.map(({ name, type }) => ({ name, type: printTypeCode(type) })),
          returnType: printTypeCode(member.returns),
        },
      ]
    : [];
