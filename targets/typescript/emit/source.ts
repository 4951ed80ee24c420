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
  collectImports,
  commentLines,
  type ImportDeclaration,
  type InterfaceDeclaration,
  oneLine,
  printProgram,
  printTypeCode,
  propertyKey,
  type Statement,
  type TypeDeclaration,
  walkNodes,
} from "../../../src/js-ast/index.ts";
import { formatTypeScript } from "./names.ts";
import { redirectRuntimeImports } from "./runtime-imports.ts";

/** Prints a module: a title comment, imports and declarations. */
export type ModulePrinter = (title: string, declarations: Block) => Promise<string>;

/** Prints imports and types with ts-morph, which would reparse other code, and the rest from the tree. */
export function createModulePrinter(runtime: string): ModulePrinter {
  const project = new Project({ useInMemoryFileSystem: true, skipLoadingLibFiles: true });
  return (title, declarations) => {
    const types = declarations.filter(declaresType);
    const code = declarations.filter((declaration) => !declaresType(declaration));
    const statements = [
      `// ${oneLine(title)}\n${code.some(hasTooManyConditions) ? noCheckComment : ""}`,
      ...redirectRuntimeImports(runtime, collectImports(declarations)).map(importStructure),
      ...types.map(typeStructure),
    ];
    const head = project.createSourceFile("module.ts", { statements }, { overwrite: true });
    return formatTypeScript(`${head.getFullText()}\n${printProgram(code, { types: true })}`);
  };
}

/** TypeScript rejects functions with too many conditions. */
const maxConditions = 400;

const hasTooManyConditions = (declaration: Statement): boolean =>
  Array.from(walkNodes([declaration])).filter(({ kind }) => kind === "if").length > maxConditions;

const noCheckComment =
  "// @ts-nocheck: a function has more conditions than TypeScript can analyze. The types of the exports are correct.\n";

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
