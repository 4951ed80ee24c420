import {
  type FunctionDeclarationStructure,
  type ImportDeclarationStructure,
  type InterfaceDeclarationStructure,
  Project,
  type StatementStructures,
  StructureKind,
  VariableDeclarationKind,
} from "ts-morph";
import {
  type Block,
  commentLines,
  type FunctionDeclaration,
  type Import,
  type InterfaceDeclaration,
  importsOf,
  type Pattern,
  printCode,
  printProgram,
  printType,
  propertyKey,
  type Statement,
} from "../../../src/code/index.ts";
import { laidOut } from "../layout.ts";
import { oneLine } from "./steps.ts";

/** The text of a module: a comment, what it imports, and what it declares. */
export type Printer = (title: string, declarations: Block) => Promise<string>;

/** Puts modules together: declarations as ts-morph's structures, what stands in them printed from the tree, and all of it laid out. */
export function createPrinter(): Printer {
  const project = new Project({ useInMemoryFileSystem: true, skipLoadingLibFiles: true });
  return (title, declarations) => {
    const head = `// ${oneLine(title)}\n`;
    const statements = [head, ...importsOf(declarations).map(importStructure), ...declarations.map(structureOf)];
    const file = project.createSourceFile("module.ts", { statements }, { overwrite: true });
    return laidOut(file.getFullText());
  };
}

function importStructure({ module, names }: Import): ImportDeclarationStructure {
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

function structureOf(statement: Statement): StatementStructures | string {
  switch (statement.kind) {
    case "interface":
      return interfaceStructure(statement);
    case "typeDeclaration":
      return {
        kind: StructureKind.TypeAlias,
        ...declared(statement),
        name: statement.name,
        type: printType(statement.type),
      };
    case "functionDeclaration":
      return functionStructure(statement);
    case "variable":
      return {
        kind: StructureKind.VariableStatement,
        ...declared(statement),
        declarationKind: statement.keyword === "const" ? VariableDeclarationKind.Const : VariableDeclarationKind.Let,
        declarations: [
          {
            name: nameOf(statement.target),
            ...(statement.type ? { type: printType(statement.type) } : {}),
            ...(statement.value ? { initializer: printCode(statement.value, typed) } : {}),
          },
        ],
      };
    default:
      return printProgram([statement], typed);
  }
}

const typed = { types: true } as const;

/** The name that a declaration of a module has: nothing is taken apart there. */
function nameOf(target: Pattern): string {
  if (target.kind !== "identifier") throw new Error("A module declares names alone.");
  return target.name;
}

/** What declarations have in common: whether they are exported, and the comment before them, in which nothing ends it. */
const declared = ({
  exported = false,
  doc,
}: {
  readonly exported?: boolean | undefined;
  readonly doc?: string | undefined;
}) => ({
  isExported: exported,
  leadingTrivia: "\n",
  docs: doc === undefined ? [] : [commentLines(doc).join("\n")],
});

function interfaceStructure(declaration: InterfaceDeclaration): InterfaceDeclarationStructure {
  return {
    kind: StructureKind.Interface,
    ...declared(declaration),
    name: declaration.name,
    methods: declaration.members.flatMap((member) =>
      member.kind === "methodSignature"
        ? [
            {
              name: propertyKey(member.name, "unicode"),
              parameters: member.parameters.map(({ name, type }) => ({ name, type: printType(type) })),
              returnType: printType(member.returns),
            },
          ]
        : [],
    ),
  };
}

function functionStructure(declaration: FunctionDeclaration): FunctionDeclarationStructure {
  return {
    kind: StructureKind.Function,
    ...declared(declaration),
    name: declaration.name,
    isAsync: declaration.async,
    parameters: declaration.parameters.map(({ target, type }) => ({
      name: nameOf(target),
      ...(type ? { type: printType(type) } : {}),
    })),
    ...(declaration.returns ? { returnType: printType(declaration.returns) } : {}),
    statements: printProgram(declaration.body, typed),
  };
}
